import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

@Suite struct FramePartitionTests {
  /// The rows of a series with names in place of nodes, in the order of the tree.
  func rows(_ trace: Trace) -> [[String: Int64]] {
    let judged = JudgedFrames(of: trace.frameSeries[0], in: trace)
    let partition = FramePartition(of: judged, in: trace)
    return judged.frames.indices.map { frame in
      var row: [String: Int64] = [:]
      for entry in partition.row(of: frame) where entry.time > 0 {
        row[title(of: entry.node, in: partition.tree, names: trace.names)] = entry.time
      }
      return row
    }
  }

  func title(of node: PathTree.Node, in tree: PathTree, names: NameTable) -> String {
    var top = node
    while tree.isPath(top) { top = tree.parent(of: top) }
    let path = tree.path(of: node).map { names[$0] }.joined(separator: ">")
    guard tree.role(of: top) == .loop else { return "(another thread)" }
    switch tree.timeClass(of: top) {
    case .running: return tree.isFolded(node) ? path + " folded" : path
    case .uninstrumented: return "(uninstrumented)" + path
    default: return "(waiting)"
    }
  }

  @Test func eachInstantBelongsToTheDeepestSpan() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("a", from: 10, to: 100) { a in
      a.span("b", from: 20, to: 40)
      a.span("c", from: 40, to: 60) { $0.span("d", from: 45, to: 55) }
    }
    builder.marks("game", at: [0, 30, 50, 120], refresh: 30)
    #expect(
      rows(try builder.build()) == [
        ["(uninstrumented)": 10, "a": 10, "a>b": 10],
        ["a>b": 10, "a>c": 5, "a>c>d": 5],
        ["a>c": 5, "a>c>d": 5, "a": 40, "(uninstrumented)": 20],
        [:],
      ])
  }

  @Test func fromEndToBeginOutsideOfSpansIsWaiting() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("layout", from: 2, to: 5)
    builder.span("timer", from: 12, to: 15)
    builder.span("layout", from: 21, to: 30)
    builder.frames(
      "screen", mode: .displayLink,
      [
        .displayLink(at: 0, target: .ms(1), begin: 0, end: 8),
        .displayLink(at: 18, target: .ms(1), begin: 20, end: 33),
        .displayLink(at: 36, target: .ms(1)),
      ])
    #expect(
      rows(try builder.build()) == [
        ["(uninstrumented)": 5, "layout": 3, "timer": 3, "(waiting)": 7],
        ["(waiting)": 5, "(uninstrumented)": 4, "layout": 9],
        [:],
      ])
  }

  @Test func theOwnTimeOfAFrameSpanIsUninstrumented() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("run") { run in
      for _ in 0..<2 {
        run.span("loop") { loop in
          loop.pass(3)
          loop.span("draw", lasting: 4)
        }
        run.pass(5)
      }
    }
    var trace = try builder.build()
    trace.frameSeries = [try #require(trace.frames(named: "loop", refresh: nil))]
    let row: [String: Int64] = ["(uninstrumented)run>loop": 3, "run>loop>draw": 4]
    #expect(rows(trace) == [row, row])
  }

  @Test func recursionIsCutOut() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("a") { a in
      a.pass(1)
      a.span("b") { b in
        b.pass(2)
        b.span("a") { inner in
          inner.pass(4)
          inner.span("b") { $0.span("c", lasting: 8) }
        }
      }
    }
    builder.marks("game", at: [0, 15], refresh: 30)
    #expect(rows(try builder.build())[0] == ["a": 5, "a>b": 2, "a>b>c": 8])
  }

  /// Random spans and windows against a slow look at every instant.
  @Test(arguments: Array<UInt64>(1...150)) func isWhatALookAtEveryInstantFinds(seed: UInt64) throws
  {
    var random = SeededGenerator(seed: seed)
    var builder = TraceBuilder()
    builder.track("main")
    while builder.now < 300 {
      addSpan(to: &builder, depth: 0, random: &random)
      builder.pass(Int64.random(in: 0...4, using: &random))
    }
    let times = (0..<12).map { _ in Int64.random(in: -5...330, using: &random) }.sorted()
    let isLink = Bool.random(using: &random)
    builder.frames(
      "loop", mode: isLink ? .displayLink : .marks, refresh: 10,
      times.map { time in
        .displayLink(
          at: time, target: time + .ms(1), begin: time,
          end: time + Int64.random(in: 0...20, using: &random))
      })
    let trace = try builder.build()
    let rows = rows(trace)
    for (frame, next) in zip(trace.frameSeries[0].frames, trace.frameSeries[0].frames.dropFirst()) {
      var expected: [String: Int64] = [:]
      for time in frame.timestamp..<next.timestamp {
        expected[owner(of: time, in: trace), default: 0] += 1
      }
      #expect(rows[frame.number] == expected, "frame \(frame.number), seed \(seed)")
    }
  }

  private func addSpan(
    to builder: inout TraceBuilder, depth: Int, random: inout SeededGenerator
  ) {
    let name = ["a", "b", "c", "d"].randomElement(using: &random) ?? "a"
    builder.span(name) { span in
      for _ in 0..<Int.random(in: 0...(depth < 5 ? 2 : 0), using: &random) {
        span.pass(Int64.random(in: 0...3, using: &random))
        addSpan(to: &span, depth: depth + 1, random: &random)
      }
      span.pass(Int64.random(in: 0...3, using: &random))
    }
  }

  private func owner(of time: Int64, in trace: Trace) -> String {
    let covering = trace.spans.start.indices.filter {
      trace.spans.start[$0] <= time && time < trace.spans.end[$0]
    }
    var path: [String] = []
    for name in covering.map({ trace.name(ofSpan: $0) }) {
      if let known = path.firstIndex(of: name) {
        path.removeLast(path.count - known - 1)
      } else {
        path.append(name)
      }
    }
    if !path.isEmpty { return path.joined(separator: ">") }
    let series = trace.frameSeries[0]
    guard series.mode == .displayLink else { return "(uninstrumented)" }
    let isWaiting = zip(series.frames, series.frames.dropFirst()).contains { frame, next in
      (frame.end ?? .max) <= time && time < next.begin
    }
    return isWaiting ? "(waiting)" : "(uninstrumented)"
  }

  @Test func leftOutSpansTakeTheTimeOfTheSpanAroundThem() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("a", from: 10, to: 100) { a in
      a.advance(to: 12)
      a.foldedSpans("x", count: 4, lasting: 2)
      a.span("b", from: 40, to: 60) { $0.foldedSpans("x", count: 5, lasting: 1) }
      // A recursion is its own name, above or at once.
      a.span("b", from: 60, to: 70) { $0.foldedSpans("a", count: 2, lasting: 3) }
      a.foldedSpans("a", count: 2, lasting: 3)
    }
    // More than there is in the frame: 5 of it are not there.
    builder.foldedSpans("y", count: 25, lasting: 1)
    builder.marks("game", at: [0, 30, 120], refresh: 30)
    let trace = try builder.build()
    #expect(
      rows(trace) == [
        ["(uninstrumented)": 10, "a": 12, "a>x folded": 8],
        ["a": 46, "a>b": 19, "a>b>x folded": 5, "y folded": 20],
        [:],
      ])
    let partition = FramePartition(
      of: JudgedFrames(of: trace.frameSeries[0], in: trace), in: trace)
    #expect(partition.foldedTime == (45, 5))
    let calls = Dictionary(
      uniqueKeysWithValues: partition.row(of: 1).map {
        (title(of: $0.node, in: partition.tree, names: trace.names), $0.calls)
      })
    #expect(calls["a>b>x folded"] == 5 && calls["y folded"] == 25)
    #expect(calls["a"] == 4 && calls["a>b"] == 2)
  }

  @Test func leftOutSpansInAWaitTakeItsTimeFirst() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.advance(to: 2)
    builder.foldedSpans("early", count: 1, lasting: 4)
    builder.advance(to: 9)
    builder.foldedSpans("timer", count: 2, lasting: 3)
    builder.frames(
      "screen", mode: .displayLink,
      [
        .displayLink(at: 0, target: .ms(1), begin: 0, end: 8),
        .displayLink(at: 18, target: .ms(1), begin: 20, end: 33),
      ])
    let first = rows(try builder.build())[0]
    #expect(
      first == ["(uninstrumented)": 4, "early folded": 4, "timer folded": 6, "(waiting)": 4])
  }

  @Test func leftOutSpansOfAFrameSpanTakeItsUninstrumentedTime() throws {
    var builder = TraceBuilder()
    builder.track("main")
    for _ in 0..<2 {
      builder.span("loop") { loop in
        loop.foldedSpans("x", count: 3, lasting: 1)
        loop.span("draw", lasting: 4)
      }
    }
    var trace = try builder.build()
    trace.frameSeries = [try #require(trace.frames(named: "loop", refresh: nil))]
    #expect(rows(trace)[0] == ["loop>x folded": 3, "loop>draw": 4])
  }

  @Test func windowsThatGoBackAreDividedTheSame() throws {
    var random = SeededGenerator(seed: 7)
    var builder = TraceBuilder()
    builder.track("main")
    while builder.now < 500 {
      addSpan(to: &builder, depth: 0, random: &random)
      builder.pass(Int64.random(in: 0...9, using: &random))
    }
    let passes: [Trace.Frame] = stride(from: 0, to: 600, by: 7).map {
      .displayLink(at: $0, target: nil, end: $0 + 4)
    }
    builder.frames("loop", mode: .displayLink, passes)
    let trace = try builder.build()
    var walk = CriticalWalk(of: JudgedFrames(of: trace.frameSeries[0], in: trace), in: trace)
    func divide(_ window: Range<Int64>) -> [FramePartition.Entry] {
      var collector = RowCollector(of: trace)
      var entries: [FramePartition.Entry] = []
      walk.walk(0, window, CriticalPlace(), &collector)
      collector.scratch.flush(into: &entries)
      return entries
    }
    for _ in 0..<100 {
      let start = Int64.random(in: 0...450, using: &random)
      let window = start..<start + Int64.random(in: 1...50, using: &random)
      let entries = divide(window)
      #expect(entries.reduce(0) { $0 + $1.time } == Int64(window.count))
      for entry in entries where entry.time > 0 {
        let name = title(of: entry.node, in: walk.tree, names: trace.names)
        let slow = window.filter { owner(of: $0, in: trace) == name }.count
        #expect(entry.time == Int64(slow), "\(name) in \(window)")
      }
    }
  }

  /// A walk that goes back and forth against a new one for each window.
  @Test(arguments: Array<UInt64>(1...10))
  func leftOutSpansDoNotDependOnTheWindowsBefore(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var builder = TraceBuilder()
    builder.track("main")
    while builder.now < 500 {
      addSpan(to: &builder, depth: 0, random: &random)
      builder.pass(Int64.random(in: 0...9, using: &random))
    }
    let trace = try builder.build().folding(
      below: 4, dividedAt: (0..<40).map { $0 * 15 })
    #expect(trace.folded.contains { $0.parent == Trace.Spans.none })
    #expect(trace.folded.contains { $0.parent != Trace.Spans.none })
    let judged = JudgedFrames(of: Trace.FrameSeries(name: "none", mode: .marks), in: trace)
    var walk = CriticalWalk(of: judged, in: trace)
    func divide(_ window: Range<Int64>, _ walk: inout CriticalWalk) -> Set<String> {
      var collector = RowCollector(of: trace)
      var entries: [FramePartition.Entry] = []
      walk.walk(0, window, CriticalPlace(), &collector)
      collector.scratch.flush(into: &entries)
      return Set(
        entries.map {
          "\(title(of: $0.node, in: walk.tree, names: trace.names)) \($0.calls) \($0.time)"
        })
    }
    for _ in 0..<100 {
      let start = Int64.random(in: 0...450, using: &random)
      let window = start..<start + Int64.random(in: 1...50, using: &random)
      var fresh = CriticalWalk(of: judged, in: trace)
      #expect(divide(window, &walk) == divide(window, &fresh), "\(window), seed \(seed)")
    }
  }

  @Test func aRowForgetsTheOneBeforeIt() throws {
    var tree = PathTree()
    let outer = tree.step(from: PathTree.runningLoop, to: NameID(0), isOpen: false)
    let inner = tree.step(from: outer, to: NameID(1), isOpen: false)
    var row = InclusiveRow(nodeCount: tree.count)
    row.load(
      [.init(node: outer, calls: 2, time: 5), .init(node: inner, calls: 3, time: 7)], of: tree)
    #expect([row.time(of: outer), row.selfTime(of: outer), row.time(of: inner)] == [12, 5, 7])
    #expect([row.calls(of: outer), row.calls(of: inner)] == [2, 3])
    row.load([.init(node: inner, calls: 1, time: 4)], of: tree)
    #expect([row.time(of: outer), row.selfTime(of: outer), row.time(of: inner)] == [4, 0, 4])
    #expect([row.calls(of: outer), row.calls(of: inner)] == [0, 1])
    row.load([], of: tree)
    #expect(row.nodes == [PathTree.root])
    #expect(row.time(of: PathTree.root) == 0)
  }
}
