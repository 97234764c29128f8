/// Random numbers that are the same on every run.
struct SeededNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// A number below a bound, which is above 0.
  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return Int(mixed.multipliedFullWidth(by: UInt64(bound)).high)
  }
}

/// How sure the blame of causes is: hitches are drawn again and again from those that were seen.
///
/// Hitches come in groups, so what is drawn are blocks of those within a second. Where fewer than a
/// thousand good frames say what is normal, these are drawn anew too, and all hitches divided by what
/// they say. 400 draws; 90 % of them give the interval.
///
/// Source: Efron, bootstrap percentile intervals; Künsch (1989) for blocks.
struct Resampling {
  /// What a hitch gives to a cause.
  struct Share {
    var definition: Int32
    var blame: Int64
  }

  /// A hitch with its shares.
  struct Hitch {
    var time: Int64
    var shares: Range<Int>
  }

  static let leastHitches = 5
  private static let draws = 400
  /// What bears less than so many others is not told of.
  private static let mostDefinitions = 1000
  private static let blockLength: Int64 = 1_000_000_000

  /// More good frames than this say what is normal so well that they need not be drawn anew.
  static let manyFrames = 1000
  /// So many times they are drawn.
  static let normals = 16
  /// More hitches are not divided again.
  static let mostHitchesDividedAgain = 4096

  /// The hitches in the order of time, divided once with each normal that was drawn.
  private var hitches: [[Hitch]] = []
  private var shares: [[Share]] = []

  /// Takes in all hitches in the order of time, as one normal divides them: definitions and blame.
  mutating func add(_ divided: [(time: Int64, shares: [(Int, Int64)])]) {
    var hitches: [Hitch] = []
    var shares: [Share] = []
    for hitch in divided {
      let first = shares.count
      shares += hitch.shares.map { Share(definition: Int32($0.0), blame: $0.1) }
      hitches.append(Hitch(time: hitch.time, shares: first..<shares.count))
    }
    self.hitches.append(hitches)
    self.shares.append(shares)
  }

  /// The confidence in each definition that bears anything; none with too few hitches.
  func confidences(definitionCount: Int, seed: UInt64) -> [Int: Cause.Confidence] {
    guard let first = hitches.first, first.count >= Self.leastHitches else { return [:] }
    let blocks = Self.blocks(of: first)
    let sums = hitches.indices.map { self.sums(of: blocks, withNormal: $0) }
    let used = greatest(definitionCount: definitionCount)
    let whole = shares[0].reduce(Int64(0)) { $0.plus($1.blame) }
    var numbers = SeededNumbers(seed: seed)
    var totals = Array(repeating: Int64(0), count: definitionCount)
    var drawn: [Int: [Int64]] = [:]
    var firsts: [Int: Int] = [:]
    for draw in 0..<Self.draws {
      for definition in totals.indices { totals[definition] = 0 }
      var drawnWhole: Int64 = 0
      for _ in blocks.indices {
        for share in sums[draw % sums.count][numbers.next(below: blocks.count)] {
          let place = Int(share.definition)
          totals[place] = totals[place].plus(share.blame)
          drawnWhole = drawnWhole.plus(share.blame)
        }
      }
      // How many and how late hitches were drawn says nothing of a cause: its part of them does.
      let scale = Double(whole) / Double(max(1, drawnWhole))
      for definition in used {
        drawn[definition, default: []].append(
          min(whole, Int64((Double(totals[definition]) * scale).rounded())))
      }
      let named = used.filter { $0 > NamedCut.backlog && totals[$0] > 0 }
      if let best = named.max(by: { (totals[$0], $1) < (totals[$1], $0) }) {
        firsts[best, default: 0] += 1
      }
    }
    var confidences: [Int: Cause.Confidence] = [:]
    for definition in used {
      let sorted = (drawn[definition] ?? []).sorted()
      confidences[definition] = Cause.Confidence(
        blame: sorted[Self.draws / 20]...sorted[Self.draws - 1 - Self.draws / 20],
        first: Double(firsts[definition] ?? 0) / Double(Self.draws))
    }
    return confidences
  }

  /// The definitions that bear most, as many as are told of; ascending.
  private func greatest(definitionCount: Int) -> [Int] {
    var totals = Array(repeating: Int64(0), count: definitionCount)
    for share in shares[0] {
      totals[Int(share.definition)] = totals[Int(share.definition)].plus(share.blame)
    }
    let bearers = totals.indices.filter { totals[$0] > 0 }
    let byBlame = bearers.sorted { (totals[$1], $0) < (totals[$0], $1) }
    return byBlame.prefix(Self.mostDefinitions).sorted()
  }

  /// What the hitches of each block give to each cause together.
  private func sums(of blocks: [Range<Int>], withNormal normal: Int) -> [[Share]] {
    var sum: [Int32: Int64] = [:]
    return blocks.map { block in
      sum.removeAll(keepingCapacity: true)
      for hitch in block {
        for share in shares[normal][hitches[normal][hitch].shares] {
          sum[share.definition] = (sum[share.definition] ?? 0).plus(share.blame)
        }
      }
      return sum.map { Share(definition: $0.key, blame: $0.value) }
    }
  }

  /// Hitches that began within a second of the first of them. Where that leaves too few blocks, each
  /// hitch is one.
  private static func blocks(of hitches: [Hitch]) -> [Range<Int>] {
    var blocks: [Range<Int>] = []
    var first = 0
    while first < hitches.count {
      var next = first + 1
      while next < hitches.count,
        hitches[next].time.minus(hitches[first].time) < blockLength
      {
        next += 1
      }
      blocks.append(first..<next)
      first = next
    }
    return blocks.count >= leastHitches ? blocks : hitches.indices.map { $0..<$0 + 1 }
  }
}
