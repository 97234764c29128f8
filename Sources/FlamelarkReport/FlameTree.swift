public import FlamelarkAnalysis
public import FlamelarkTrace

/// What a flame graph draws: nodes in the order of a walk, parents before children.
///
/// The children of a node and what it has itself add up to it.
public struct FlameTree: Sendable {
  /// A box.
  public struct Node: Sendable, Equatable {
    /// How far from the root, which is 0.
    public var depth: Int
    /// What stands in it.
    public var name: String
    /// What the time was; nil: the root, a thread.
    public var kind: Cause.Kind?
    /// What it has itself, in nanoseconds.
    public var own: Int64
    /// With all below it.
    public var total: Int64
  }

  /// What the picture is of: a line for its head.
  public let title: String
  /// Which part of the trace it is of: the frames, threads and times that were asked for.
  public let phrases: [String]
  /// The word for what is drawn: "time", "late".
  public let unit: String
  /// The boxes.
  public let nodes: [Node]

  /// The lateness of the frames of a series that were asked for, as a blame divides it. nil: there is
  /// none. `selection` is what was asked for, for the title.
  public init?(of blame: Blame, in trace: Trace, selection: FrameSelection = FrameSelection()) {
    guard let root = blame.tree.first, root.total > 0 else { return nil }
    self.init(
      blame.tree, series: blame.frames.series.name, phrases: selection.phrases(in: trace))
    assert(root.total == blame.frames.hitchTime)
  }

  init(_ tree: [BlameNode], series: String, phrases: [String] = []) {
    title = "Lateness of \"\(PrintableText(series).text)\""
    self.phrases = phrases
    unit = "late"
    nodes = tree.enumerated().map { index, node in
      Node(
        depth: node.depth, name: index == 0 ? "all hitches" : node.name,
        kind: index == 0 ? nil : node.kind, own: node.own, total: node.total)
    }
  }

  init(title: String, phrases: [String] = [], unit: String, nodes: [Node]) {
    self.title = title
    self.phrases = phrases
    self.unit = unit
    self.nodes = nodes
  }
}
