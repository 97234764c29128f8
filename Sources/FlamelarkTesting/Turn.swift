internal import Synchronization

/// Whose turn it is to measure in this process: one measurement's at a time.
///
/// A second one is refused and doesn't wait. It may have been asked for by the first, which would then
/// wait for itself; and one that waits on a thread of the concurrency run-time could keep the first
/// from going on.
enum Turn {
  private static let current = Mutex<Place?>(nil)

  static func take(at place: Place) throws(HitchMeasurementError) {
    let other = current.withLock { current in
      defer { current = current ?? place }
      return current
    }
    if let other { throw HitchMeasurementError(.measuresAlready(at: other.text)) }
  }

  static func giveBack() { current.withLock { $0 = nil } }
}
