/// What a hitch is divided into: parts of its own frame, of earlier frames that it waited for, and what
/// is left with none of them.
struct HitchParts {
  /// What some frame bears of it.
  struct Group {
    /// The index of the frame.
    var frame: Int
    /// Its parts in ``BlameLedger/parts``.
    var parts: Range<Int>
    var blame: Int64
  }

  /// Its own frame first, then earlier ones.
  var groups: [Group] = []
  /// What no frame has an excess for, though earlier ones still ran.
  var backlog: Int64 = 0
  /// The excess of its own frame over normal, at least 0, in nanoseconds.
  var excess = 0.0
}
