import Flamelark
import FlamelarkFormat
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

extension RecordingTests {
  @Suite struct FrameTests {
    @Test func marksDivideTheSpansBetweenFrames() throws {
      let trace = try record {
        let frames = FrameSeries("game", refresh: .hertz(100))
        for _ in 0..<5 {
          frames.mark()
          withSpan("work") {}
        }
        frames.mark()
      }
      let series = try #require(trace.frameSeries.first)
      #expect(series.name == "game")
      #expect(series.mode == .marks)
      #expect(series.refresh == 10_000_000)
      #expect(series.frames.count == 6)
      for (frame, next) in zip(series.frames, series.frames.dropFirst()) {
        #expect(frame.target == frame.timestamp + 10_000_000)
        let inside = (0..<trace.spans.count).filter {
          trace.spans.start[$0] >= frame.begin && trace.spans.end[$0] <= next.begin
        }
        #expect(inside.count == 1)
      }
    }

    @Test func whatTheRecorderMarksIsLateByTheRule() throws {
      let trace = try record {
        let frames = FrameSeries("game", refresh: .hertz(200))
        frames.mark()
        for number in 0..<30 {
          usleep(number % 7 == 3 ? 12_000 : 3_000)
          frames.mark()
        }
      }
      let series = try #require(trace.frameSeries.first)
      var late: [Trace.RecordedHitch] = []
      for (frame, next) in zip(series.frames, series.frames.dropFirst()) {
        let lateness = Lateness.lateness(
          end: next.timestamp, target: try #require(frame.target),
          interval: try #require(frame.interval))
        if lateness > 0 { late.append(.init(frame: frame.number, lateness: lateness)) }
      }
      #expect(late.count >= 4)
      #expect(series.markedByRecorder == late)
    }

    @Test func aDisplayLinkSaysWhenFramesAreDue() throws {
      let clock = SuspendingClock()
      let start = clock.now
      let trace = try record {
        let frames = FrameSeries("screen", refresh: .hertz(60))
        // In time; late by 30 ms; its target can't be; again in time.
        let timestamps = [0, 10, 50, 60, 70].map { start + .milliseconds($0) }
        for (number, timestamp) in timestamps.enumerated() {
          let target = number == 2 ? timestamp : timestamp + .milliseconds(10)
          let frame = frames.begin(timestamp: timestamp, target: target)
          #expect(frame.number == Int64(number))
          withSpan("layout") {}
          frame.end()
        }
      }
      let series = try #require(trace.frameSeries.first)
      #expect(series.mode == .displayLink)
      let first = try #require(series.frames.first).timestamp
      #expect(
        series.frames.map { $0.timestamp - first } == [0, 10, 50, 60, 70].map { $0 * 1_000_000 })
      #expect(series.frames.map(\.interval) == Array(repeating: 10_000_000, count: 5))
      #expect(series.frames.map(\.targetIsEstimated) == [false, false, true, false, false])
      #expect(series.markedByRecorder == [.init(frame: 1, lateness: 30_000_000)])
      #expect(series.frames.allSatisfy { ($0.end ?? 0) >= $0.begin })
    }

    /// The file is full at a frame, for there is nothing else in it: the next begins with that frame.
    @Test func framesOfARecordingThatGoesRoundAreNumberedByFile() throws {
      let folder = TemporaryFolder()
      try OneRecording.alone {
        let recording = try Recording.start(
          writingTo: folder.file("t.lark"), options: .init(maximumSize: 300_000, whenFull: .rotate))
        let frames = FrameSeries("game", refresh: .hertz(1e9))
        for _ in 0..<20_000 { frames.mark() }
        try recording.stop()
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(files.count == 2, "\(files)")
      for file in files {
        let trace = try Trace(contentsOf: folder.file(file))
        let series = try #require(trace.frameSeries.first)
        let numbers = series.frames.map(\.number)
        #expect(numbers == Array(numbers.indices))
        #expect(trace.issues.isEmpty, "\(trace.issues)")
      }
    }

    /// It takes over the tables of a thread that ended with sums in them.
    @Test func aThreadThatIsNamedAndThenMarksAFrameRecordsIt() throws {
      let trace = try record(.init(minimumDuration: .seconds(1_000))) {
        var token: OpenSpan?
        unsafe withUnsafeMutablePointer(to: &token) { pointer in
          nonisolated(unsafe) let pointer = unsafe pointer
          onThread {
            unsafe pointer.pointee = beginSpan("around")
            withSpan("left out") {}
          }
        }
        let frames = FrameSeries("game", refresh: .hertz(100))
        onThread {
          Recording.nameThread("named")
          frames.mark()
        }
        token.take()?.end()
      }
      #expect(trace.frameSeries.first?.frames.count == 1)
      #expect(trace.sums().map(\.name) == ["left out"])
    }

    @Test func aRefreshToldTwiceIsOneFrame() throws {
      let start = SuspendingClock().now
      let trace = try record {
        let frames = FrameSeries("screen", refresh: .hertz(60))
        for _ in 0..<2 {
          let frame = frames.begin(timestamp: start, target: start + .milliseconds(16))
          #expect(frame.number == 0)
          frame.end()
        }
      }
      #expect(trace.frameSeries.first?.frames.count == 1)
    }

    @Test func aClockThatGoesBackBeginsASegment() throws {
      let start = SuspendingClock().now
      let trace = try record {
        let frames = FrameSeries("screen", refresh: .hertz(60))
        for offset in [0, 100, 20, 30] {
          let time = start + .milliseconds(offset)
          frames.begin(timestamp: time, target: time + .milliseconds(10)).end()
        }
      }
      let series = try #require(trace.frameSeries.first)
      #expect(series.frames.map(\.beginsSegment) == [false, false, true, false])
      #expect(series.markedByRecorder == [.init(frame: 0, lateness: 90_000_000)])
    }

    @Test func restingIsNotAHitch() throws {
      let trace = try record {
        let frames = FrameSeries("screen", refresh: .hertz(100))
        let start = SuspendingClock().now
        frames.begin(timestamp: start, target: start + .milliseconds(10)).end()
        usleep(200_000)
        let later = SuspendingClock().now
        frames.begin(timestamp: later, target: later + .milliseconds(10)).end()
      }
      #expect(trace.frameSeries.first?.markedByRecorder == [])
    }

    @Test func hitchesThatTheProgramCallsComeBackWithTheirReason() throws {
      let trace = try record {
        let frames = FrameSeries("game", refresh: .hertz(60))
        frames.mark()
        frames.mark()
        frames.markHitch("shader compiled")
        frames.mark()
      }
      let series = try #require(trace.frameSeries.first)
      #expect(series.markedByProgram.map(\.frame) == [1])
      #expect(series.markedByProgram.map { trace.names[$0.reason] } == ["shader compiled"])
    }

    @Test func aSeriesCountsAnewInEachRecording() throws {
      let frames = FrameSeries("game", refresh: .hertz(60))
      for _ in 0..<2 {
        let trace = try record {
          frames.mark()
          frames.mark()
        }
        #expect(trace.frameSeries.map(\.name) == ["game"])
        #expect(trace.frameSeries.first?.frames.map(\.number) == [0, 1])
      }
    }

    @Test func activitiesCountersAndMarkersComeBack() throws {
      let trace = try record {
        let frames = FrameSeries("list", refresh: .hertz(60))
        let entities = Counter("entities")
        frames.mark()
        let scroll = frames.beginActivity("scroll")
        withActivity("transition") {
          entities.record(7)
          entities.record(-3)
        }
        Marker("level loaded").record()
        scroll.end()
        let open = frames.beginActivity("open")
        withSpan("last") {}
        try Recording.startIfRequested()?.stop()
        _ = consume open
      }
      #expect(
        trace.activities.map { trace.names[$0.name] } == ["scroll", "transition", "open"])
      #expect(trace.activities.map(\.series) == [0, nil, 0])
      let ranges = trace.activities.map(\.range)
      #expect(ranges[0].lowerBound <= ranges[1].lowerBound)
      #expect(ranges[0].upperBound >= ranges[1].upperBound)
      #expect(trace.counters.map { trace.names[$0.name] } == ["entities"])
      #expect(trace.counters.first?.values == [7, -3])
      let marker = try #require(trace.markers.first)
      #expect(trace.names[trace.callSites[Int(marker.site.index)].name] == "level loaded")
      #expect(marker.time >= ranges[1].upperBound && marker.time <= ranges[0].upperBound)
    }
  }
}
