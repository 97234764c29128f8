/// A place in the tree of all lateness of a series: what `flame --of blame` draws.
///
/// Nodes stand in the order of a walk through the tree, parents before children. The width of a node
/// is ``total``; its children and ``own`` add up to it.
public struct BlameNode: Sendable, Equatable {
  /// How far from the root, which is 0.
  public let depth: Int
  /// What to call it: a span's name, a thread, a kind.
  public let name: String
  /// What the time was.
  public let kind: Cause.Kind
  /// Lateness that it bears itself, in nanoseconds.
  public let own: Int64
  /// With all below it.
  public let total: Int64
}
