import Flamelark
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

extension RecordingTests {
  /// Values of spans.
  @Suite struct SpanValueTests {
    @Test func aValueBelongsToTheInnermostOpenSpan() throws {
      let bytes = SpanValue("bytes")
      let trace = try record {
        withSpan("outer") {
          bytes.record(1)
          withSpan("inner") { bytes.record(2) }
          bytes.record(3)
          let token = beginSpan("token")
          bytes.record(4)
          bytes.record(.min)
          token.end()
        }
        withSpan("last") { SpanValue("level").record(.max) }
      }
      #expect(
        trace.valueTexts == [
          "outer bytes 1", "outer bytes 3", "inner bytes 2", "token bytes 4",
          "token bytes \(Int64.min)", "last level \(Int64.max)",
        ])
      #expect(trace.issues.isEmpty)
    }

    @Test func valuesOfRandomNestsAreThoseThatTheProgramGave() throws {
      let seed = UInt64.random(in: 0...UInt64.max)
      print("seed \(seed)")
      var generator = SeededGenerator(seed: seed)
      let value = SpanValue("number")
      var given: [String] = []
      var number: Int64 = 0
      let names = (0..<5).map { SpanName("name \($0)") }
      func nest(_ depth: Int) {
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
          let name = Int.random(in: 0..<5, using: &generator)
          withSpan(names[name]) {
            let values = Int.random(in: 0...2, using: &generator)
            for _ in 0..<values {
              number += 1
              value.record(number)
              given.append("name \(name) number \(number)")
            }
            if depth < 8 { nest(depth + 1) }
          }
        }
      }
      let trace = try record { for _ in 0..<200 { nest(0) } }
      #expect(trace.valueTexts.sorted() == given.sorted())
      #expect(trace.issues.isEmpty)
    }

    @Test func aValueOfAnUnfinishedSpanIsThere() throws {
      var token: OpenSpan?
      let trace = try record {
        token = beginSpan("open")
        SpanValue("bytes").record(5)
      }
      token.take()?.end()
      #expect(trace.valueTexts == ["open bytes 5"])
    }

    @Test func valuesOfSpansThatAreLeftOutAreDroppedAndCounted() throws {
      let value = SpanValue("bytes")
      let trace = try record(.init(filters: [.name("short", shorterThan: .seconds(100))])) {
        withSpan("kept") {
          value.record(1)
          for _ in 0..<10 { withSpan("short") { value.record(2) } }
          value.record(3)
        }
        value.record(4)
      }
      #expect(trace.valueTexts == ["kept bytes 1", "kept bytes 3"])
      #expect(
        trace.issues == [
          Trace.Issue("values of spans that are missing or were left out", count: 11)
        ])
    }

    @Test func aValueInsideOfASpanOverTheDepthBelongsToTheSpanAroundIt() throws {
      let trace = try record(.init(maximumDepth: 1)) {
        withSpan("kept") { withSpan("deep") { SpanValue("bytes").record(1) } }
      }
      #expect(trace.valueTexts == ["kept bytes 1"])
    }

    @Test func inATaskAValueBelongsToItsInnermostSpan() throws {
      let value = SpanValue("items")
      let trace = try record {
        waitFor {
          await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 as Range<Int64> {
              group.addTask {
                await withSpan("job") {
                  value.record(number)
                  await withSpan("part") {
                    await Task.yield()
                    value.record(100 + number)
                    withSpan("step") { value.record(200 + number) }
                  }
                  await Task.yield()
                  value.record(number)
                }
              }
            }
          }
        }
      }
      let expected = (0..<20).flatMap {
        ["job items \($0)", "job items \($0)", "part items \(100 + $0)", "step items \(200 + $0)"]
      }
      #expect(trace.valueTexts.sorted() == expected.sorted())
      // Both of a job are on one span.
      let jobs = Dictionary(grouping: trace.values) { $0.span }.values.filter { $0.count == 2 }
      #expect(jobs.count == 20)
      #expect(jobs.allSatisfy { $0[0].value == $0[1].value })
      #expect(trace.issues.isEmpty)
    }

    @Test func nothingIsRecordedWhileNothingIs() throws {
      let value = SpanValue("bytes")
      OneRecording.alone { value.record(1) }
      let trace = try record { withSpan("span") {} }
      #expect(trace.values.isEmpty)
      #expect(trace.issues.isEmpty)
    }
  }
}

extension Trace {
  /// Each value as `span name value`.
  fileprivate var valueTexts: [String] {
    values.map { "\(name(ofSpan: $0.span)) \(names[$0.name]) \($0.value)" }
  }
}
