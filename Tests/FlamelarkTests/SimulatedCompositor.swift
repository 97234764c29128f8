import Flamelark
import _FlamelarkTestSupport

/// A compositor that shows what a program hands in at the refreshes of a display, and says so later.
///
/// Time is its own: nothing waits.
struct SimulatedCompositor {
  enum Outcome: Equatable {
    /// At which refresh.
    case shown(Int)
    case discarded
    case untold
  }

  /// Whether a newer frame takes the place of an older one that waits, or stands behind it.
  var replaces: Bool
  /// The part of the frames, in percent, of which nothing is said.
  var silence = 0
  private var random: SeededGenerator
  /// Frames that were handed in, with the refresh from which on they can be shown.
  private var queue: [(frame: Int, ready: Int)] = []
  /// What has to be said, and at which refresh.
  private var mail: [(frame: Int, outcome: Outcome, due: Int)] = []
  /// What became of each frame, as far as the program was told.
  private(set) var log: [Outcome] = []
  private var held = 0

  init(seed: UInt64, replaces: Bool) {
    random = SeededGenerator(seed: seed)
    self.replaces = replaces
  }

  /// Takes in the next frame.
  mutating func commit(ready: Int) {
    queue.append((log.count, ready))
    log.append(.untold)
  }

  /// Shows what can be shown at a refresh.
  mutating func refresh(_ now: Int) {
    if replaces {
      guard let newest = queue.lastIndex(where: { $0.ready <= now }) else { return }
      for older in queue[..<newest] { note(older.frame, .discarded, now) }
      note(queue[newest].frame, .shown(now), now)
      queue.removeFirst(newest + 1)
    } else if let first = queue.first, first.ready <= now {
      note(first.frame, .shown(now), now)
      queue.removeFirst()
    }
  }

  private mutating func note(_ frame: Int, _ outcome: Outcome, _ now: Int) {
    guard Int.random(in: 0..<100, using: &random) >= silence else { return }
    log[frame] = outcome
    mail.append((frame, outcome, now + Int.random(in: 0...20, using: &random)))
  }

  /// What is said at a refresh: late, in any order, now and then much at once.
  mutating func feedback(_ now: Int, isLast: Bool = false) -> [(frame: Int, outcome: Outcome)] {
    if held > 0, !isLast {
      held -= 1
      return []
    }
    if Int.random(in: 0..<20, using: &random) == 0 {
      held = Int.random(in: 1...30, using: &random)
    }
    let said = mail.filter { isLast || $0.due <= now }
    mail.removeAll { isLast || $0.due <= now }
    return said.shuffled(using: &random).map { ($0.frame, $0.outcome) }
  }
}
