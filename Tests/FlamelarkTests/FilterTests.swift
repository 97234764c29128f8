import Flamelark
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

extension RecordingTests {
  /// Filters at the start, from the environment and while the program runs; the limit of the size.
  @Suite struct FilterTests {
    @Test func filtersCanBeChangedWhileRecording() throws {
      func spans() { withSpan("outer") { withSpan("inner") {} } }
      let trace = try record { recording in
        withSpan("around") {
          spans()
        }
        try recording.leaveOut(deeperThan: 1)
        spans()
        try recording.leaveOut(deeperThan: 255, shorterThan: .milliseconds(20))
        spans()
        withSpan("long") { usleep(21_000) }
        try recording.leaveOut(shorterThan: .zero)
        spans()
      }
      #expect(
        trace.outline(ofTrack: 0) == "around(outer(inner)) outer long outer(inner)")
      #expect(
        trace.sums().map(\.line).sorted()
          == ["(deeper) in outer × 1", "inner in - × 1", "outer in - × 1"])
    }

    @Test func aTraceTellsWhatWasLeftOutAndFromWhenOn() throws {
      let rare = Recording.Filter.name("rare", deeperThan: 3)
      let trace = try record(.init(maximumDepth: 200, filters: [rare])) { recording in
        withSpan("first") {}
        try recording.leaveOut(shorterThan: .microseconds(7))
        withSpan("second") { usleep(1_000) }
        try recording.leaveOut(
          deeperThan: 9, filters: [.category("detail", shorterThan: .milliseconds(2))])
        withSpan("third") { usleep(1_000) }
      }
      let filters = trace.source.filters
      #expect(filters.map(\.maximumDepth) == [200, 200, 9])
      #expect(filters.map(\.minimumDuration) == [0, 7_000, 7_000])
      #expect(
        filters.map(\.exceptions) == [
          [.init(subject: .name, text: "rare", maximumDepth: 3)],
          [.init(subject: .name, text: "rare", maximumDepth: 3)],
          [.init(subject: .category, text: "detail", minimumDuration: 2_000_000)],
        ])
      let (first, second, third) = (0, 1, 2)
      #expect(filters[0].time <= trace.spans.start[first])
      #expect(filters[1].time >= trace.spans.end[first])
      #expect(filters[1].time <= trace.spans.start[second])
      #expect(filters[2].time >= trace.spans.end[second])
      #expect(filters[2].time <= trace.spans.start[third])
    }

    @Test func filtersOfNamesAndCategoriesComeAndGo() throws {
      func spans() {
        withSpan("around") {
          withSpan("tiny", category: "detail") { withSpan("inside") {} }
          withSpan("other", category: "detail") {}
        }
      }
      let trace = try record(.init(filters: [.name("tiny", deeperThan: 0)])) { recording in
        spans()
        try recording.leaveOut(filters: [.category("detail", shorterThan: .seconds(5))])
        spans()
        try recording.leaveOut(filters: [])
        spans()
      }
      #expect(
        trace.outline(ofTrack: 0)
          == "around(inside other) around(inside) around(tiny(inside) other)")
      #expect(
        trace.sums().map(\.line).sorted()
          == ["(deeper) in around × 1", "other in around × 1", "tiny in around × 1"])
      let categories = Set(trace.callSites.compactMap { $0.category.map { trace.names[$0] } })
      #expect(categories == ["detail"])
    }

    @Test func aNameThatIsNeverRecordedIsCountedWhereNoSpanIsOpen() throws {
      let trace = try record(.init(filters: [.name("never", deeperThan: 0)])) {
        let frames = FrameSeries("loop", refresh: .hertz(60))
        frames.mark()
        for _ in 0..<3 { withSpan("never") { withSpan("kept") {} } }
        frames.mark()
        for _ in 0..<4 { withSpan("never") {} }
      }
      #expect(trace.outline(ofTrack: 0) == "kept kept kept")
      #expect(trace.folded.map(\.count) == [3, 4])
      #expect(trace.tracks[0].counts.overDepth == 7)
      let frames = try #require(trace.frameSeries.first).frames
      #expect(frames.map(\.begin).allSatisfy { $0 <= trace.folded[1].range.lowerBound })
      #expect(trace.folded[0].range.lowerBound < frames[1].begin)
    }

    @Test func callSitesThatComeUpLaterAreFilteredToo() throws {
      let trace = try record(.init(filters: [.name("site 0", deeperThan: 0)])) {
        withSpan("around") { callManySites() }
      }
      #expect(trace.sums().map(\.line) == ["(deeper) in around × 1"])
      #expect(trace.spans.count == 200)
    }

    @Test func aChangeReachesEveryThread() throws {
      let trace = try record { recording in
        let changed = DispatchSemaphore(value: 0)
        let waiting = DispatchSemaphore(value: 0)
        let changer = Thread {
          waiting.wait()
          try? recording.leaveOut(deeperThan: 1)
          changed.signal()
        }
        changer.start()
        onThread {
          withSpan("before") { withSpan("inside") {} }
          waiting.signal()
          changed.wait()
          withSpan("after") { withSpan("inside") {} }
        }
      }
      let row = try #require(trace.threadRows.last)
      #expect(trace.outline(ofTrack: row) == "before(inside) after")
      #expect(trace.tracks[row].counts.overDepth == 1)
    }

    @Test func impossibleFiltersAreRefusedInOneSentence() throws {
      #expect {
        try Recording.start(writingTo: "/nowhere/t.lark", options: .init(maximumDepth: 0))
      } throws: {
        "\($0)".contains("the depth limit must be 1…255")
      }
      _ = try record { recording in
        #expect(throws: RecordingError.self) { try recording.leaveOut(deeperThan: 256) }
        #expect(throws: RecordingError.self) {
          try recording.leaveOut(shorterThan: .milliseconds(-1))
        }
      }
    }

    @Test func theEnvironmentSaysWhatToLeaveOut() throws {
      let folder = TemporaryFolder()
      func run(_ name: String, _ value: String) throws -> Probe.Result {
        try Probe.run(
          "environment", "-",
          environment: ["FLAMELARK_RECORD": folder.file("\(name)-%p.lark"), name: value])
      }
      let short = try run("FLAMELARK_MINIMUM_DURATION", "2s")
      let trace = try Trace(
        contentsOf: short.output.trimmingCharacters(in: .whitespacesAndNewlines))
      #expect(trace.source.minimumDuration == 2_000_000_000)
      #expect(trace.sums().map(\.line) == ["work in - × 1"])
      let deep = try run("FLAMELARK_MAXIMUM_DEPTH", "7")
      let limited = try Trace(
        contentsOf: deep.output.trimmingCharacters(in: .whitespacesAndNewlines))
      #expect(limited.source.maximumDepth == 7)
      let named = try run("FLAMELARK_FILTERS", "name=work,depth=0;category=text,minimum=3ms")
      let filtered = try Trace(
        contentsOf: named.output.trimmingCharacters(in: .whitespacesAndNewlines))
      #expect(filtered.sums().map(\.line) == ["(deeper) in - × 1"])
      #expect(
        filtered.source.filters.first?.exceptions.map(\.text) == ["work", "text"])
      for (name, value) in [
        ("FLAMELARK_MINIMUM_DURATION", "soon"), ("FLAMELARK_FILTERS", "name=work,depth=x"),
        ("FLAMELARK_FILTERS", "depth=3"), ("FLAMELARK_FILTERS", "work"),
        ("FLAMELARK_FILTERS", "name=work,depth=256"),
      ] {
        let wrong = try run(name, value)
        #expect(wrong.status != 0, "\(value)")
        #expect(wrong.errors.contains("FLAMELARK_MINIMUM_DURATION=50us"))
      }
    }

    @Test func aRecordingThatIsFullStops() throws {
      let trace = try record(.init(maximumSize: 300_000)) {
        for _ in 0..<100_000 { withSpan("work") {} }
      }
      #expect((16_000..<22_000).contains(trace.spans.count))
      #expect(
        trace.issues.map(\.text) == ["recordings that ended at the size they might have"])
    }

    @Test func aRecordingThatGoesRoundKeepsTheLastTwoFiles() throws {
      let folder = TemporaryFolder()
      let path = folder.file("t.lark")
      try OneRecording.alone {
        let recording = try Recording.start(
          writingTo: path, options: .init(maximumSize: 300_000, whenFull: .rotate))
        let frames = FrameSeries("loop", refresh: .hertz(60))
        for number in 0..<100_000 {
          if number % 1000 == 0 { frames.mark() }
          withSpan("work") { withSpan("inside") {} }
        }
        withSpan("last") {}
        try recording.stop()
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(files.count == 2, "\(files)")
      let traces = try files.map { try Trace(contentsOf: folder.file($0)) }
        .sorted { ($0.wallClockZero ?? 0) < ($1.wallClockZero ?? 0) }
      for trace in traces {
        try trace.checkInvariants()
        #expect(trace.source.ending == .stopped)
        #expect(trace.frameSeries.first?.frames.first?.number == 0)
      }
      #expect(traces.last?.durations(of: "last").count == 1)
      #expect(try #require(traces.first).spans.count > 16_000)
    }
  }
}
