import Flamelark
import FlamelarkAnalysis
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

extension RecordingTests {
  /// Frames that a simulated compositor shows, drops and tells of, against its own log.
  @Suite struct CompositorTests {
    static let interval = Duration.milliseconds(8)
    static let seeds = (0..<6).map { _ in UInt64.random(in: 0...UInt64.max) }

    /// A program on a display of 125 Hz: what it is told, it passes on, every second time on another
    /// thread.
    private struct Run {
      let frames: FrameSeries
      let start = SuspendingClock().now
      var compositor: SimulatedCompositor
      var random: SeededGenerator
      var ids: [FrameSeries.FrameID] = []
      /// The refresh at which each frame began.
      var begins: [Int] = []
      private var free = 0

      init(_ frames: FrameSeries, seed: UInt64, replaces: Bool, silence: Int) {
        self.frames = frames
        random = SeededGenerator(seed: seed)
        compositor = SimulatedCompositor(seed: seed ^ 1, replaces: replaces)
        compositor.silence = silence
      }

      func time(_ refresh: Int) -> SuspendingClock.Instant { start + interval * refresh }

      mutating func refresh(_ now: Int) {
        if free <= now, Int.random(in: 0..<30, using: &random) > 0 { begin(now) }
        compositor.refresh(now)
        tell(compositor.feedback(now))
      }

      private mutating func begin(_ now: Int) {
        let frame = frames.begin(timestamp: time(now), target: time(now + 1))
        ids.append(frame.id)
        begins.append(now)
        let work = [1, 1, 1, 1, 1, 1, 2, 3, 7].randomElement(using: &random) ?? 1
        // Sometimes the next frame begins while this one is still worked on.
        free = now + (Bool.random(using: &random) ? 1 : work)
        compositor.commit(ready: now + work)
        frame.end()
      }

      mutating func tell(_ said: [(frame: Int, outcome: SimulatedCompositor.Outcome)]) {
        for (index, word) in said.enumerated() {
          let id = ids[word.frame]
          let frames = frames
          let shown: SuspendingClock.Instant? =
            if case .shown(let refresh) = word.outcome { time(refresh) } else { nil }
          let pass: @Sendable () -> Void = {
            if let shown { frames.presented(id, at: shown) } else { frames.discarded(id) }
          }
          if index % 100 == 7 { onThread { pass() } } else { pass() }
          // What is said twice counts as it was said first.
          if index % 10 == 3 { frames.presented(id, at: start) }
        }
      }
    }

    private func run(
      seed: UInt64, replaces: Bool, silence: Int = 0, series: Int = 1
    ) throws -> (trace: Trace, runs: [Run]) {
      var runs: [Run] = []
      let trace = try record {
        runs = (0..<series).map { number in
          Run(
            FrameSeries("screen", refresh: .hertz(125)),
            seed: seed &+ UInt64(number), replaces: replaces, silence: silence)
        }
        for now in 0..<1500 { for number in runs.indices { runs[number].refresh(now) } }
        for number in runs.indices {
          runs[number].tell(runs[number].compositor.feedback(1500, isLast: true))
        }
      }
      return (trace, runs)
    }

    private func expect(_ series: Trace.FrameSeries, isThatOf run: Run, _ note: Comment) {
      #expect(series.mode == .presented, note)
      #expect(series.frames.count == run.ids.count, note)
      let first = series.frames.first?.timestamp ?? 0
      let outcomes = series.frames.map { frame -> SimulatedCompositor.Outcome in
        guard let presented = frame.presented else {
          return frame.isDiscarded ? .discarded : .untold
        }
        return .shown(Int((presented - first) / 8_000_000) + (run.begins.first ?? 0))
      }
      #expect(outcomes == run.compositor.log, note)
    }

    /// The formula on the compositor's log: refreshes late by frame.
    private func lateness(_ run: Run) -> [Int64] {
      var late: [Int64] = []
      var before: (frame: Int, refresh: Int)?
      for (frame, outcome) in run.compositor.log.enumerated() {
        guard case .shown(let refresh) = outcome else {
          late.append(0)
          continue
        }
        let due = before.map { max(run.begins[$0.frame + 1] + 1, $0.refresh + 1) } ?? refresh
        late.append(Int64(max(0, refresh - due)) * 8_000_000)
        before = (frame, refresh)
      }
      return late
    }

    private func marks(_ judged: JudgedFrames) -> [Trace.RecordedHitch] {
      judged.frames.filter { $0.lateness > 0 }
        .map { Trace.RecordedHitch(frame: $0.number, lateness: $0.lateness) }
    }

    @Test(arguments: seeds, [false, true])
    func whatACompositorShowsIsJudgedByItsLog(seed: UInt64, replaces: Bool) throws {
      let (trace, runs) = try run(seed: seed, replaces: replaces)
      let note = Comment("seed \(seed), replaces \(replaces)")
      let series = try #require(trace.frameSeries.first)
      expect(series, isThatOf: runs[0], note)
      let judged = JudgedFrames(of: series, in: trace)
      #expect(judged.frames.map(\.lateness) == lateness(runs[0]), note)
      #expect(
        judged.dropped.count == runs[0].compositor.log.filter { $0 == .discarded }.count, note)
      // Frames that were still on their way at the end were not decided on.
      let firstUntold = runs[0].compositor.log.firstIndex(of: .untold) ?? .max
      #expect(series.markedByRecorder == marks(judged).filter { $0.frame < firstUntold }, note)
      #expect(series.markedByRecorder.count > 10, note)
    }

    @Test(arguments: seeds) func whatIsNotToldIsNeverAHitchOfTheRecorder(seed: UInt64) throws {
      let (trace, runs) = try run(seed: seed, replaces: true, silence: 10)
      let note = Comment("seed \(seed)")
      let series = try #require(trace.frameSeries.first)
      expect(series, isThatOf: runs[0], note)
      let judged = JudgedFrames(of: series, in: trace)
      let found = marks(judged)
      #expect(series.markedByRecorder == Array(found.prefix(series.markedByRecorder.count)), note)
      // Only what is within the last 256 frames is left undecided.
      let rest = found.dropFirst(series.markedByRecorder.count)
      #expect(rest.allSatisfy { $0.frame >= series.frames.count - 256 }, note)
      #expect(judged.untold > 0, note)
    }

    @Test(arguments: seeds.prefix(3)) func severalSeriesHaveEachTheirOwnFeedback(
      seed: UInt64
    ) throws {
      let (trace, runs) = try run(seed: seed, replaces: true, series: 3)
      #expect(trace.frameSeries.count == 3)
      for (series, run) in zip(trace.frameSeries, runs) {
        expect(series, isThatOf: run, "seed \(seed)")
        #expect(
          JudgedFrames(of: series, in: trace).frames.map(\.lateness) == lateness(run),
          "seed \(seed)")
      }
    }
  }
}
