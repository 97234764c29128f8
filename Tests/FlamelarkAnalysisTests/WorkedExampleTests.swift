import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// The hitch that `Documentation/Blame.md` works by hand, and the figures that stand there.
@Suite struct WorkedExampleTests {
  private let trace: Trace
  private let blame: Blame
  /// The part of the document that works the hitch.
  private let text: String
  private static let late = 20

  init() throws {
    trace = try Self.example()
    blame = Blame(of: trace, series: trace.frameSeries[0])
    let document = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Documentation/Blame.md"), encoding: .utf8)
    let heading = try #require(document.range(of: "## One hitch worked by hand"))
    text = String(document[heading.upperBound...].replacing("\n", with: " "))
    rows = document[heading.upperBound...].split(separator: "\n").filter { $0.hasPrefix("|") }
      .map { line in
        line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map {
          $0.trimmingCharacters(in: .whitespaces)
        }
      }
  }

  /// The cells of the tables' lines.
  private let rows: [[String]]

  private static func example() throws -> Trace {
    var builder = TraceBuilder()
    var waits: [Range<Int64>] = []
    var marks: [Int64] = [0]
    builder.track("main")
    for frame in 0..<42 {
      let isLate = frame == late
      builder.span("layout", lasting: .ms(isLate || frame % 2 == 1 ? 5 : 3))
      builder.span("load") { load in
        load.pass(.ms(1))
        if isLate || frame % 2 == 1 {
          let start = load.now
          load.span("lock store", lasting: .ms(isLate ? 9 : 2))
          load.wait(.lock, endedBy: 1, at: isLate ? start + .ms(8) : load.now)
          waits.append(start..<(isLate ? start + .ms(8) : load.now))
        }
        load.pass(.ms(1))
      }
      builder.span("draw", lasting: .ms(isLate ? 7 : 4))
      builder.pass(.ms(1))
      marks.append(builder.now)
    }
    builder.track("database")
    for wait in waits {
      let isLate = wait.duration == .ms(8)
      builder.span("save", from: wait.lowerBound - (isLate ? .ms(1) : 0), to: wait.upperBound) {
        $0.span("write", from: wait.lowerBound, to: wait.upperBound - (isLate ? .ms(1) : 0))
      }
    }
    builder.marks("game", at: marks, refresh: .ms(18))
    return try builder.build()
  }

  /// Milliseconds as the document writes them.
  private func text(_ nanoseconds: Double) -> String {
    let milliseconds = (nanoseconds / 1_000_000 * 1000).rounded() / 1000
    return milliseconds == milliseconds.rounded()
      ? "\(Int(milliseconds))" : "\(milliseconds)"
  }

  /// The lines of the table whose head begins so.
  private func table(_ head: String...) throws -> [[String]] {
    let first = try #require(rows.firstIndex { $0.starts(with: head) }, "\(head)")
    return Array(rows[(first + 2)...].prefix { $0.count == rows[first].count })
  }

  @Test func theStepsAreThoseOfTheText() throws {
    let hitch = try #require(blame.hitches.first)
    let start = hitch.window.lowerBound
    let found = blame.steps(of: hitch, in: trace).map { step in
      [
        "\(text(Double(step.range.lowerBound - start)))–"
          + "\(text(Double(step.range.upperBound - start)))",
        trace.tracks[step.track].name, step.kind == .span ? "running" : "\(step.kind)",
        step.path.joined(separator: " > "),
        step.kind == .preempted ? "" : step.link?.rawValue ?? "",
      ]
    }
    #expect(try table("ms", "row") == found)
  }

  @Test func normalExcessAndDivisionAreThoseOfTheText() throws {
    let judged = JudgedFrames(of: trace.frameSeries[0], in: trace)
    let partition = FramePartition(of: judged, in: trace)
    let strata = FrameStrata(of: judged)
    try #require(strata.groups.count == 1)
    #expect(strata.groups[0].source == .own)
    #expect(strata.good == Array(0..<42).filter { !(19...22).contains($0) })
    #expect(strata.good.count == 38)
    let tree = partition.tree
    var row = InclusiveRow(nodeCount: tree.count)
    var baselines = PhaseBaselines(nodeCount: tree.count, positionCount: 1)
    for frame in strata.good {
      row.load(partition.row(of: frame), of: tree)
      baselines.add(row, at: 0)
    }
    let scale = baselines.scale(forBudget: judged.frames[Self.late].budget)
    #expect(scale == 1)
    func time(_ node: PathTree.Node, in frame: Int) -> Double {
      row.load(partition.row(of: frame), of: tree)
      return Double(row.time(of: node))
    }
    var borne: [PathTree.Node: Int64] = [:]
    var split = LatenessSplit(partition, of: judged)
    let left = split.divide(Self.late, baselines: baselines) { _, row, parts in
      for node in row.nodes { borne[node] = parts.blame(of: node) }
    }
    #expect(left.backlog == 0 && left.other == 0)
    var names: Set<String> = []
    for line in try table("place", "even") {
      let node = try #require(self.node(of: line[0], in: partition), "\(line[0])")
      names.insert(line[0])
      let baseline = baselines[0]
      let late = time(node, in: Self.late)
      #expect(
        line == [
          line[0], text(time(node, in: 0)), text(time(node, in: 1)), text(baseline.time(of: node)),
          text(baseline.deviation(of: node)), text(late), text(late - baseline.time(of: node)),
          text(Double(borne[node] ?? 0)),
        ])
    }
    // Nothing that bears anything is missing but what only passes it on.
    let whole = borne.filter { $0.value > 0 && tree.timeClass(of: $0.key) != .preempted }
    #expect(whole.count == 7)
    #expect(names.count == 11)
  }

  /// The node of a place as the document names it.
  private func node(of place: String, in partition: FramePartition) -> PathTree.Node? {
    var names = place.split(separator: ", ").map(String.init)
    if names == ["root"] { return PathTree.root }
    guard let timeClass = PathTree.TimeClass.allCases.first(where: { "\($0)" == names[0] }) else {
      return nil
    }
    names.removeFirst()
    if names.isEmpty { return PathTree.Node(index: timeClass.rawValue) }
    let path = names.dropFirst().first?.split(separator: ">").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    return (0..<UInt32(partition.tree.count)).map(PathTree.Node.init(index:)).first { node in
      partition.tree.timeClass(of: node) == timeClass
        && partition.tree.role(of: node).map { partition.walk.roleName(of: $0) ?? "main" }
          == names[0]
        && partition.tree.path(of: node).map { trace.names[$0] } == path ?? []
    }
  }

  @Test func theCausesAreThoseOfTheText() throws {
    let hitch = try #require(blame.hitches.first)
    #expect(blame.hitches.count == 1)
    #expect(hitch.frame.number == Self.late)
    #expect(hitch.lateness == .ms(6))
    let found = hitch.causes.map { cause in
      let path = cause.path.joined(separator: " > ")
      return [
        (cause.thread.map { $0 + ": " } ?? "")
          + (cause.kind == .span ? path : "(\(cause.kind))"),
        text(Double(cause.blame)) + " ms", percent(cause.share),
      ]
    }
    #expect(try table("cause", "blame").map { Array($0.prefix(3)) } == found)
    #expect(hitch.deviations == 6)
    #expect(try table("cause", "blame")[0][3] == "6.0 σ")
    #expect(text.contains("**explained, \(percent(hitch.explained))**"))
    #expect(hitch.kind == .appLate)
    #expect(text.contains("so the kind is *\(hitch.kind.rawValue)*"))
    #expect(text.contains("the cluster is `\(blame.clusters[0].signature)`"))
  }

  private func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }

  @Test func theRatiosAreThoseOfTheText() throws {
    func text(_ ratio: Double?) -> String { String(format: "**%.2f ms/s**", ratio ?? -1) }
    #expect(blame.frames.activeTime == .ms(518))
    #expect(self.text.contains("1000 · 6/518 = \(text(blame.frames.hitchRatio))"))
    let write = try #require(blame.causes.first)
    #expect(write.confidence == nil)
    #expect(self.text.contains("the frame is in time: \(text(write.ratioIfNormal))"))
    let draw = try #require(blame.causes.first { $0.path == ["draw"] })
    #expect(self.text.contains("1000 · 3/515 = \(text(draw.ratioIfNormal))"))
  }
}
