internal import FlamelarkTrace

/// Where the time of a waiting row goes on.
struct Hop: Sendable {
  /// Who was waited for.
  enum Target: Sendable, Equatable {
    /// A row of the trace.
    case row(Int)
    /// A task, on whatever threads it ran: an index into ``TaskRuns``.
    case task(Int)
  }

  var target: Target
  var link: CriticalLink
  /// Until when: from then on the row was ready to go on.
  var end: Int64
}

/// A row that had nothing to do before a span that somebody else asked for.
struct IdleHop: Sendable {
  /// The span, which no other is around.
  var span: Int
  /// When it began.
  var start: Int64
  /// Where it was asked for, and when.
  var hop: Hop
}
