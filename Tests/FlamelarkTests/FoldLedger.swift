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
  ///
  /// - Parameters:
  ///   - minimum: By name, what is shorter is left out.
  ///   - limit: By name, what has so many spans around it that are not over theirs is left out.
  /// - Returns: A line for each span and sum.
  func ledger(leavingOutBelow minimum: (String) -> Int64, over limit: (String) -> Int) -> [String] {
    // Spans come before those inside them. Those over their limit are nobody's ancestors.
    var depths: [Int] = []
    var around: [Int?] = []
    var isOver: [Bool] = []
    for span in 0..<spans.count {
      let parent = spans.parent[span] == Spans.none ? nil : Int(spans.parent[span])
      let ancestor = parent.flatMap { isOver[$0] ? around[$0] : $0 }
      around.append(ancestor)
      depths.append(ancestor.map { depths[$0] + 1 } ?? 0)
      isOver.append(depths[span] >= limit(name(ofSpan: span)))
    }
    func duration(_ span: Int) -> Int64 { spans.end[span] - spans.start[span] }
    func isShort(_ span: Int) -> Bool { duration(span) < minimum(name(ofSpan: span)) }

    var kept: [String] = []
    var sums: [String: FoldLedger] = [:]
    for span in 0..<spans.count {
      if !isOver[span], !isShort(span) {
        kept.append(identity(of: span))
        continue
      }
      // The nearest span around it that is recorded.
      var parent = around[span]
      while let next = parent, isShort(next) { parent = around[next] }
      let parentName = parent.map(identity) ?? "-"
      let name = isOver[span] ? "(deeper)" : self.name(ofSpan: span)
      var sum = sums["\(parentName)|\(name)"] ?? FoldLedger(parent: parentName, name: name)
      sum.count += 1
      if !isOver[span] {
        let inside = (0..<spans.count).filter { around[$0] == span && !isOver[$0] }
          .reduce(Int64(0)) { $0 + duration($1) }
        sum.total += duration(span)
        sum.selfTime += duration(span) - inside
        sum.longest = max(sum.longest, duration(span))
      }
      sums["\(parentName)|\(name)"] = sum
    }
    return kept + sums.values.sorted().map { "\($0)" }
  }
}
