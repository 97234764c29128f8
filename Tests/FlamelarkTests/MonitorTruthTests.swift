import FlamelarkAnalysis
import FlamelarkTrace
import Synchronization
import Testing
import _FlamelarkTestSupport

@testable import Flamelark

extension RecordingTests {
  /// What monitors tell, against what the analysis finds in a trace recorded beside them.
  @Suite struct MonitorTruthTests {
    static let seeds = (0..<8).map { _ in UInt64.random(in: 0...UInt64.max) }

    /// The frames that count, from a number on.
    private func counted(_ judged: JudgedFrames, from first: Int = 0) -> [JudgedFrames.Frame] {
      judged.frames.filter { $0.isCountable && !$0.isIdle && $0.number >= first }
    }

    /// Holds each second against its part of the frames.
    ///
    /// - Returns: The frames behind the last second.
    private func expect(
      _ seconds: [FrameMonitor.Second], are frames: [JudgedFrames.Frame], _ note: Comment
    ) -> ArraySlice<JudgedFrames.Frame> {
      var rest = frames[...]
      for (place, second) in seconds.enumerated() {
        let part = rest.prefix(second.frames)
        rest = rest.dropFirst(second.frames)
        let late = part.filter { $0.lateness > 0 }
        let active = part.reduce(0) { $0 + $1.activeTime }
        #expect(part.count == second.frames && !part.isEmpty, note)
        #expect(second.hitches == late.count, note)
        #expect(second.hitchTime == .nanoseconds(late.reduce(0) { $0 + $1.lateness }), note)
        #expect(second.activeTime == .nanoseconds(active), note)
        // It was full with its last frame, and not before.
        #expect(active >= 1_000_000_000, note)
        #expect(active - (part.last?.activeTime ?? 0) < 1_000_000_000, note)
        let worst = part.max {
          ($0.lateness, $0.activeTime, -$0.number) < ($1.lateness, $1.activeTime, -$1.number)
        }
        #expect(second.worstFrame.number == worst.map { Int64($0.number) }, note)
        #expect(second.worstFrame.lateness == worst.map { .nanoseconds($0.lateness) }, note)
        #expect(second.worstFrame.duration == worst.map { .nanoseconds($0.activeTime) }, note)
        #expect(second.fps == Double(part.count) / Double(active) * 1e9, note)
        if place > 1000 { break }
      }
      return rest
    }

    @Test(arguments: seeds, RandomLoop.Kind.allCases)
    func secondsAddUpToWhatTheAnalysisFinds(seed: UInt64, kind: RandomLoop.Kind) throws {
      let note = Comment("seed \(seed), \(kind)")
      var loop = RandomLoop(kind, seed: seed)
      let told = ToldSeconds()
      let trace = try record {
        let monitor = FrameMonitor(of: loop.frames) { told.take($0) }
        loop.run(passes: 2000)
        loop.tellAll()
        monitor.stop()
      }
      let series = try #require(trace.frameSeries.first)
      let judged = JudgedFrames(of: series, in: trace)
      let frames = counted(judged)
      let seconds = told.all
      let rest = expect(seconds, are: frames, note)
      #expect(seconds.count >= 5, note)
      #expect(seconds.reduce(0) { $0 + $1.hitches } > 20, note)
      // Gap-free: with what the unfinished second has they are the whole.
      let active = seconds.reduce(0) { $0 + $1.activeNanoseconds }
      let left = rest.reduce(0) { $0 + $1.activeTime }
      #expect(active + left == judged.activeTime, note)
      if kind == .shownInPart {
        // What nobody tells of is decided when 256 more have begun.
        #expect((rest.first?.number ?? .max) >= series.frames.count - 500, note)
      } else {
        #expect(left < 1_000_000_000, note)
      }
    }

    @Test(arguments: seeds) func severalMonitorsOfOneSeriesHaveEachTheirOwnSeconds(
      seed: UInt64
    ) throws {
      let note = Comment("seed \(seed)")
      var loop = RandomLoop(.displayLink, seed: seed)
      let (first, later) = (ToldSeconds(), ToldSeconds())
      var begin = 0
      let trace = try record {
        let monitor = FrameMonitor(of: loop.frames) { first.take($0) }
        loop.run(passes: 100 + Int(seed % 200))
        begin = Int(loop.frames.recorder.state.withLock { $0.frame.number }) + 1
        var other: FrameMonitor? = FrameMonitor(of: loop.frames) { later.take($0) }
        loop.run(passes: 700)
        other = nil
        loop.run(passes: 300)
        monitor.stop()
        _ = other.take()
      }
      let series = try #require(trace.frameSeries.first)
      let judged = JudgedFrames(of: series, in: trace)
      _ = expect(first.all, are: counted(judged), note)
      _ = expect(later.all, are: counted(judged, from: begin), note)
      #expect(later.all.count >= 3 && first.all.count > later.all.count + 1, note)
      #expect(first.all != later.all, note)
    }

    /// Each of its own kind, in turns.
    @Test(arguments: seeds.prefix(3)) func severalSeriesDontMix(seed: UInt64) throws {
      var loops = RandomLoop.Kind.allCases.dropLast().map { RandomLoop($0, seed: seed) }
      let told = loops.map { _ in ToldSeconds() }
      let trace = try record {
        let first = FrameMonitor(of: loops[0].frames) { told[0].take($0) }
        let second = FrameMonitor(of: loops[1].frames) { told[1].take($0) }
        let third = FrameMonitor(of: loops[2].frames) { told[2].take($0) }
        for _ in 0..<100 { for index in loops.indices { loops[index].run(passes: 8) } }
        for index in loops.indices { loops[index].tellAll() }
        first.stop()
        second.stop()
        third.stop()
      }
      #expect(trace.frameSeries.count == 3)
      for (series, told) in zip(trace.frameSeries, told) {
        let judged = JudgedFrames(of: series, in: trace)
        _ = expect(told.all, are: counted(judged), "seed \(seed), \(series.mode)")
        #expect(told.all.count >= 3, "seed \(seed)")
      }
    }

    /// The same seconds, but for the numbers of frames, which are those of the recording.
    @Test(arguments: seeds.prefix(3), RandomLoop.Kind.allCases)
    func whatIsNotRecordedIsJudgedTheSame(seed: UInt64, kind: RandomLoop.Kind) throws {
      let (recorded, unrecorded) = (ToldSeconds(), ToldSeconds())
      func run(_ told: ToldSeconds) {
        var loop = RandomLoop(kind, seed: seed)
        let monitor = FrameMonitor(of: loop.frames) { told.take($0) }
        loop.run(passes: 1000)
        loop.tellAll()
        monitor.stop()
      }
      _ = try record { run(recorded) }
      OneRecording.alone { run(unrecorded) }
      #expect(unrecorded.all.count >= 3)
      #expect(unrecorded.all.allSatisfy { $0.worstFrame.number == nil })
      #expect(recorded.all.allSatisfy { $0.worstFrame.number != nil })
      #expect(unrecorded.all.map(withoutNumber) == recorded.all.map(withoutNumber), "\(seed)")
    }

    private func withoutNumber(_ second: FrameMonitor.Second) -> FrameMonitor.Second {
      FrameMonitor.Second(
        frames: second.frames, hitches: second.hitches,
        hitchNanoseconds: second.hitchNanoseconds, activeNanoseconds: second.activeNanoseconds,
        worstFrame: FrameMonitor.Frame(
          number: nil, nanoseconds: second.worstFrame.nanoseconds,
          lateNanoseconds: second.worstFrame.lateNanoseconds))
    }
  }
}
