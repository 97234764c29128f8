import Flamelark
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

extension RecordingTests {
  /// Spans whose times another clock gave.
  @Suite struct TrackTests {
    @Test func spansOfTheSystemsClockLieWhereTheyWere() throws {
      let gpu = Track("GPU")
      var begun = SuspendingClock.now
      let trace = try record {
        begun = SuspendingClock.now
        withSpan("submit") { usleep(2000) }
        let done = SuspendingClock.now
        gpu.record("pass", category: "passes", from: begun, to: done)
        Track("GPU").record(
          "late", from: begun.advanced(by: .microseconds(500)), to: done + .microseconds(500))
      }
      #expect(trace.rows(.track) == ["GPU, row 1: pass", "GPU, row 2: late"])
      let pass = try #require(trace.index(of: "pass"))
      let submit = try #require(trace.index(of: "submit"))
      // The two clocks agree to some 100 ns.
      #expect(trace.spans.start[pass] <= trace.spans.start[submit] + 1000)
      #expect(trace.spans.end[pass] + 1000 >= trace.spans.end[submit])
      let site = trace.callSites[Int(trace.spans.site[pass].index)]
      #expect(site.category.map { trace.names[$0] } == "passes")
      #expect(trace.issues.isEmpty)
      #expect(trace.deviceClocks.isEmpty)
    }

    @Test func aDevicesTicksBecomeTimesByItsRelations() throws {
      let rate: UInt64 = 19_200_000
      let gpu = Track("device", ticksPerSecond: rate)
      let trace = try record {
        let now = SuspendingClock.now
        // Its clock goes 100 millionths too slow and began long ago.
        func tick(_ seconds: Double) -> UInt64 {
          UInt64(1e15 + seconds * Double(rate) * (1 - 100e-6))
        }
        // Spans first, relations later and in any order.
        gpu.record("pass", fromTicks: tick(-0.15), toTicks: tick(-0.05))
        gpu.record("inner", fromTicks: tick(-0.12), toTicks: tick(-0.10))
        for seconds in [0, -0.2, -0.6, -0.4] {
          gpu.relate(ticks: tick(seconds), to: now.advanced(by: .seconds(seconds)))
        }
        // So that the recording is not shorter than what it is told of.
        withSpan("now") {}
        Track("system").record(
          "same", from: now.advanced(by: .seconds(-0.15)), to: now.advanced(by: .seconds(-0.05)))
      }
      #expect(trace.rows(.track) == ["device: pass(inner)", "system: same"])
      let pass = try #require(trace.index(of: "pass"))
      let same = try #require(trace.index(of: "same"))
      #expect(abs(trace.spans.start[pass] - trace.spans.start[same]) < 1000)
      #expect(abs(trace.spans.end[pass] - trace.spans.end[same]) < 1000)
      let clock = try #require(trace.deviceClocks.first)
      #expect(clock.track == "device")
      #expect(clock.ticksPerSecond == rate)
      #expect(clock.relations == 4)
      #expect(abs((clock.drift ?? 0) - 100) < 1)
      #expect(trace.issues.isEmpty)
    }

    @Test func oneRelationAndTheRateAreEnough() throws {
      let device = Track("device", ticksPerSecond: 1000)
      let trace = try record {
        device.relate(ticks: 5000, to: SuspendingClock.now)
        device.record("pass", fromTicks: 5010, toTicks: 5030)
      }
      #expect(trace.durations(of: "pass") == [20_000_000])
      #expect(trace.deviceClocks.map(\.drift) == [nil])
    }

    @Test func withoutARelationSpansAreLeftOutAndCounted() throws {
      let device = Track("device", ticksPerSecond: 1000)
      let trace = try record {
        for tick in 0..<3 as Range<UInt64> {
          device.record("pass", fromTicks: tick, toTicks: tick + 1)
        }
        Track("other", ticksPerSecond: 1000).relate(ticks: 1, to: SuspendingClock.now)
        withSpan("span") {}
      }
      #expect(trace.rows(.track).isEmpty)
      #expect(
        trace.issues == [
          Trace.Issue(
            "spans of the track device left out, since its clock was never related", count: 3)
        ])
    }

    @Test func timesThatCannotBeAreMendedAndCounted() throws {
      let track = Track("track")
      let trace = try record {
        let now = SuspendingClock.now
        withSpan("span") {}
        track.record("reversed", from: now, to: now.advanced(by: .seconds(-1)))
        track.record("ages ago", from: SuspendingClock().systemEpoch, to: now)
        track.record("elsewhere", fromTicks: 0, toTicks: 1)
        track.record("never", fromTicks: .max / 4, toTicks: .max / 4 + 1)
      }
      #expect(trace.range.upperBound < 60_000_000_000)
      #expect(trace.durations(of: "reversed") == [0])
      #expect(trace.durations(of: "ages ago").count == 1)
      #expect(trace.durations(of: "elsewhere").isEmpty)
      #expect(trace.durations(of: "never").isEmpty)
      #expect(
        trace.issues.map(\.text) == [
          "spans of tracks that end before they begin taken as moments",
          "spans of tracks far outside of the recording cut or left out",
        ])
    }

    @Test func tracksOfMadeNamesAreApart() throws {
      let trace = try record {
        let now = SuspendingClock.now
        for number in 0..<3 {
          Track(SpanName("queue \(number)")).record("work", from: now, to: now)
        }
        withSpan("span") {}
      }
      #expect(trace.rows(.track) == (0..<3).map { "queue \($0): work" })
    }

    @Test func spansOfTracksSurviveACopy() throws {
      let folder = TemporaryFolder()
      let path = folder.file("test.lark")
      try OneRecording.alone {
        let recording = try Recording.start(writingTo: path)
        let device = Track("device", ticksPerSecond: 1_000_000)
        device.relate(ticks: 1_000_000, to: SuspendingClock.now)
        for tick in 0..<100 as Range<UInt64> {
          device.record("pass", fromTicks: 1_000_000 + tick, toTicks: 1_000_007 + tick)
        }
        withSpan("span") { SpanValue("bytes").record(7) }
        try recording.stop()
      }
      let trace = try Trace(contentsOf: path)
      var bytes: [UInt8] = []
      _ = unsafe try RecordingCopy(of: path).write(packed: true) { unsafe bytes += $0 }
      try Data(bytes).write(to: URL(fileURLWithPath: folder.file("copy.lark")))
      let copy = try Trace(contentsOf: folder.file("copy.lark"))
      #expect(trace.durations(of: "pass").count == 100)
      #expect(copy.rows(.track) == trace.rows(.track))
      #expect(copy.spans.start == trace.spans.start)
      #expect(copy.spans.end == trace.spans.end)
      #expect(copy.deviceClocks == trace.deviceClocks)
      #expect(copy.values == trace.values)
      #expect(copy.modules == trace.modules)
      #expect(trace.values.count == 1)
      #expect(!trace.modules.isEmpty)
    }
  }
}

extension Trace {
  /// The rows of a kind as `name: spans`.
  fileprivate func rows(_ kind: Track.Kind) -> [String] {
    tracks.indices.filter { tracks[$0].kind == kind }
      .map { "\(tracks[$0].name): \(outline(ofTrack: $0))" }
  }

  fileprivate func index(of name: String) -> Int? {
    (0..<spans.count).first { self.name(ofSpan: $0) == name }
  }
}
