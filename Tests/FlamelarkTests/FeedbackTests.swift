import Flamelark
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

extension RecordingTests {
  /// What is told of frames later, of rest between them and of their stages.
  @Suite struct FeedbackTests {
    private func begin(
      _ frames: FrameSeries, _ time: SuspendingClock.Instant
    ) -> FrameSeries.FrameID {
      let frame = frames.begin(timestamp: time, target: time + .milliseconds(10))
      let id = frame.id
      #expect(id.number == frame.number)
      frame.end()
      return id
    }

    @Test func idsOfOtherFramesDoNothing() throws {
      let frames = FrameSeries("screen", refresh: .hertz(100))
      let other = FrameSeries("other", refresh: .hertz(100))
      let start = SuspendingClock().now
      let unrecorded = begin(frames, start)
      #expect(unrecorded == .none)
      var earlier = FrameSeries.FrameID.none
      _ = try record { earlier = begin(frames, start) }
      let trace = try record {
        let id = begin(frames, start)
        let foreign = begin(other, start)
        #expect(id != earlier)
        #expect(id.number == earlier.number)
        for wrong in [unrecorded, earlier, foreign] {
          frames.presented(wrong, at: start)
          frames.discarded(wrong)
        }
      }
      #expect(trace.frameSeries.map(\.mode) == [.displayLink, .displayLink])
      #expect(trace.frameSeries.allSatisfy { $0.frames.allSatisfy { $0.presented == nil } })
      #expect(trace.issues.isEmpty, "\(trace.issues)")
    }

    @Test func absurdTimesAreNoHarm() throws {
      let trace = try record {
        let frames = FrameSeries("screen", refresh: .hertz(100))
        let start = SuspendingClock().now
        for number in 0..<4 {
          let id = begin(frames, start + .milliseconds(10 * number))
          let years = Duration.seconds(number % 2 == 0 ? 1 << 50 : -1 << 50)
          frames.presented(id, at: start + years)
        }
      }
      #expect(trace.frameSeries.first?.frames.count == 4)
      #expect(trace.frameSeries.first?.mode == .presented)
    }

    @Test func feedbackThatComesTooLateIsNotRecorded() throws {
      let trace = try record {
        let frames = FrameSeries("screen", refresh: .hertz(100))
        let start = SuspendingClock().now
        let ids = (0..<257).map { begin(frames, start + .milliseconds(10 * $0)) }
        frames.presented(ids[0], at: start)
        frames.presented(ids[1], at: start + .milliseconds(20))
      }
      let series = try #require(trace.frameSeries.first)
      #expect(series.frames.indices.filter { series.frames[$0].presented != nil } == [1])
    }

    /// The recorder could not know yet that the series would be judged by when frames were shown.
    @Test func marksBeforeTheFirstFeedbackDontContradictIt() throws {
      let trace = try record {
        let frames = FrameSeries("screen", refresh: .hertz(100))
        let start = SuspendingClock().now
        // Begun late, shown in time.
        let ids = [0, 30, 40, 50].map { begin(frames, start + .milliseconds($0)) }
        for (id, time) in zip(ids, [10, 40, 50, 60]) {
          frames.presented(id, at: start + .milliseconds(time))
        }
      }
      let series = try #require(trace.frameSeries.first)
      #expect(series.mode == .presented)
      #expect(series.markedByRecorder == [])
    }

    @Test func restsComeBackWithTheirTimesAndFrames() throws {
      let trace = try record {
        let frames = FrameSeries("screen", refresh: .hertz(100))
        let start = SuspendingClock().now
        _ = begin(frames, start)
        frames.needsNoFrame()
        _ = begin(frames, start + .milliseconds(10))
        usleep(3000)
        frames.needsFrame()
        _ = begin(frames, start + .milliseconds(20))
        frames.pause()
        _ = begin(frames, start + .milliseconds(30))
        frames.pause()
        usleep(3000)
        frames.resume()
      }
      let series = try #require(trace.frameSeries.first)
      #expect(series.rests.map(\.kind) == [.noFrameNeeded, .paused, .paused])
      #expect(series.rests.map(\.frame) == [0, 2, 3])
      #expect(series.rests[0].range.count >= 3_000_000)
      #expect(series.rests[1].range.upperBound == series.frames[3].begin)
      #expect(series.rests[2].range.count >= 3_000_000)
      #expect(series.rests.allSatisfy { !$0.isUnfinished })
      #expect(series.frames.map(\.beginsSegment) == [false, false, false, true])
      #expect(series.frames.map(\.isRequested) == [nil, false, true, true])
    }

    /// What the program said while nothing was recorded holds for what is recorded then.
    @Test func whetherFramesAreNeededIsKnownFromTheStart() throws {
      let frames = FrameSeries("game", refresh: .hertz(100))
      frames.needsNoFrame()
      let resting = try record { frames.mark() }
      #expect(resting.frameSeries.first?.frames.map(\.isRequested) == [false])
      frames.needsFrame()
      let working = try record { frames.mark() }
      #expect(working.frameSeries.first?.frames.map(\.isRequested) == [true])
    }

    @Test func aPauseEndsTheFrameOfALoopOfMarks() throws {
      let trace = try record {
        let frames = FrameSeries("game", refresh: .hertz(200))
        frames.mark()
        usleep(12_000)
        frames.pause()
        usleep(30_000)
        frames.mark()
        frames.mark()
      }
      let series = try #require(trace.frameSeries.first)
      #expect(series.frames.map(\.beginsSegment) == [false, true, false])
      let mark = try #require(series.markedByRecorder.first)
      #expect(series.markedByRecorder.count == 1)
      #expect(mark.frame == 0)
      let pause = try #require(series.rests.first).range.lowerBound
      #expect(mark.lateness == pause - (series.frames[0].target ?? 0))
    }

    @Test func stagesSayWhichFrameTheyWorkFor() throws {
      let trace = try record {
        let frames = FrameSeries("screen", refresh: .hertz(100))
        let start = SuspendingClock().now
        for number in 0..<5 {
          let time = start + .milliseconds(10 * number)
          let frame = frames.begin(timestamp: time, target: time + .milliseconds(10))
          frame.stage("layout") { withSpan("cells") {} }
          let id = frame.id
          onThread { #expect(id.stage("render") { 7 } == 7) }
          frame.end()
        }
        FrameSeries.FrameID.none.stage("of nothing") {}
      }
      #expect(trace.stages.count == 10)
      for name in ["layout", "render"] {
        let stages = trace.stages.filter { trace.name(ofSpan: $0.span) == name }
        #expect(stages.map(\.frame).sorted() == [0, 1, 2, 3, 4])
        #expect(stages.allSatisfy { $0.series == 0 })
      }
      #expect(trace.durations(of: "of nothing").count == 1)
      #expect(trace.durations(of: "cells").count == 5)
      #expect(trace.issues.isEmpty, "\(trace.issues)")
    }

    @Test func stagesAroundAwaitAreOnTheRowsOfTheirTasks() throws {
      let trace = try record {
        let frames = FrameSeries("screen", refresh: .hertz(100))
        let start = SuspendingClock().now
        let done = DispatchSemaphore(value: 0)
        for number in 0..<5 {
          let id = begin(frames, start + .milliseconds(10 * number))
          Task.detached {
            await id.stage("decode") { await Task.yield() }
            done.signal()
          }
        }
        for _ in 0..<5 { done.wait() }
      }
      #expect(trace.stages.map(\.frame).sorted() == [0, 1, 2, 3, 4])
      #expect(trace.stages.allSatisfy { trace.name(ofSpan: $0.span) == "decode" })
      for stage in trace.stages {
        let track = try #require(trace.tracks.first { $0.spans.contains(stage.span) })
        #expect(track.kind == .task)
      }
      #expect(trace.issues.isEmpty, "\(trace.issues)")
    }

    @Test func aStageOfAnEarlierRecordingIsASpan() throws {
      let frames = FrameSeries("screen", refresh: .hertz(100))
      var id = FrameSeries.FrameID.none
      _ = try record { id = begin(frames, SuspendingClock().now) }
      let trace = try record {
        _ = begin(frames, SuspendingClock().now)
        id.stage("late") {}
      }
      #expect(trace.stages.isEmpty)
      #expect(trace.durations(of: "late").count == 1)
    }

    @Test func timeLeftNeedsNoRecording() {
      let frames = FrameSeries("screen", refresh: .hertz(1))
      let now = SuspendingClock().now
      let given = frames.begin(timestamp: now, target: now + .seconds(500))
      #expect(given.target == now + .seconds(500))
      #expect(given.timeLeft > .seconds(300) && given.timeLeft <= .seconds(500))
      let made = frames.begin(timestamp: now + .seconds(100), target: nil)
      #expect(made.target == now + .seconds(101))
      let past = frames.begin(timestamp: now - .seconds(5), target: now - .seconds(9))
      #expect(past.target == now - .seconds(4))
      #expect(past.timeLeft < .zero)
    }

    @Test func stagesAndFeedbackSurvivePacking() throws {
      let folder = TemporaryFolder()
      let path = folder.file("test.lark")
      try OneRecording.alone {
        let recording = try Recording.start(writingTo: path)
        let frames = FrameSeries("screen", refresh: .hertz(100))
        let start = SuspendingClock().now
        for number in 0..<50 {
          let id = begin(frames, start + .milliseconds(10 * number))
          id.stage("render") {}
          if number % 5 == 0 { frames.discarded(id) } else { frames.presented(id, at: start) }
          if number % 7 == 0 { frames.pause() }
        }
        try recording.stop()
      }
      var packed: [UInt8] = []
      _ = unsafe try RecordingCopy(of: path).write(packed: true) {
        unsafe packed.append(contentsOf: $0)
      }
      let copy = folder.file("copy.lark")
      try Data(packed).write(to: URL(fileURLWithPath: copy))
      let (first, second) = try (Trace(contentsOf: path), Trace(contentsOf: copy))
      #expect(first.frameSeries.map(\.frames) == second.frameSeries.map(\.frames))
      #expect(first.frameSeries.map(\.rests) == second.frameSeries.map(\.rests))
      #expect(first.stages == second.stages)
      #expect(first.stages.count == 50)
      #expect(first.frameSeries.first?.rests.count == 8)
    }
  }
}
