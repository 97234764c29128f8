/// Puts spans that are on no thread's stack on as few rows as show them apart, or inside each other.
///
/// On a row of its own a span needs no more than that it does not overlap others; where spans nest,
/// one that lies in another is put inside. O(n log n).
struct LooseRows {
  struct Span {
    var start: Int64
    var end: Int64
    var site: UInt32
  }

  struct Row {
    /// Which of the spans, in the order of their beginnings.
    var spans: [Int] = []
    /// The place of the span around each on this row, nil: none.
    var parents: [Int?] = []
    /// The places of those that are open around what comes next.
    fileprivate var open: [Int] = []
  }

  private(set) var rows: [Row] = []
  private let spans: [Span]
  private let nests: Bool
  /// Rows on which nothing is open.
  private var free: [Int] = []
  /// Where a span is looked for that another may be inside of: rows in use, the last one first.
  private var recent: [Int] = []
  private static let mostRecent = 16

  /// Arranges spans. Where times don't tell which of two is around the other, the one that comes
  /// later in `spans` is: it ended later.
  init(_ spans: [Span], nests: Bool) {
    self.spans = spans
    self.nests = nests
    let order = spans.indices.sorted {
      (spans[$0].start, spans[$1].end, $1) < (spans[$1].start, spans[$0].end, $0)
    }
    // A row is free again when its outermost span ends: both orders of time are gone through once.
    let byEnd = spans.indices.sorted { spans[$0].end < spans[$1].end }
    var rowOfOutermost: [Int: Int] = [:]
    var ended = 0
    for span in order {
      while ended < byEnd.count, spans[byEnd[ended]].end <= spans[span].start {
        // One that has no duration may end before it is put anywhere.
        if byEnd[ended] == span { break }
        if let row = rowOfOutermost.removeValue(forKey: byEnd[ended]) { free.append(row) }
        ended += 1
      }
      if nests, putInside(span) { continue }
      rowOfOutermost[span] = putOutermost(span)
    }
  }

  private mutating func putInside(_ span: Int) -> Bool {
    for (index, row) in recent.enumerated() {
      while let last = rows[row].open.last, spans[rows[row].spans[last]].end <= spans[span].start,
        spans[rows[row].spans[last]].end < spans[span].end
          || spans[rows[row].spans[last]].start < spans[span].start
      {
        rows[row].open.removeLast()
      }
      guard let around = rows[row].open.last,
        spans[rows[row].spans[around]].end >= spans[span].end
      else { continue }
      put(span, inside: around, on: row)
      recent.remove(at: index)
      recent.insert(row, at: 0)
      return true
    }
    return false
  }

  private mutating func putOutermost(_ span: Int) -> Int {
    let row = free.popLast() ?? rows.count
    if row == rows.count { rows.append(Row()) }
    rows[row].open.removeAll(keepingCapacity: true)
    put(span, inside: nil, on: row)
    if nests {
      recent.removeAll { $0 == row }
      recent.insert(row, at: 0)
      if recent.count > Self.mostRecent { recent.removeLast() }
    }
    return row
  }

  private mutating func put(_ span: Int, inside parent: Int?, on row: Int) {
    if nests { rows[row].open.append(rows[row].spans.count) }
    rows[row].spans.append(span)
    rows[row].parents.append(parent)
  }
}
