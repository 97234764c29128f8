import FlamelarkInterchange
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

/// A trace with tasks and links, written as Trace Event JSON and read again.
@Suite struct RoundTripTests {
  private func trace(seed: UInt64) throws -> Trace {
    var random = RandomTrace(seed: seed)
    random.addTasks(count: 5)
    random.addFlows(count: 20)
    random.addWaits()
    random.addValues()
    random.addFrames(length: 12)
    // Time 0 stays where it is, and every thread has a row.
    for track in random.trace.tracks.indices where random.trace.tracks[track].kind == .thread {
      random.trace.markers.append(Trace.Marker(time: 0, site: CallSiteID(0), track: track))
    }
    try random.trace.checkInvariants()
    return random.trace
  }

  @Test(arguments: 0..<40) func spansOfTasksComeBack(seed: UInt64) throws {
    let trace = try trace(seed: seed)
    let (bytes, summary) = exported(trace)
    let again = try read(bytes)
    #expect(again.issues.isEmpty, "seed \(seed): \(again.issues)")
    for (row, track) in trace.tracks.enumerated() where track.kind == .task {
      let expected = trace.treeSpans(ofTrack: row).afterRuleFour()
      #expect(summary.tracks[row].slices == expected.count)
      guard !expected.isEmpty else { continue }
      let found = try #require(again.tracks.firstIndex { $0.name == track.name })
      #expect(again.treeSpans(ofTrack: found) == expected, "seed \(seed), row \(row)")
      #expect(again.tracks[found].kind == .task)
      let task = trace.tasks.first { $0.track == row }?.id
      #expect(again.tasks.first { $0.track == found }?.id == task)
    }
  }

  /// Where a span of a task began and ended, by names.
  private struct Hop: Hashable {
    var row: String
    var start: Int64
    var span: String
    var begin: String?
    var end: String?
  }

  private func hops(_ trace: Trace) -> [Hop] {
    let ends = Dictionary(uniqueKeysWithValues: trace.taskSpans.map { ($0.span, $0) })
    return trace.tracks.filter { $0.kind == .task }.flatMap { row in
      row.spans.map { span in
        Hop(
          row: row.name, start: trace.spans.start[span], span: trace.name(ofSpan: span),
          begin: ends[span]?.begin.map { trace.tracks[$0].name },
          end: ends[span]?.end.map { trace.tracks[$0].name })
      }
    }
  }

  @Test(arguments: 0..<40) func whereTasksRanComesBack(seed: UInt64) throws {
    let trace = try trace(seed: seed)
    let before = Set(hops(trace))
    let after = hops(try read(exported(trace).bytes))
    #expect(after.count > 5)
    #expect(Set(after.map(\.end)).count > 1, "seed \(seed)")
    let unknown = after.filter { !before.contains($0) }
    #expect(unknown.isEmpty, "seed \(seed)")
  }

  @Test(arguments: 0..<40) func flowsComeBack(seed: UInt64) throws {
    func text(_ trace: Trace) -> [String] {
      trace.flows.map { flow in
        func text(_ point: Trace.Flow.Point) -> String {
          "\(trace.names[trace.callSites[Int(point.site.index)].name])@\(point.time) on "
            + trace.tracks[point.track].name
        }
        return "\(flow.number): \(flow.begin.map(text) ?? "-") to "
          + flow.ends.map(text).joined(separator: ", ")
      }.sorted()
    }
    let trace = try trace(seed: seed)
    let again = try read(exported(trace).bytes)
    // Of waits whose span is an instant in the file, only the link is left.
    let flows = text(again).filter { text in
      !Trace.Wait.Kind.allCases.contains { text.contains(": \($0.rawValue)@") }
    }
    #expect(flows == text(trace), "seed \(seed)")
  }

  @Test(arguments: 0..<40) func whoEndedWaitsComesBack(seed: UInt64) throws {
    let trace = try trace(seed: seed)
    let again = try read(exported(trace).bytes)
    func row(ofSpan span: Int, _ trace: Trace) -> String {
      trace.tracks.first { $0.spans.contains(span) }?.name ?? ""
    }
    var before: Set<[String]> = []
    for wait in trace.waits {
      guard let ender = wait.endedByTrack else { continue }
      let end = max(trace.spans.start[wait.span], trace.spans.end[wait.span] - 2)
      before.insert([
        wait.kind.rawValue, row(ofSpan: wait.span, trace), trace.tracks[ender].name,
        "\(min(wait.endedAt ?? end, end))",
      ])
    }
    #expect(again.waits.count > 5, "seed \(seed)")
    for wait in again.waits {
      let ender = wait.endedByTrack.map { again.tracks[$0].name } ?? "nobody"
      let found = [
        wait.kind.rawValue, row(ofSpan: wait.span, again), ender, "\(wait.endedAt ?? -1)",
      ]
      let isKnown = before.contains(found)
      #expect(isKnown, "seed \(seed): \(found)")
    }
  }

  @Test(arguments: 0..<40) func theFileKeepsTheRulesOfItsReaders(seed: UInt64) throws {
    let trace = try trace(seed: seed)
    let (bytes, _) = exported(trace)
    let model = try AsyncModel(bytes)
    #expect(model.complaints.isEmpty, "seed \(seed): \(model.complaints)")
    for (row, track) in trace.tracks.enumerated() where track.kind == .task {
      let expected = trace.treeSpans(ofTrack: row).afterRuleFour()
      #expect(model.trees["task:0x\(String(row + 1, radix: 16))"] ?? [] == expected)
    }
    // Tasks and links change nothing of what speedscope shows.
    var bare = trace
    bare.tracks.removeAll { $0.kind == .task }
    (bare.tasks, bare.taskSpans, bare.flows, bare.waits, bare.values) = ([], [], [], [], [])
    let profiles = try SpeedscopeModel(bytes).profiles
    let expected = try SpeedscopeModel(exported(bare).bytes).profiles
    #expect(profiles.map(\.name) == expected.map(\.name))
    #expect(profiles.map(\.spans) == expected.map(\.spans), "seed \(seed)")
    #expect(profiles.allSatisfy { $0.warnings == 0 })
  }

  @Test(arguments: 0..<40) func speedscopesFormatPacksTasksOnFewRows(seed: UInt64) throws {
    let trace = try trace(seed: seed)
    let profiles = try EventedReader(
      trace.encoded(as: .speedscope)
    ).profiles
    let rows = profiles.filter { $0.name.hasPrefix("tasks, row ") }
    func top(_ spans: [TreeSpan]) -> [TreeSpan] { spans.filter { $0.depth == 0 } }
    func sorted(_ spans: [TreeSpan]) -> [String] { spans.map(\.description).sorted() }
    let tasks = trace.tracks.indices.filter { trace.tracks[$0].kind == .task }
    #expect(
      sorted(rows.flatMap(\.spans)) == sorted(tasks.flatMap { trace.treeSpans(ofTrack: $0) }))
    // As few as there are at one moment; what has no duration is beside those around that moment.
    let all = tasks.flatMap { top(trace.treeSpans(ofTrack: $0)) }
    let most = all.map { span in
      let around = all.filter { $0.start < span.start && span.start < $0.end }.count
      let open = all.filter { $0.start <= span.start && span.start < $0.end }.count
      return max(open, span.start == span.end ? around + 1 : 0)
    }.max()
    #expect(rows.count == most, "seed \(seed)")
    #expect(profiles.count == 3 + rows.count)
  }

  @Test func manyTasksAreWrittenAndReadInTime() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("work", lasting: 1_000_000)
    for task in 0..<20_000 {
      builder.task("task \(task), load", id: UInt64(task + 1))
      builder.span("load", from: Int64(task * 40), to: Int64(task * 40 + 390))
      builder.hop(from: 0, to: 0)
    }
    let trace = try builder.build()
    let (bytes, summary) = exported(trace)
    #expect(summary.tracks.count == 20_001)
    let again = try read(bytes)
    #expect(again.tasks.count == 20_000)
    #expect(again.taskSpans == trace.taskSpans)
    let profiles = try EventedReader(trace.encoded(as: .speedscope)).profiles
    #expect(profiles.count == 11)
    let kept = again.keeping { $0.name.hasSuffix("7, load") }
    #expect(kept.tracks.count == 2000)
    #expect(kept.taskSpans.count == 2000)
    #expect(throws: Never.self) { try kept.checkInvariants() }
  }
}
