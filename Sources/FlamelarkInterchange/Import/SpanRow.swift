internal import FlamelarkTrace

/// The spans of a row that is being made: parents before children, parents by their position in
/// the row.
struct SpanRow {
  var start: [Int64] = []
  var end: [Int64] = []
  var name: [UInt32] = []
  var parent: [UInt32] = []
  var unfinished: [Int] = []
  /// The spans that are open at the moment, innermost last.
  var open: [UInt32] = []

  var count: Int { start.count }
  /// The innermost open span.
  var top: Int? { open.last.map(Int.init) }

  /// Begins a span within the innermost open one. `end` is what is known of its end.
  mutating func push(start: Int64, end: Int64, name: UInt32) {
    let index = UInt32(self.start.count)
    self.start.append(start)
    self.end.append(end)
    self.name.append(name)
    parent.append(open.last ?? Trace.Spans.none)
    open.append(index)
  }

  /// Closes the spans that ended up to this moment.
  mutating func close(upTo time: Int64) {
    while let top, end[top] <= time { open.removeLast() }
  }

  mutating func removeAll() {
    start.removeAll(keepingCapacity: true)
    end.removeAll(keepingCapacity: true)
    name.removeAll(keepingCapacity: true)
    parent.removeAll(keepingCapacity: true)
    unfinished.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
  }
}
