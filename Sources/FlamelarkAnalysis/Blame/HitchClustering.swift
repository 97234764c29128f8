/// Puts hitches together that are late for the same reason.
///
/// A hitch of which one cause bears half has its signature from it. The others are mixed: each goes to
/// the first mixed cluster whose leader has nearly the same shares (cosine of at least 0.8), or leads a
/// new one. Clusters so don't depend on anything but the hitches and their order.
struct HitchClustering {
  /// A hitch with its kind and its causes, largest first.
  typealias Member = (frame: Int, lateness: Int64, kind: Hitch.Kind, causes: [Cause])

  private static let leadingShare = 0.5
  private static let leastCosine = 0.8
  /// More mixed clusters help nobody: what is left is one.
  private static let mostLeaders = 32

  private(set) var clusters: [HitchCluster] = []
  /// The cluster of each hitch, in the order in which they were given.
  private(set) var clusterOf: [Int] = []

  /// O(hitches · causes).
  init(_ members: [Member]) {
    struct Group {
      var signature: String
      var members: [Int] = []
    }
    var groups: [Group] = []
    var groupOf: [String: Int] = [:]
    var leaders: [(shares: [String: Double], group: Int)] = []
    for (index, member) in members.enumerated() {
      let (signature, shares) = Self.signature(of: member)
      var group = shares == nil ? groupOf[signature] : nil
      if let shares {
        let near = leaders.first { Self.cosine($0.shares, shares) >= Self.leastCosine }
        group = near?.group ?? (leaders.count >= Self.mostLeaders ? groupOf["mixed"] : nil)
      }
      let place = group ?? groups.count
      if place == groups.count {
        let isLeader = shares != nil && leaders.count < Self.mostLeaders
        groups.append(Group(signature: shares == nil || isLeader ? signature : "mixed"))
        if let shares, isLeader {
          leaders.append((shares, place))
        } else {
          groupOf[groups[place].signature] = place
        }
      }
      groups[place].members.append(index)
    }
    let found = groups.map { group in
      HitchCluster(
        signature: group.signature, frames: group.members.map { members[$0].frame }.sorted(),
        lateness: group.members.reduce(0) { $0 + members[$1].lateness })
    }
    let order = found.indices.sorted { (found[$1].lateness, $0) < (found[$0].lateness, $1) }
    clusters = order.map { found[$0] }
    clusterOf = Array(repeating: 0, count: members.count)
    for (place, group) in order.enumerated() {
      for member in groups[group].members { clusterOf[member] = place }
    }
  }

  /// What a hitch is called, and its shares by name if no cause has half of it.
  private static func signature(of member: Member) -> (String, shares: [String: Double]?) {
    if let first = member.causes.first, first.share >= leadingShare {
      return ("\(member.kind.rawValue): \(CauseSignature(first).text)", nil)
    }
    var shares: [String: Double] = [:]
    for cause in member.causes { shares[CauseSignature(cause).text, default: 0] += cause.share }
    let greatest = member.causes.prefix(2).map { CauseSignature($0).text }.joined(separator: " + ")
    return ("mixed: \(greatest)", shares)
  }

  private static func cosine(_ a: [String: Double], _ b: [String: Double]) -> Double {
    func length(_ shares: [String: Double]) -> Double {
      shares.values.sorted().reduce(0) { $0 + $1 * $1 }.squareRoot()
    }
    let product = a.keys.sorted().reduce(0.0) { $0 + (a[$1] ?? 0) * (b[$1] ?? 0) }
    let lengths = length(a) * length(b)
    return lengths > 0 ? product / lengths : 0
  }
}
