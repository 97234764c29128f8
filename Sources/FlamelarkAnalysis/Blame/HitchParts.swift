/// What a hitch is divided into: parts of its own frame, of earlier frames that it waited for, and what
/// is left with none of them.
struct HitchParts {
  /// What a phase of some frame bears of it.
  struct Group {
    var phase: FramePhase
    /// Its parts in ``BlameLedger/parts``.
    var parts: Range<Int>
    var blame: Int64
  }

  /// In the order of frames and phases.
  var groups: [Group] = []
  /// What no frame has an excess for, though earlier ones still ran.
  var backlog: Int64 = 0
  /// What nothing has an excess for.
  var other: Int64 = 0
}
