/// An event that becomes a span or a marker. 40 bytes, no objects.
struct ScannedEvent {
  /// When it happened, in nanoseconds as the file counts.
  var start: Int64
  /// When it ended; ``unfinished`` if the file doesn't say. Only of X.
  var end: Int64
  /// The byte where it stands.
  var offset: Int
  /// Its name in the ``RawNameTable``, `none` if it has none.
  var name: UInt32
  /// Its thread in the ``ThreadTable``.
  var thread: UInt32
  var phase: Phase
  var flags: Flags

  static let unfinished = Int64.max

  enum Phase: UInt8 { case begin, end, complete, instant }

  struct Flags: OptionSet {
    let rawValue: UInt8
    /// Its duration is a whole number of microseconds: cut or rounded by its writer.
    static let roughDuration = Flags(rawValue: 1)
    /// Its times are written finer than nanoseconds: rounding moved them.
    static let fineTimes = Flags(rawValue: 2)
    /// An instant that concerns everything.
    static let isGlobal = Flags(rawValue: 4)
    /// It is of no thread's stack: ``ScannedEvent/thread`` is that of an ``AsyncKey``.
    static let isAsync = Flags(rawValue: 8)
  }

  /// By how much an end may be wrong because of how it was written.
  var tolerance: Int64 {
    flags.contains(.roughDuration) ? 1000 : flags.contains(.fineTimes) ? 1 : 0
  }
}

/// One value of a counter.
struct ScannedSample {
  var time: Int64
  var value: Double
  var counter: Int
}

/// What tells one counter from another.
struct CounterKey: Hashable {
  var process: Identity
  var name: UInt32
  var id: UInt32
  var argument: UInt32
}
