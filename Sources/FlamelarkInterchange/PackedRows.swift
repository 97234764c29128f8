/// Puts intervals on as few rows as keep them apart, each on the first that is free.
struct PackedRows {
  /// The row of each interval.
  private(set) var rows: [Int]
  private(set) var count = 0

  /// Arranges intervals: those that touch share a row. O(n log n).
  init(_ intervals: [(start: Int64, end: Int64)]) {
    rows = Array(repeating: 0, count: intervals.count)
    let order = intervals.indices.sorted {
      (intervals[$0].start, intervals[$0].end, $0) < (intervals[$1].start, intervals[$1].end, $1)
    }
    var free = RowHeap()
    // The rows in use, the one that is free again first at the root.
    var busy = RowHeap()
    for interval in order {
      while let next = busy.least, next.key <= intervals[interval].start {
        busy.removeLeast()
        free.insert(.init(key: Int64(next.row), row: next.row))
      }
      let row: Int
      if let least = free.least {
        row = least.row
        free.removeLeast()
      } else {
        row = count
        count += 1
      }
      rows[interval] = row
      busy.insert(.init(key: intervals[interval].end, row: row))
    }
  }
}

/// Rows by a number, the least first.
private struct RowHeap {
  struct Element {
    var key: Int64
    var row: Int
  }

  private var elements: [Element] = []

  var least: Element? { elements.first }

  mutating func insert(_ element: Element) {
    var place = elements.count
    elements.append(element)
    while place > 0, elements[(place - 1) / 2].key > element.key {
      elements[place] = elements[(place - 1) / 2]
      place = (place - 1) / 2
    }
    elements[place] = element
  }

  mutating func removeLeast() {
    let last = elements.removeLast()
    guard !elements.isEmpty else { return }
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < elements.count else { break }
      if child + 1 < elements.count, elements[child + 1].key < elements[child].key { child += 1 }
      if elements[child].key >= last.key { break }
      elements[place] = elements[child]
      place = child
    }
    elements[place] = last
  }
}
