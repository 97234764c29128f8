internal import FlamelarkAnalysis
internal import FlamelarkTrace

/// Hitches that are alike, with a name for what they have in common as causes are named elsewhere.
struct LikeHitches {
  let cluster: HitchCluster
  private let members: [Hitch]

  /// Those of `hitches` that are in a cluster. O(hitches).
  init(_ cluster: HitchCluster, of hitches: [Hitch]) {
    self.cluster = cluster
    let frames = Set(cluster.frames)
    members = hitches.filter { frames.contains($0.frame.number) }
  }

  /// Whether anything unites them. What is left over of many sorts is no sort.
  var hasName: Bool { cluster.signature != "mixed" }

  /// What they have in common, in at most `limit` columns: what kind of hitch it is and its first cause,
  /// or the two that the first of them has most of. `loop` is what the loop's own thread is for.
  func text(columns limit: Int, loop: String) -> String {
    guard hasName, let first = members.first, let cause = first.causes.first else {
      return shortened(PrintableText(cluster.signature).text, to: limit)
    }
    if cluster.signature.hasPrefix("mixed: ") {
      let causes = first.causes.prefix(2).map { (path: SpanPath(of: $0, loop: loop), after: "") }
      return SpanPath.text(of: causes, between: " + ", before: "mixed: ", columns: limit)
    }
    let paths = members.compactMap(\.causes.first?.path)
    let common = cause.path.indices.map { index in
      Self.common(paths.compactMap { $0.indices.contains(index) ? $0[index] : nil })
    }
    let path = SpanPath(common, of: cause.kind, on: cause.thread, loop: loop)
    return SpanPath.text(
      of: [(path, "")], between: "", before: "\(first.kind.rawValue): ", columns: limit)
  }

  /// The name, or how all of them begin: `tile …` of "tile 12" and "tile 34".
  private static func common(_ names: [String]) -> String {
    guard let first = names.first else { return "" }
    var end = first.unicodeScalars.endIndex
    for name in names where name != first {
      let same = zip(first.unicodeScalars, name.unicodeScalars).prefix { $0 == $1 }.count
      end = min(end, first.unicodeScalars.index(first.unicodeScalars.startIndex, offsetBy: same))
    }
    return end == first.unicodeScalars.endIndex && names.allSatisfy { $0 == first }
      ? first : String(first[..<end]) + "…"
  }
}
