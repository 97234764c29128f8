/// All that is random about a run: what its frames normally take, and what is put into them.
///
/// Both are drawn apart from each other. So a run without a cause has the same noise as one with it.
struct Plan {
  let cell: Cell
  let seed: UInt64
  let names: Names
  /// How many frames a run has.
  var frameCount: Int { cell.frameCount }
  /// What a frame may take, in nanoseconds.
  private(set) var interval: [Int64] = []
  private(set) var noise: [Noise] = []
  /// Nanoseconds, by frame and injection.
  private var injected: [Int64]
  /// What happens between frames, by the frame behind it.
  private(set) var interludes: [Int: Interlude] = [:]
  /// The frames whose target nobody tells.
  private(set) var withoutTarget: Set<Int> = []
  /// Whether the root span of the loop is there. Without it its spans stand for themselves.
  let hasRoot: Bool
  /// Whether a link leads from the loop to the next stage.
  let hasStageLink: Bool
  /// Whether the system says when threads wait, too.
  let hasWaitStates: Bool
  /// Whether frames tell the interval between them apart from their target.
  let tellsInterval: Bool

  /// What a frame normally takes, in nanoseconds.
  struct Noise {
    var input, animate, layout, decode, commit, prepare, draw, present, parse, encode, flush: Int64
    var scan: Int64
    var cells: Int
    var hasDecode: Bool
    /// How long the lock is held, and how far behind the request.
    var hold, holdDelay: Int64
    /// Where in the frame the thread loses its processor: 0…1.
    var preemption: Double
    /// The cells' times, over again where there are more.
    var configure, text: [Int64]
  }

  init(cell: Cell, seed: UInt64) {
    self.cell = cell
    self.seed = seed
    names = Names(seed: seed)
    hasRoot = seed % 3 != 0
    hasStageLink = seed % 2 == 0
    hasWaitStates = seed % 4 < 2
    tellsInterval = seed % 5 < 2
    injected = Array(repeating: 0, count: cell.frameCount * Injection.allCases.count)
    interval = (0..<frameCount).map { $0 / 400 % 3 == 1 ? 12_500_000 : 16_666_667 }
    drawNoise()
    drawInjections()
    if cell.isDisturbed { disturb() }
  }

  /// What a cause adds to a frame, in nanoseconds.
  subscript(frame: Int, injection: Injection) -> Int64 {
    get { injected[frame * Injection.allCases.count + injection.rawValue] }
    set { injected[frame * Injection.allCases.count + injection.rawValue] = newValue }
  }

  /// The causes that are put in anywhere.
  var injections: [Injection] {
    Injection.allCases.filter { injection in
      (0..<frameCount).contains { self[$0, injection] > 0 }
    }
  }

  mutating func setInterval(_ value: Int64, ofFrame frame: Int) { interval[frame] = value }

  mutating func loseTarget(ofFrame frame: Int) { withoutTarget.insert(frame) }

  mutating func setInterlude(_ interlude: Interlude, before frame: Int) {
    interludes[frame] = interlude
  }

  private mutating func drawNoise() {
    let seed = seed &* 16 &+ (cell.isPresented ? 1 : 0)
    func gamma(_ purpose: String, shape: Double, mean: Double) -> [Int64] {
      var draws = Draws(seed: seed, purpose: purpose)
      return (0..<frameCount).map { _ in Int64(draws.gamma(shape: shape, mean: mean) * 1e6) }
    }
    func uniform(_ purpose: String) -> [Double] {
      var draws = Draws(seed: seed, purpose: purpose)
      return (0..<frameCount).map { _ in draws.uniform() }
    }
    func many(_ purpose: String, mean: Double) -> [[Int64]] {
      var draws = Draws(seed: seed, purpose: purpose)
      return (0..<frameCount).map { _ in
        (0..<16).map { _ in Int64(draws.gamma(shape: 16, mean: mean) * 1e6) }
      }
    }
    let input = gamma("input", shape: 9, mean: 0.3)
    let animate = gamma("animate", shape: 9, mean: 0.5)
    let layout = gamma("layout", shape: cell.layoutShape, mean: cell.layout)
    let decode = gamma("decode", shape: 8, mean: 0.5)
    let commit = gamma("commit", shape: 25, mean: 1)
    let prepare = gamma("prepare", shape: 25, mean: 1)
    let draw = gamma("draw", shape: 40, mean: 3)
    let present = gamma("present", shape: 9, mean: 0.3)
    let parse = gamma("parse", shape: 16, mean: 2.5)
    let encode = gamma("encode", shape: 6, mean: 13)
    let flush = gamma("flush", shape: 9, mean: 0.4)
    let scan = gamma("scan", shape: 30, mean: 1.5)
    let hold = gamma("hold", shape: 4, mean: 0.3)
    let (cells, hasDecode) = (uniform("cells"), uniform("has decode"))
    let (holdDelay, preemption) = (uniform("hold delay"), uniform("preemption"))
    let (configure, text) = (many("configure", mean: 0.3), many("text", mean: 0.22))
    noise = (0..<frameCount).map { k in
      Noise(
        input: input[k], animate: animate[k], layout: layout[k], decode: decode[k],
        commit: commit[k], prepare: prepare[k], draw: draw[k], present: present[k],
        parse: parse[k], encode: encode[k], flush: flush[k], scan: scan[k],
        cells: 3 + Int(cells[k] * 4), hasDecode: hasDecode[k] < 0.25, hold: hold[k],
        holdDelay: Int64(holdDelay[k] * 1.2e6), preemption: preemption[k],
        configure: configure[k], text: text[k])
    }
  }

  /// A frame in so many is made late by one cause, and every fourth of those by two.
  private mutating func drawInjections() {
    var draws = Draws(seed: seed &* 16 &+ (cell.isPresented ? 1 : 0), purpose: "injections")
    let causes =
      Injection.base + (cell.isDisturbed ? [.inversion] : [])
      + (cell.isDisturbed && cell.isPresented ? [.scan] : [])
    for frame in 20..<frameCount {
      guard draws.uniform() < cell.rate else { continue }
      let isDouble = draws.uniform() < 0.25
      var left = Array(causes)
      for _ in 0..<(isDouble ? 2 : 1) {
        let cause = left.remove(at: draws.index(below: left.count))
        let extent = draws.uniform(cell.extent) * (isDouble ? 0.67 : 1)
        self[frame, cause] = Int64(extent * 1e6)
      }
    }
  }
}
