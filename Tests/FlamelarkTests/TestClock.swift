import CFlamelark
import Synchronization

/// A clock that a test moves on.
enum TestClock {
  private static let now = Atomic<UInt64>(1_000_000)

  static func install() {
    now.store(1_000_000, ordering: .relaxed)
    fl_use_clock_of_tests { TestClock.now.load(ordering: .relaxed) }
  }

  static func remove() { fl_use_clock_of_tests(nil) }

  static func advance(_ nanoseconds: Int64) {
    now.wrappingAdd(UInt64(nanoseconds), ordering: .relaxed)
  }
}
