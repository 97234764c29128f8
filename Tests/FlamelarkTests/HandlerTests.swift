import FlamelarkTrace
import Foundation
import Testing

/// Signal handlers that take spans, on a thread that takes some itself.
@Suite struct HandlerTests {
  @Test(arguments: ["handlers", "handlers-folding", "handlers-handing-over"])
  func handlersHarmNoSpanAndTheirsAreThereOrCounted(scenario: String) throws {
    let folder = TemporaryFolder()
    let run = try Probe.run(scenario, folder.file("t.lark"))
    try #require(run.status == 0)
    let numbers = run.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(numbers.count == 2)
    let (made, handled) = (numbers[0], numbers[1])
    let trace = try Trace(contentsOf: folder.file("t.lark"))
    try trace.checkInvariants()

    var counts: [String: Int] = [:]
    for span in 0..<trace.spans.count { counts[trace.name(ofSpan: span), default: 0] += 1 }
    for sum in trace.sums() { counts[sum.name, default: 0] += sum.count }
    #expect(counts["work"] == made)
    #expect(counts["nested"] == made)
    #expect(counts["around"] == 1)

    let dropped = trace.issues.filter { $0.text.hasPrefix("spans and others dropped in signal") }
      .reduce(0) { $0 + $1.count }
    let others = trace.issues.filter { !$0.text.hasPrefix("spans and others dropped in signal") }
    #expect(others.isEmpty, "\(others)")
    let recorded = (counts["handler"] ?? 0) + (counts["inside"] ?? 0)
    let values = trace.counters.first?.values.count ?? 0
    #expect(recorded + values + dropped == handled * 3)
    #expect(recorded * 4 > handled)
  }

  @Test func handlersThatWaitAndLinkHarmNoOther() throws {
    let folder = TemporaryFolder()
    let run = try Probe.run("handlers-waits", folder.file("t.lark"))
    try #require(run.status == 0)
    let numbers = run.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(numbers.count == 2)
    let (made, handled) = (numbers[0], numbers[1])
    let trace = try Trace(contentsOf: folder.file("t.lark"))
    try trace.checkInvariants()
    let counts = Dictionary(grouping: trace.waits) { trace.name(ofSpan: $0.span) }
      .mapValues(\.count)
    #expect(counts["work"] == made && counts["nested"] == 2 * made)
    #expect(trace.durations(of: "around").count == 1)
    let main = try #require(trace.waits.first?.endedByTrack)
    #expect(trace.waits.allSatisfy { $0.endedByTrack == nil || $0.endedByTrack == main })
    // What a handler recorded has its point, and its link one end.
    let handlers = counts["handler waits"] ?? 0
    #expect(handlers * 4 > handled)
    #expect(trace.flows.count <= handled && trace.flows.count * 4 > handled)
    #expect(trace.flows.allSatisfy { $0.ends.count == 1 && $0.begin != nil })
    let others = trace.issues.filter { !$0.text.hasPrefix("spans and others dropped in signal") }
    #expect(others.isEmpty, "\(others)")
  }
}
