/// What lies between two frames.
struct Interlude {
  enum Kind: CaseIterable {
    /// The program says that it needs no frame.
    case noFrameNeeded
    /// The series pauses: nothing before it makes the next frame late.
    case pause
    /// The clock goes on by seconds, as when the system was suspended, and nobody says it.
    case jump
  }

  var kind: Kind
  /// Nanoseconds.
  var duration: Int64
}

extension Plan {
  /// Puts in what happens in programs beside frames that are late.
  mutating func disturb() {
    var draws = Draws(seed: seed, purpose: "disturbances")
    changeRates(&draws)
    rest(&draws)
    slowDown()
    for frame in 1..<frameCount where draws.uniform() < 0.03 { loseTarget(ofFrame: frame) }
  }

  /// The rate changes where it should not: at frames that are late.
  private mutating func changeRates(_ draws: inout Draws) {
    var isFast = false
    for frame in 0..<frameCount {
      let isLate = Injection.base.contains { self[frame, $0] > 0 }
      if isLate, draws.uniform() < 0.25 { isFast.toggle() }
      setInterval(isFast ? 12_500_000 : 16_666_667, ofFrame: frame)
    }
  }

  /// Rests of each kind. The first frame costs more, and so do some of those behind a rest.
  private mutating func rest(_ draws: inout Draws) {
    self[0, .setup] = 40_000_000
    for frame in 30..<frameCount where draws.uniform() < 0.01 {
      let kind = Interlude.Kind.allCases[draws.index(below: 3)]
      let seconds = kind == .jump ? draws.uniform(3..<9) : draws.uniform(0.2..<2)
      setInterlude(Interlude(kind: kind, duration: Int64(seconds * 1e9)), before: frame)
      if draws.uniform() < 0.5 {
        self[frame, .setup] = Int64(draws.uniform(10..<40) * 1e6)
      }
    }
  }

  /// Twice something takes 10 µs more with each frame, for 300 frames.
  private mutating func slowDown() {
    for start in [800, 1800] {
      for frame in start..<start + 300 where frame < frameCount {
        self[frame, .drift] = Int64(frame - start) * 10_000
      }
    }
  }
}
