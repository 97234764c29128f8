import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis
@testable import FlamelarkReport

@Suite struct FlameGraphTests {
  /// Two workers and a loop; on the loop 3,000 short calls were summed up.
  private func trace() throws -> Trace {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("update", lasting: .ms(4))
    builder.span("draw") {
      $0.span("tile", lasting: .ms(2))
      $0.pass(.ms(1))
      $0.foldedSpans("glyph", count: 3_000, lasting: 1_000)
      $0.span("draw", lasting: .ms(2))
    }
    for number in 1...2 {
      builder.track("worker \(number)")
      builder.span("decode", from: .ms(Double(number)), to: .ms(10)) {
        $0.span("read", from: .ms(4), to: .ms(5))
      }
    }
    builder.task("job", id: 7)
    builder.span("wait", from: 0, to: .ms(10))
    builder.marks("main", at: [0, .ms(12)], refresh: .ms(16))
    return try builder.build()
  }

  private func lines(_ tree: FlameTree?) -> [String] {
    (tree?.nodes ?? []).map {
      "\(String(repeating: "  ", count: $0.depth))\($0.name) \(Figure.milliseconds($0.own)) "
        + "\(Figure.milliseconds($0.total))"
    }
  }

  @Test func spansAreMergedByPathForAllThreadsOfARole() throws {
    let tree = FlameTree(timeOf: try trace())
    #expect(
      lines(tree) == [
        "all threads 0.0 39.0", "  worker 0.0 17.0", "    decode 15.0 17.0", "      read 2.0 2.0",
        "  main 0.0 12.0", "    draw 1.0 8.0", "      glyph 3.0 3.0", "      draw 2.0 2.0",
        "      tile 2.0 2.0", "    update 4.0 4.0", "  tasks 0.0 10.0", "    wait 10.0 10.0",
      ])
    #expect(tree?.nodes[6].kind == .folded)
  }

  @Test func onlyThePartInARangeAndTheRowsThatAreAskedForCount() throws {
    let trace = try trace()
    #expect(
      lines(FlameTree(timeOf: trace, range: .ms(4.5)..<(.ms(6)), tracks: [1, 2])) == [
        "all threads 0.0 3.0", "  worker 0.0 3.0", "    decode 2.0 3.0", "      read 1.0 1.0",
      ])
    #expect(FlameTree(timeOf: trace, range: .ms(40)..<(.ms(50))) == nil)
    #expect(FlameTree(timeOf: trace, tracks: []) == nil)
  }

  /// A tree of random shape that adds up.
  private func randomTree(seed: UInt64, count: Int) -> FlameTree {
    var random = SeededGenerator(seed: seed)
    var nodes: [FlameTree.Node] = []
    var open: [(depth: Int, total: Int64)] = [(0, 1_000_000_000_000)]
    while let (depth, total) = open.popLast() {
      var rest = total
      let room = depth < 40 && nodes.count + open.count < count
      for _ in 0..<(room ? Int.random(in: 1...6, using: &random) : 0) where rest > 0 {
        let part = Int64.random(in: 0...rest, using: &random)
        if part > 0 { open.append((depth + 1, part)) }
        rest -= part
      }
      nodes.append(
        .init(depth: depth, name: "n\(nodes.count % 97)", kind: .span, own: rest, total: total))
    }
    return FlameTree(title: "random", unit: "time", nodes: nodes)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func boxesLieInTheirParentsAndAddUp(_ seed: UInt64) {
    let tree = randomTree(seed: seed, count: 20_000)
    let (boxes, leftOut) = FlameGraph(tree, subtitle: "").boxes()
    #expect(boxes.count + leftOut == tree.nodes.count, "seed \(seed)")
    #expect(leftOut > 0)
    var open: [FlameGraph.Box] = []
    var end: [Int: Int64] = [:]
    for box in boxes {
      let depth = tree.nodes[box.node].depth
      while let last = open.last, tree.nodes[last.node].depth >= depth { open.removeLast() }
      if let parent = open.last {
        #expect(box.from >= parent.from && box.to <= parent.to, "seed \(seed), \(box)")
        #expect(box.from >= end[depth] ?? 0, "seed \(seed), \(box)")
      }
      end[depth] = box.to
      let width = Double(tree.nodes[box.node].total) / Double(tree.nodes[0].total) * 118_000
      #expect(abs(Double(box.to - box.from) - width) <= 1, "seed \(seed), \(box)")
      open.append(box)
    }
  }

  @Test func aLargeTreeMakesNoLargeFile() {
    let tree = randomTree(seed: 5, count: 100_000)
    #expect(tree.nodes.count >= 100_000)
    let graph = FlameGraph(tree, subtitle: "large.lark")
    let svg = String(decoding: graph.svg(), as: UTF8.self)
    #expect(svg.utf8.count < 8_000_000)
    let leftOut = graph.boxes().leftOut
    #expect(
      svg.contains(
        "\(Figure.count(leftOut)) boxes narrower than 0.1 px or deeper than 500 left out"))
    #expect(svg == String(decoding: graph.svg(), as: UTF8.self))
  }

  @Test func namesCannotBecomeScriptOrBreakTheFile() throws {
    let evil = [
      "</title><script>alert(1)</script>", "\"onload=\"alert(1)", "]]><script>", "a & b < c > d '",
      "\u{1B}[31m\u{0}\u{FFFE}\u{202E}", "描画\u{10FFFF}", "", "\n",
    ]
    let nodes =
      [FlameTree.Node(depth: 0, name: evil[0], kind: nil, own: 0, total: 8)]
      + evil.map { FlameTree.Node(depth: 1, name: $0, kind: .span, own: 1, total: 1) }
    let graph = FlameGraph(
      FlameTree(title: evil[0], unit: "time", nodes: nodes), subtitle: evil.joined())
    let svg = graph.svg()
    let text = String(decoding: svg, as: UTF8.self)
    #expect(text.components(separatedBy: "<script>").count == 2)
    #expect(!text.contains("\u{1B}"))
    #expect(!text.contains("\u{202E}"))
    let parser = NamesOfXML()
    let names = try #require(try parser.titles(in: svg))
    #expect(names.count == 9)
    #expect(names[1] == "</title><script>alert(1)</script>")
    #expect(names[4] == "a & b < c > d '")
  }

  @Test func latenessIsDrawnAsItIsBlamed() {
    let tree = FlameTree(
      [
        BlameNode(depth: 0, name: "", kind: .other, own: 1, total: 10),
        BlameNode(depth: 1, name: "gc", kind: .span, own: 6, total: 6),
        BlameNode(depth: 1, name: "(preempted)", kind: .preempted, own: 3, total: 3),
      ], series: "main\u{7}")
    let svg = String(decoding: FlameGraph(tree, subtitle: "a.lark").svg(), as: UTF8.self)
    #expect(svg.contains(">Lateness of &quot;main\\u{7}&quot;<"))
    #expect(svg.contains("data-t=\"6\" data-o=\"6\""))
    // Children lie under the left part, one beside the other.
    #expect(svg.contains("<rect x=\"10.00\" y=\"92\" width=\"708.00\" "))
    #expect(svg.contains("<rect x=\"718.00\" y=\"92\" width=\"354.00\" "))
    #expect(svg.contains("class=\"n p\""))
    #expect(svg.contains(">preempted<"))
  }

  @Test func theHeadSaysWhichPartIsDrawn() throws {
    let trace = try trace()
    let tree = try #require(
      FlameTree(timeOf: trace, range: .ms(4.5)..<(.ms(6)), tracks: [0, 1, 2]))
    #expect(tree.title == "Time of spans")
    #expect(tree.phrases == [#"on "main", "worker 1" and 1 more"#, "from 0.005 to 0.006 s"])
    let svg = String(decoding: FlameGraph(tree, subtitle: "/a/b.lark").svg(), as: UTF8.self)
    #expect(
      svg.contains(
        ">/a/b.lark · on &quot;main&quot;, &quot;worker 1&quot; and 1 more · from 0.005 to 0.006 s · "
      ))
    let run = GameRun().trace
    var selection = FrameSelection()
    selection.range = .ms(150)..<(.max)
    selection.skip = .frames(3)
    var options = Blame.Options()
    options.ranges = [.ms(150)..<(.max)]
    let blame = Blame(of: run, series: run.frameSeries[0], options: options)
    let late = try #require(FlameTree(of: blame, in: run, selection: selection))
    #expect(late.title == #"Lateness of "game""#)
    #expect(late.phrases == ["without the first 3 frames", "from 0.150 s"])
    let long = FlameGraph(late, subtitle: String(repeating: "folder/", count: 40) + "x.lark")
    #expect(String(decoding: long.svg(), as: UTF8.self).contains(">…/x.lark · without the first 3"))
  }

  @Test func depthWithoutEndIsDrawnToALimit() {
    let nodes = (0..<100_000).map {
      FlameTree.Node(depth: $0, name: "deep", kind: .span, own: 0, total: 10)
    }
    let graph = FlameGraph(FlameTree(title: "", unit: "time", nodes: nodes), subtitle: "")
    #expect(graph.boxes().boxes.count == 501)
    #expect(graph.boxes().leftOut == 99_499)
  }
}
