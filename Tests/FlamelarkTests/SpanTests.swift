import Flamelark
import FlamelarkTrace
import Foundation
import Testing

/// All tests that record: a process has one recording at a time.
@Suite(.serialized) struct RecordingTests {}

extension RecordingTests {
  @Suite struct SpanTests {
    @Test func spansComeBackNestedWithTheirPlaces() throws {
      let line = #line
      let trace = try record {
        withSpan("update") {
          withSpan("physics") {}
          withSpan("physics") {}
        }
        withSpan("draw") {}
      }
      #expect(trace.tracks.count == 1)
      #expect(trace.outline(ofTrack: 0) == "update(physics physics) draw")
      let places = (0..<trace.spans.count).map { span -> (String, UInt32) in
        let site = trace.callSites[Int(trace.spans.site[span].index)]
        return (site.file.map { trace.names[$0] } ?? "", site.line)
      }
      #expect(places.map(\.0) == Array(repeating: "FlamelarkTests/SpanTests.swift", count: 4))
      #expect(places.map { Int($0.1) - line } == [2, 3, 4, 6])
    }

    @Test func aSpanGivesBackWhatItsClosureGivesOrThrows() throws {
      struct Failure: Error {}
      let trace = try record {
        #expect(withSpan("value") { 42 } == 42)
        #expect(throws: Failure.self) { try withSpan("error") { throw Failure() } }
        withSpan("after") {}
      }
      #expect(trace.outline(ofTrack: 0) == "value error after")
    }

    @Test func nothingIsRecordedBeforeAndAfter() throws {
      withSpan("before") {}
      let trace = try record { withSpan("during") {} }
      withSpan("after") {}
      #expect(trace.outline(ofTrack: 0) == "during")
    }

    @Test func manySpansFillManyChunks() throws {
      let count = 50_000
      let trace = try record {
        for _ in 0..<count { withSpan("outer") { withSpan("inner") {} } }
      }
      #expect(trace.spans.count == 2 * count)
      #expect(trace.issues.isEmpty)
      #expect((0..<count).allSatisfy { trace.spans.parent[2 * $0 + 1] == UInt32(2 * $0) })
    }

    @Test func aSpanOfThreeSecondsKeepsItsLengthAndPlace() throws {
      let trace = try record {
        withSpan("outer") {
          withSpan("long") { usleep(3_000_000) }
          withSpan("short") {}
        }
      }
      #expect(trace.outline(ofTrack: 0) == "outer(long short)")
      let long = trace.durations(of: "long")
      #expect(long.count == 1)
      #expect(long.allSatisfy { (3_000_000_000..<3_500_000_000).contains($0) }, "\(long)")
    }

    @Test func theSystemClockServesWhereTheCounterDoesNot() throws {
      var options = Recording.Options()
      options.usesProcessorCounter = false
      let trace = try record(options) {
        withSpan("outer") {
          withSpan("inner") { usleep(20_000) }
          let token = beginSpan("token")
          token.end()
        }
      }
      #expect(trace.outline(ofTrack: 0) == "outer(inner token)")
      #expect(trace.durations(of: "inner").allSatisfy { (20_000_000..<200_000_000).contains($0) })
    }
  }
}
