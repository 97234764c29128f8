/// What lies between two frames.
struct Interlude {
  enum Kind {
    /// The program says that it needs no frame.
    case noFrameNeeded
    /// The series pauses, as when the system was suspended: nothing before it makes the next frame
    /// late.
    case pause
  }

  var kind: Kind
  /// Nanoseconds.
  var duration: Int64
}

extension Plan {
  /// Puts in what happens in programs beside frames that are late.
  mutating func disturb() {}
}
