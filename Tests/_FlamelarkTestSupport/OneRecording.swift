import Synchronization

/// A recording takes in the spans of the whole process. So that tests side by side don't record each
/// other, whoever records, or runs code with spans in it, does it in here.
public enum OneRecording {
  private static let lock = Mutex(())

  /// Runs `body` while nobody else does. Not to be nested.
  public static func alone<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try lock.withLock { _ throws(Failure) in try body() }
  }
}
