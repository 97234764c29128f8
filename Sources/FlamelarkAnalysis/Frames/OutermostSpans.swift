internal import FlamelarkTrace

/// The spans of a row that are not within another of their name.
///
/// One value goes through any number of rows: what it counts by name is set up once. O(names), then
/// O(spans) a row.
struct OutermostSpans {
  private let trace: Trace
  /// How many spans of each name are open; 0 between two rows.
  private var open: [Int32]
  /// How many outermost spans a row has of each name; 0 between two rows.
  private var counts: [Int32]
  /// The names that are often enough on a row to be frames; none between two rows.
  private var repeats: [Bool]

  init(of trace: Trace) {
    self.trace = trace
    open = Array(repeating: 0, count: trace.names.count)
    counts = open
    repeats = Array(repeating: false, count: trace.names.count)
  }

  /// Calls `body` with each outermost span of a row. It is at the top if none around it has a name
  /// that occurs `often` on the row.
  mutating func forEach(
    on track: Int, often: Int32, _ body: (_ span: Int, _ name: NameID, _ isTop: Bool) -> Void
  ) {
    var seen: [NameID] = []
    var counts = self.counts
    self.counts = []
    walk(track) { _, name, _ in
      if counts[Int(name.index)] == 0 { seen.append(name) }
      counts[Int(name.index)] &+= 1
    }
    for name in seen {
      repeats[Int(name.index)] = counts[Int(name.index)] >= often
      counts[Int(name.index)] = 0
    }
    self.counts = counts
    walk(track, body)
    for name in seen { repeats[Int(name.index)] = false }
  }

  /// Calls `body` with each outermost span of a row.
  mutating func forEach(on track: Int, _ body: (_ span: Int, _ name: NameID) -> Void) {
    walk(track) { span, name, _ in body(span, name) }
  }

  @inline(__always)
  private mutating func walk(
    _ track: Int, _ body: (_ span: Int, _ name: NameID, _ isTop: Bool) -> Void
  ) {
    var stack: [(span: UInt32, name: NameID)] = []
    var repeatingAround = 0
    for span in trace.tracks[track].spans {
      let parent = trace.spans.parent[span]
      while let last = stack.last, last.span != parent {
        stack.removeLast()
        open[Int(last.name.index)] &-= 1
        if repeats[Int(last.name.index)] { repeatingAround -= 1 }
      }
      let name = trace.callSites[Int(trace.spans.site[span].index)].name
      if open[Int(name.index)] == 0 { body(span, name, repeatingAround == 0) }
      open[Int(name.index)] &+= 1
      stack.append((UInt32(truncatingIfNeeded: span), name))
      if repeats[Int(name.index)] { repeatingAround += 1 }
    }
    for last in stack { open[Int(last.name.index)] &-= 1 }
  }
}
