import FlamelarkTrace

/// What a filter left out, in one recorded span: what two ways of learning it are compared by.
struct FoldLedger: Equatable, Comparable {
  var parent: String
  var name: String
  var count = 0
  var total: Int64 = 0
  var selfTime: Int64 = 0
  var longest: Int64 = 0

  var line: String { "\(name) in \(parent) × \(count)" }

  static func < (a: Self, b: Self) -> Bool { (a.line, a.total) < (b.line, b.total) }
}

extension Trace {
  /// The sums of the trace by name and the name of the span around, in the order of their lines.
  func sums() -> [FoldLedger] {
    ledgers { $0 == Spans.none ? "-" : name(ofSpan: Int($0)) }
  }

  /// Every recorded span with its times, and what was left out in it.
  func ledger() -> [String] {
    let kept = (0..<spans.count).map(identity)
    return kept + ledgers { $0 == Spans.none ? "-" : identity(of: Int($0)) }.map { "\($0)" }
  }

  private func identity(of span: Int) -> String {
    "\(name(ofSpan: span)) \(spans.start[span])…\(spans.end[span])"
  }

  private func ledgers(_ parentName: (UInt32) -> String) -> [FoldLedger] {
    var sums: [String: FoldLedger] = [:]
    for fold in folded {
      let name =
        fold.reason == .overDepth ? "(deeper)" : names[callSites[Int(fold.site.index)].name]
      let parent = parentName(fold.parent)
      var sum = sums["\(parent)|\(name)"] ?? FoldLedger(parent: parent, name: name)
      sum.count += fold.count
      sum.total += fold.total
      sum.selfTime += fold.selfTime
      sum.longest = max(sum.longest, fold.longest)
      sums["\(parent)|\(name)"] = sum
    }
    return sums.values.sorted()
  }

  /// What ``ledger()`` of a filtered recording of the same calls has to be.
  func ledger(leavingOutBelow minimum: Int64, over limit: Int) -> [String] {
    var kept: [String] = []
    var sums: [String: FoldLedger] = [:]
    func duration(_ span: Int) -> Int64 { spans.end[span] - spans.start[span] }
    func isShort(_ span: Int) -> Bool { duration(span) < minimum }
    for span in 0..<spans.count {
      let depth = depth(ofSpan: span)
      if depth < limit, !isShort(span) {
        kept.append(identity(of: span))
        continue
      }
      // The nearest span around it that is recorded.
      var parent = spans.parent[span]
      while parent != Spans.none,
        self.depth(ofSpan: Int(parent)) >= limit || isShort(Int(parent))
      {
        parent = spans.parent[Int(parent)]
      }
      let parentName = parent == Spans.none ? "-" : identity(of: Int(parent))
      let name = depth >= limit ? "(deeper)" : self.name(ofSpan: span)
      var sum = sums["\(parentName)|\(name)"] ?? FoldLedger(parent: parentName, name: name)
      sum.count += 1
      if depth < limit {
        let inside = (0..<spans.count).filter { spans.parent[$0] == UInt32(span) }
          .reduce(Int64(0)) { $0 + (depth + 1 < limit ? duration($1) : 0) }
        sum.total += duration(span)
        sum.selfTime += duration(span) - inside
        sum.longest = max(sum.longest, duration(span))
      }
      sums["\(parentName)|\(name)"] = sum
    }
    return kept + sums.values.sorted().map { "\($0)" }
  }
}
