import FlamelarkFormat
import FlamelarkTrace
import Foundation
import Synchronization
import Testing
import _FlamelarkTestSupport

@testable import Flamelark

extension RecordingTests {
  /// What monitors promise beside their figures.
  @Suite struct MonitorTests {
    private let frames = FrameSeries("loop", refresh: .hertz(100))

    /// A mark at so many milliseconds from now on.
    private func mark(_ milliseconds: Int, since start: Int64) {
      frames.recorder.mark(
        at: .init(tick: nil, time: start + Int64(milliseconds) * 1_000_000))
    }

    @Test func aSecondSaysHowItsFramesCame() throws {
      let told = ToldSeconds()
      OneRecording.alone {
        let monitor = FrameMonitor(of: frames) { told.take($0) }
        let start = FrameRecorder.Moment.now.time
        // 10 ms each, but one of 40 and one of 25; 97 frames fill the second.
        var time = 0
        for frame in 0...97 {
          mark(time, since: start)
          time += frame == 20 ? 40 : frame == 50 ? 25 : 10
        }
        monitor.stop()
      }
      let second = try #require(told.all.first)
      #expect(told.all.count == 1)
      #expect(second.frames == 96)
      #expect(second.hitches == 2)
      #expect(second.hitchTime == .milliseconds(45))
      #expect(second.activeTime == .milliseconds(1005))
      #expect(second.worstFrame.duration == .milliseconds(40))
      #expect(second.worstFrame.lateness == .milliseconds(30))
      #expect(second.worstFrame.number == nil)
      #expect(abs(second.fps - 96 / 1.005) < 1e-9)
      #expect(abs(second.hitchRatio - 45 / 1.005) < 1e-9)
    }

    @Test func aStallOfSecondsIsOneFrameOfOneSecond() {
      let told = ToldSeconds()
      OneRecording.alone {
        let monitor = FrameMonitor(of: frames) { told.take($0) }
        let start = FrameRecorder.Moment.now.time
        for time in [0, 10, 5010, 5020] { mark(time, since: start) }
        monitor.stop()
      }
      #expect(told.all.map(\.frames) == [2])
      #expect(told.all.map(\.activeTime) == [.milliseconds(5010)])
      #expect(told.all.map(\.worstFrame.lateness) == [.milliseconds(4990)])
    }

    @Test func aPauseIsNoActiveTime() {
      let told = ToldSeconds()
      OneRecording.alone {
        let monitor = FrameMonitor(of: frames) { told.take($0) }
        let start = FrameRecorder.Moment.now.time
        for frame in 0..<60 { mark(frame * 10, since: start) }
        frames.recorder.note(.paused, at: start + 600_000_000)
        #expect(told.all.isEmpty)
        for frame in 0...40 { mark(900_000 + frame * 10, since: start) }
        monitor.stop()
      }
      #expect(told.all.map(\.frames) == [100])
      #expect(told.all.map(\.activeTime) == [.seconds(1)])
      #expect(told.all.map(\.hitches) == [0])
    }

    @Test func aMonitorThatEndedIsToldNothing() {
      let (told, scoped) = (ToldSeconds(), ToldSeconds())
      OneRecording.alone {
        let monitor = FrameMonitor(of: frames) { told.take($0) }
        let start = FrameRecorder.Moment.now.time
        do {
          let other = FrameMonitor(of: frames) { scoped.take($0) }
          for frame in 0...150 { mark(frame * 10, since: start) }
          _ = other
        }
        #expect(frames.recorder.isFollowed)
        for frame in 151...250 { mark(frame * 10, since: start) }
        monitor.stop()
        #expect(!frames.recorder.isFollowed)
        for frame in 251...500 { mark(frame * 10, since: start) }
      }
      #expect(told.all.count == 2)
      #expect(scoped.all.count == 1)
    }

    /// In the call frames end, and monitors come and go: this one too.
    @Test func theCallMayDoWhatTheProgramDoes() {
      final class Held: Sendable {
        private let monitor = Mutex<FrameMonitor?>(nil)
        func hold(
          _ frames: FrameSeries, _ report: @escaping @Sendable (FrameMonitor.Second) -> Void
        ) {
          let new = FrameMonitor(of: frames, report)
          var old: FrameMonitor? = new
          monitor.withLock { swap(&$0, &old) }
        }
        func stop() { monitor.withLock { $0.take() }?.stop() }
      }
      let held = Held()
      let (told, inner) = (ToldSeconds(), ToldSeconds())
      OneRecording.alone {
        let start = FrameRecorder.Moment.now.time
        let frames = frames
        held.hold(frames) { second in
          told.take(second)
          frames.recorder.mark(at: .init(tick: nil, time: start + 1_001_000_000))
          frames.pause()
          held.stop()
          held.hold(frames) { inner.take($0) }
        }
        for frame in 0...100 { mark(frame * 10, since: start) }
        #expect(told.all.map(\.frames) == [100])
        for frame in 0...200 { mark(2000 + frame * 10, since: start) }
        held.stop()
      }
      #expect(told.all.count == 1)
      #expect(inner.all.map(\.frames) == [100, 100])
    }

    /// Frames that begin late, each second time, and are shown in time: what has been judged by its
    /// beginning in the second that runs is judged again, what was told is not.
    @Test func theFirstWordOfWhenFramesAreShownMakesThatCount() {
      let told = ToldSeconds()
      OneRecording.alone {
        let monitor = FrameMonitor(of: frames) { told.take($0) }
        let start = FrameRecorder.Moment.now.time
        func shown(_ number: Int) -> Int64 { start + Int64(number * 10 + 10) * 1_000_000 }
        func begin(_ number: Int) -> FrameSeries.FrameID {
          let timestamp = start + Int64(number * 10 + number % 2 * 5) * 1_000_000
          return frames.recorder.begin(
            timestamp: timestamp, target: shown(number), at: .init(tick: nil, time: timestamp))
        }
        let ids = (0..<150).map(begin)
        #expect(told.all.map(\.hitches) == [50])
        for (number, id) in ids.enumerated() {
          frames.recorder.presented(id, at: shown(number))
        }
        for number in 150...250 {
          frames.recorder.presented(begin(number), at: shown(number))
        }
        monitor.stop()
      }
      #expect(told.all.map(\.hitches) == [50, 0])
      #expect(told.all.map(\.activeTime) == [.seconds(1), .seconds(1)])
      #expect(told.all.map(\.frames) == [100, 100])
    }

    /// Real time and a real thread, with all that is public.
    @Test func aLoopIsToldOnceASecond() throws {
      let told = ToldSeconds()
      let threads = Mutex<Set<UInt>>([])
      var elapsed = 0.0
      OneRecording.alone {
        let monitor = FrameMonitor(of: frames) { second in
          told.take(second)
          threads.withLock { _ = $0.insert(UInt(pthread_self())) }
        }
        let start = Date()
        while told.all.count < 2, Date().timeIntervalSince(start) < 20 {
          frames.mark()
          usleep(5_000)
        }
        elapsed = Date().timeIntervalSince(start)
        monitor.stop()
      }
      #expect(told.all.count == 2)
      #expect(elapsed >= 2)
      #expect(told.all.allSatisfy { $0.fps > 0 && $0.fps < 200 })
      #expect(threads.withLock { $0 } == [UInt(pthread_self())])
    }

    @Test func instantsAreWholeNanosecondsOfTheSystemsClock() {
      var random = SeededGenerator(seed: 7)
      let zero = SuspendingClock().systemEpoch
      for _ in 0..<20_000 {
        let seconds =
          Int64.random(in: -1 << 34...1 << 34, using: &random)
          >> Int64.random(
            in: 0...34, using: &random)
        let attoseconds = Int64.random(in: 0..<1_000_000_000_000_000_000, using: &random)
        let instant = zero + Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
        let parts = zero.duration(to: instant).components
        let (whole, overflow) = parts.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = whole.addingReportingOverflow(parts.attoseconds / 1_000_000_000)
        let expected = overflow || carry ? (parts.seconds < 0 ? .min + 1 : .max) : sum
        #expect(FrameRecorder.nanoseconds(instant) == expected)
      }
    }

    @Test func framesThatNobodyFollowsHaveNoID() {
      OneRecording.alone {
        let now = SuspendingClock().now
        let unfollowed = frames.begin(timestamp: now, target: nil)
        #expect(unfollowed.id == .none)
        unfollowed.end()
        let other = FrameSeries("other", refresh: .hertz(60))
        let monitor = FrameMonitor(of: frames) { _ in }
        let foreign = other.begin(timestamp: now, target: nil)
        #expect(foreign.id == .none)
        foreign.end()
        let watched = frames.begin(timestamp: now, target: nil)
        #expect(watched.id != .none)
        #expect(watched.number == -1)
        let again = frames.begin(timestamp: now, target: nil)
        #expect(again.id == watched.id)
        again.end()
        watched.end()
        monitor.stop()
      }
    }

    /// Monitors come and go on other threads while frames run, recorded and not.
    @Test func monitorsComeAndGoWhileFramesRun() throws {
      let isOver = Atomic(false)
      let calls = Atomic(0)
      let frames = frames
      let trace = try record {
        let group = DispatchGroup()
        for _ in 0..<3 {
          group.enter()
          Thread.detachNewThread {
            while !isOver.load(ordering: .relaxed) {
              let monitor = FrameMonitor(of: frames) { _ in
                calls.add(1, ordering: .relaxed)
              }
              if Bool.random() { usleep(20) }
              monitor.stop()
            }
            group.leave()
          }
        }
        var time = FrameRecorder.Moment.now.time
        for _ in 0..<20_000 {
          time += 300_000_000
          frames.recorder.mark(at: .init(tick: nil, time: time))
        }
        isOver.store(true, ordering: .relaxed)
        group.wait()
      }
      #expect(trace.frameSeries.first?.frames.count == 20_000)
      #expect(!frames.recorder.isFollowed)
      #expect(frames.recorder.state.withLock { $0.watch == nil })
    }
  }
}
