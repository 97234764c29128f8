internal import FlamelarkAnalysis
public import FlamelarkTrace

extension FlameTree {
  /// The time of spans, merged by path for all threads that are for the same.
  ///
  /// Spans count with the part of them that lies in `range`, spans around `await` from their begin to
  /// their end. `tracks` are the rows asked for, nil: all. nil: no span lies in it. O(spans).
  public init?(timeOf trace: Trace, range: Range<Int64>? = nil, tracks: Set<Int>? = nil) {
    var merger = PathMerger(range: range ?? Int64.min..<Int64.max)
    // Of spans over the greatest depth neither names nor times are known.
    var sums: [Int: [Trace.FoldedSpans]] = [:]
    for sum in trace.folded where sum.reason == .belowMinimum {
      sums[sum.track, default: []].append(sum)
    }
    for index in trace.tracks.indices where tracks?.contains(index) ?? true {
      merger.add(track: index, with: sums[index] ?? [], of: trace)
    }
    let nodes = merger.nodes(names: trace.names)
    guard let root = nodes.first, root.total > 0 else { return nil }
    var selection = FrameSelection()
    selection.range = range
    let threads = tracks.map { [Self.threads($0, of: trace)] } ?? []
    self.init(
      title: "Time of spans", phrases: threads + selection.phrases(in: trace), unit: "time",
      nodes: nodes)
  }

  /// The names of rows, each once: `on "main"`.
  private static func threads(_ tracks: Set<Int>, of trace: Trace) -> String {
    var names: [String] = []
    for index in tracks.sorted() where !names.contains(trace.tracks[index].name) {
      names.append(trace.tracks[index].name)
    }
    let shown = names.prefix(2).map { "\"\(shortened(PrintableText($0).text, to: 24))\"" }
    let rest = names.count > 2 ? " and \(Figure.count(names.count - 2)) more" : ""
    return "on \(shown.joined(separator: ", "))\(rest)"
  }
}

/// Adds up spans by path.
private struct PathMerger {
  private struct Key: Hashable {
    var parent: Int
    var name: NameID
    var isFolded: Bool
  }

  private struct Entry {
    var key: Key
    var total: Int64 = 0
    /// What its children have.
    var inside: Int64 = 0
  }

  private let range: Range<Int64>
  private var roles: [String] = []
  private var roleIndex: [String: Int] = [:]
  /// Entry `n` stands behind its parent. Parents below 0 are roles: −1 is the first.
  private var entries: [Entry] = []
  private var known: [Key: Int] = [:]

  init(range: Range<Int64>) { self.range = range }

  mutating func add(
    track index: Int, with sums: [Trace.FoldedSpans], of trace: Trace
  ) {
    let track = trace.tracks[index]
    let role = roleNumber(of: track)
    let first = track.spans.lowerBound
    var entryOf = [Int](repeating: 0, count: track.spans.count)
    // What a span has itself, so that what was left out in it takes no more.
    var rest: [Int64] = Array(repeating: 0, count: track.spans.count)
    for span in track.spans {
      let parent = trace.spans.parent[span]
      let isTop = parent == Trace.Spans.none
      let above = isTop ? -1 - role : entryOf[Int(parent) - first]
      let name = trace.callSites[Int(trace.spans.site[span].index)].name
      let entry = entry(Key(parent: above, name: name, isFolded: false))
      let time = clipped(trace.spans.start[span], trace.spans.end[span])
      entryOf[span - first] = entry
      rest[span - first] = time
      entries[entry].total &+= time
      if !isTop {
        entries[above].inside &+= time
        rest[Int(parent) - first] &-= time
      }
    }
    for sum in sums {
      let isTop = sum.parent == Trace.Spans.none
      guard sum.range.upperBound > range.lowerBound, sum.range.lowerBound < range.upperBound else {
        continue
      }
      let name = trace.callSites[Int(sum.site.index)].name
      let above = isTop ? -1 - role : entryOf[Int(sum.parent) - first]
      var time = max(0, sum.selfTime)
      if !isTop {
        time = min(time, max(0, rest[Int(sum.parent) - first]))
        rest[Int(sum.parent) - first] -= time
        entries[above].inside &+= time
      }
      guard time > 0 else { continue }
      entries[entry(Key(parent: above, name: name, isFolded: true))].total &+= time
    }
  }

  private func clipped(_ start: Int64, _ end: Int64) -> Int64 {
    let (from, to) = (max(start, range.lowerBound), min(end, range.upperBound))
    return from < to ? to &- from : 0
  }

  private mutating func roleNumber(of track: Trace.Track) -> Int {
    let role = track.sharedName
    if let known = roleIndex[role] { return known }
    roles.append(role)
    roleIndex[role] = roles.count - 1
    return roles.count - 1
  }

  private mutating func entry(_ key: Key) -> Int {
    if let index = known[key] { return index }
    entries.append(Entry(key: key))
    known[key] = entries.count - 1
    return entries.count - 1
  }

  /// A walk through the tree: of siblings the one with most time first.
  func nodes(names: NameTable) -> [FlameTree.Node] {
    var children: [Int: [Int]] = [:]
    for (index, entry) in entries.enumerated() where entry.total > 0 {
      children[entry.key.parent, default: []].append(index)
    }
    let totals = roles.indices.map { role in
      (children[-1 - role] ?? []).reduce(Int64(0)) { $0 &+ entries[$1].total }
    }
    var nodes = [
      FlameTree.Node(
        depth: 0, name: "all threads", kind: nil, own: 0, total: totals.reduce(0, &+))
    ]
    let order = roles.indices.filter { totals[$0] > 0 }.sorted {
      (totals[$1], roles[$0]) < (totals[$0], roles[$1])
    }
    for role in order {
      nodes.append(
        FlameTree.Node(depth: 1, name: roles[role], kind: nil, own: 0, total: totals[role]))
      var open = sorted(children[-1 - role] ?? [], names).map { (index: $0, depth: 2) }
      while let (index, depth) = open.popLast() {
        let entry = entries[index]
        nodes.append(
          FlameTree.Node(
            depth: depth, name: names[entry.key.name], kind: entry.key.isFolded ? .folded : .span,
            own: entry.total &- entry.inside, total: entry.total))
        open += sorted(children[index] ?? [], names).map { ($0, depth + 1) }
      }
    }
    return nodes
  }

  /// The last comes first off a stack.
  private func sorted(_ children: [Int], _ names: NameTable) -> [Int] {
    guard children.count > 1 else { return children }
    return children.sorted {
      let (a, b) = (entries[$0], entries[$1])
      if a.total != b.total { return a.total < b.total }
      let (left, right) = (names[a.key.name], names[b.key.name])
      return left == right ? a.key.isFolded && !b.key.isFolded : left > right
    }
  }
}
