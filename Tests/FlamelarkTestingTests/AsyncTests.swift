import Flamelark
import FlamelarkTesting
import Testing
import _FlamelarkTestSupport

/// Closures with `await` in them.
@Suite struct AsyncTests {
  private static let link = SimulatedLink("async")

  private struct Mistake: Error, Equatable {}

  /// Runs while no other test records. Those that wait for that have the threads of the concurrency
  /// run-time, so it all runs on this one.
  private func alone<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) throws -> Result {
    try OneRecording.alone { try CallingThread.run(body) }
  }

  @Test func awaitedFramesAreMeasured() throws {
    let hitches = try alone {
      try await measureHitches(iterations: 2, skipping: .frames(1)) {
        await Task.yield()
        Self.link.run([30, 10, 20])
        await Task.yield()
      }
    }
    #expect(hitches.ratios == [1000.0 / 3, 1000.0 / 3])
    #expect(hitches.totalLateness == .milliseconds(20))
    #expect(hitches.traces[0].hasSuffix("/AsyncTests.awaitedFramesAreMeasured-1.lark"))
  }

  @Test func errorsPassAndEndTheRecording() throws {
    let isActive = try alone {
      await #expect(throws: Mistake()) {
        try await measureHitches {
          await Task.yield()
          throw Mistake()
        }
      }
      return Recording.isActive
    }
    #expect(!isActive)
    #expect(
      try alone {
        try await measureHitches {
          await Task.yield(); Self.link.run([10])
        }
      }.count == 0)
  }

  @Test func oneInsideOfAnotherIsRefused() throws {
    let reason = try alone { () -> HitchMeasurementError.Reason? in
      let inner = Handed<HitchMeasurementError>()
      _ = try await measureHitches {
        Self.link.run([10])
        await Task.yield()
        do {
          _ = try await measureHitches { await Task.yield() }
        } catch {
          inner.value = error as? HitchMeasurementError
        }
      }
      return inner.value?.reason
    }
    guard case .measuresAlready(let place) = reason else {
      Issue.record("not refused: \(String(describing: reason))")
      return
    }
    #expect(place.hasPrefix("FlamelarkTestingTests/AsyncTests.swift:"))
  }

  @Test func aClosureOfAnActorRunsThere() throws {
    let (count, frames) = try alone { try await Screen().measure() }
    #expect(count == 2)
    #expect(frames == 2)
  }

  private actor Screen {
    var count = 0

    func measure() async throws -> (Int, Int) {
      let hitches = try await measureHitches(iterations: 2) {
        await Task.yield()
        preconditionIsolated()
        count += 1
        AsyncTests.link.run([10])
      }
      return (count, hitches.frameCount)
    }
  }
}
