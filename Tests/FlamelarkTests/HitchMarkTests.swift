import Flamelark
import FlamelarkAnalysis
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

extension RecordingTests {
  /// What the recorder marks while it runs is what the analysis finds afterwards.
  @Suite struct HitchMarkTests {
    @Test func marksOfALoopAreItsHitches() throws {
      let trace = try record {
        let frames = FrameSeries("loop", refresh: .hertz(250))
        for number in 0..<60 {
          frames.mark()
          usleep(number % 9 == 4 ? 9_000 : 1_000)
        }
      }
      try expectMarksAreHitches(trace, atLeast: 6)
    }

    /// A seeded display link with everything that a real one does wrong.
    @Test func marksOfADisplayLinkAreItsHitches() throws {
      let seed = UInt64.random(in: 0...UInt64.max)
      var random = SeededGenerator(seed: seed)
      let start = SuspendingClock().now
      let trace = try record {
        let frames = FrameSeries("screen", refresh: .hertz(60))
        var time = start
        for _ in 0..<3000 {
          let interval = Duration.microseconds(
            [8333, 12_500, 16_667].randomElement(using: &random)!)
          let target: SuspendingClock.Instant? =
            switch Int.random(in: 0..<20, using: &random) {
            case 0: nil
            case 1: time
            case 2: time - interval
            case 3: time + .seconds(3)
            default: time + interval
            }
          frames.begin(timestamp: time, target: target).end()
          switch Int.random(in: 0..<30, using: &random) {
          case 0: time = time + interval * 12
          case 1: time = time - interval * 2
          case 2: break
          case 3: time = time + interval + .microseconds(Int.random(in: 200...300, using: &random))
          case 4...8: time = time + interval * Double.random(in: 1...5, using: &random)
          default: time = time + interval
          }
        }
      }
      try expectMarksAreHitches(trace, atLeast: 300, "seed \(seed)")
    }

    /// A loop that pauses and rests at random, marked or with a display link.
    @Test(arguments: [false, true]) func marksOfALoopThatRestsAreItsHitches(_ isMarked: Bool) throws
    {
      let seed = UInt64.random(in: 0...UInt64.max)
      var random = SeededGenerator(seed: seed)
      let trace = try record {
        let frames = FrameSeries("screen", refresh: .hertz(1000))
        var late: FrameSeries.OpenFrame?
        func say() {
          switch Int.random(in: 0..<8, using: &random) {
          case 0: frames.pause()
          case 1: frames.resume()
          case 2: frames.needsNoFrame()
          case 3, 4: frames.needsFrame()
          default: break
          }
        }
        for _ in 0..<800 {
          say()
          if isMarked {
            frames.mark()
          } else {
            let now = SuspendingClock().now
            let frame = frames.begin(timestamp: now, target: now + .milliseconds(1))
            say()
            if Int.random(in: 0..<3, using: &random) == 0 { usleep(2_000) }
            // Or when the next has begun.
            if Int.random(in: 0..<5, using: &random) > 0 {
              frame.end()
            } else {
              late = consume frame
            }
          }
          say()
          if Int.random(in: 0..<4, using: &random) == 0 { usleep(2_000) }
        }
        _ = late.take()
      }
      try expectMarksAreHitches(trace, atLeast: 20, "seed \(seed)")
    }

    private func expectMarksAreHitches(
      _ trace: Trace, atLeast count: Int, _ note: String = ""
    ) throws {
      let series = try #require(trace.frameSeries.first)
      let found = JudgedFrames(of: series, in: trace).frames.filter { $0.lateness > 0 }
        .map { Trace.RecordedHitch(frame: $0.number, lateness: $0.lateness) }
      #expect(found.count >= count, "\(note)")
      #expect(series.markedByRecorder == found, "\(note)")
    }
  }
}
