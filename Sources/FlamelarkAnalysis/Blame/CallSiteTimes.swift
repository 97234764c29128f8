internal import FlamelarkTrace

/// How long the spans of certain nodes took, by the place in the source that they began at.
struct CallSiteTimes {
  private struct Key: Hashable {
    var node: PathTree.Node
    var site: UInt32
  }

  private let wanted: Set<PathTree.Node>
  private var times: [Key: Int64] = [:]

  init(of nodes: Set<PathTree.Node>) { wanted = nodes }

  /// Takes in a span.
  mutating func add(time: Int64, at site: CallSiteID, node: PathTree.Node) {
    guard wanted.contains(node) else { return }
    times[Key(node: node, site: site.index), default: 0] += time
  }

  /// The place with most time of each node; of equal ones the first.
  func greatest() -> [PathTree.Node: CallSiteID] {
    var best: [PathTree.Node: (time: Int64, site: UInt32)] = [:]
    for (key, time) in times {
      if let known = best[key.node], (known.time, key.site) > (time, known.site) { continue }
      best[key.node] = (time, key.site)
    }
    return best.mapValues { CallSiteID($0.site) }
  }
}
