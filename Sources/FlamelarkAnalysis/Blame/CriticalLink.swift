/// By what one thread came to wait for another.
public enum CriticalLink: String, Sendable, CaseIterable {
  /// A lock that the other had.
  case lock
  /// A condition that it signalled.
  case condition
  /// A semaphore that it signalled.
  case semaphore
  /// Work on a queue that it did.
  case queue
  /// `await`.
  case await
  /// Another wait whose end it told.
  case wait
  /// A link from where it asked for work to where that ran.
  case flow
  /// It did the stage of the frame before this one.
  case stage
}
