import Flamelark
import FlamelarkTrace
import Foundation
import Testing

extension RecordingTests {
  /// Names that are made while the program runs.
  @Suite struct SpanNameTests {
    @Test func spansOfMadeNamesNestAmongOthers() throws {
      let tiles = (0..<3).map { SpanName("tile \($0)", category: "tiles") }
      let trace = try record {
        for tile in tiles {
          withSpan("row") {
            withSpan(tile) { withSpan("pixel") {} }
            beginSpan(tile).end()
          }
        }
      }
      #expect(
        trace.outline(ofTrack: 0)
          == (0..<3).map { "row(tile \($0)(pixel) tile \($0))" }.joined(separator: " "))
      let sites = trace.callSites.filter { trace.names[$0.name].hasPrefix("tile ") }
      #expect(sites.count == 3)
      #expect(sites.allSatisfy { $0.category.map { trace.names[$0] } == "tiles" })
      #expect(
        sites.allSatisfy { $0.file.map { trace.names[$0] } == "FlamelarkTests/SpanNameTests.swift" }
      )
      #expect(Set(sites.map(\.line)).count == 1)
    }

    @Test func aNameMadeAgainIsTheSameOneAlsoInTheNextRecording() throws {
      func name(_ number: Int) -> SpanName { SpanName("again \(number)") }
      for _ in 0..<2 {
        let trace = try record {
          for round in 0..<100 { withSpan(name(round % 10)) {} }
        }
        #expect(trace.callSites.count { trace.names[$0.name].hasPrefix("again ") } == 10)
        for number in 0..<10 { #expect(trace.durations(of: "again \(number)").count == 10) }
      }
    }

    @Test func oneTextAtTwoLinesIsTwoCallSites() throws {
      let trace = try record {
        withSpan(SpanName("two lines")) {}
        withSpan(SpanName("two lines")) {}
      }
      #expect(trace.callSites.count { trace.names[$0.name] == "two lines" } == 2)
    }

    @Test func namesOfAllKindsComeBackAsTheyAre() throws {
      let texts = ["", "é", String(repeating: "long ", count: 700), "zero\0byte", "\u{1F426}"]
      let trace = try record {
        for text in texts { withSpan(SpanName(text)) {} }
      }
      #expect(
        (0..<trace.spans.count).map { trace.name(ofSpan: $0) }
          == ["(no name)", "é", String(repeating: "long ", count: 700), "zero", "\u{1F426}"])
    }

    @Test func threadsThatMakeTheSameNamesAtOnceGetTheSame() throws {
      let trace = try record {
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
          for number in 0..<200 { withSpan(SpanName("shared \(number)")) {} }
        }
      }
      for number in 0..<200 {
        #expect(trace.durations(of: "shared \(number)").count == 8)
      }
      #expect(trace.callSites.count { trace.names[$0.name].hasPrefix("shared ") } == 200)
    }

    @Test func aSpanOfAMadeNameFollowsItsTask() throws {
      let name = SpanName("level \(3)")
      let trace = try record {
        waitFor {
          await withSpan(name) {
            await Task.yield()
            withSpan("inside") {}
          }
        }
      }
      #expect(trace.durations(of: "level 3").count == 1)
      let row = try #require(trace.tracks.first { $0.kind == .task })
      #expect(row.spans.map { trace.name(ofSpan: $0) } == ["level 3"])
    }

    @Test func aFilterKnowsMadeNames() throws {
      let trace = try record(.init(filters: [.name("left out 7", deeperThan: 0)])) {
        for number in 0..<10 { withSpan(SpanName("left out \(number)")) {} }
      }
      #expect(trace.spans.count == 9)
      #expect(trace.durations(of: "left out 7").isEmpty)
      #expect(trace.tracks[0].counts.overDepth == 1)
    }
  }
}

/// Runs `body` in a task and waits until it is done.
func waitFor(_ body: @escaping @Sendable () async -> Void) {
  let isDone = DispatchSemaphore(value: 0)
  Task.detached {
    await body()
    isDone.signal()
  }
  isDone.wait()
}
