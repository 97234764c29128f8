import Flamelark
import FlamelarkTrace
import Foundation
import Testing

extension RecordingTests {
  @Suite struct TokenTests {
    @Test func tokensInOrderNestLikeClosures() throws {
      let trace = try record {
        let outer = beginSpan("outer")
        let inner = beginSpan("inner")
        withSpan("closure") {}
        inner.end()
        outer.end()
      }
      #expect(trace.outline(ofTrack: 0) == "outer(inner(closure))")
      #expect(trace.tracks[0].counts.detached == 0)
    }

    @Test func aTokenThatIsDroppedEndsItsSpan() throws {
      let trace = try record {
        func scope() {
          let token = beginSpan("scope")
          withSpan("inside") {}
          _ = token
        }
        scope()
        withSpan("after") {}
      }
      #expect(trace.outline(ofTrack: 0) == "scope(inside) after")
    }

    @Test func aTokenOutOfOrderGetsARowOfItsOwnAndHarmsNoOther() throws {
      let trace = try record {
        withSpan("around") {
          let first = beginSpan("first")
          let second = beginSpan("second")
          withSpan("inside both") {}
          first.end()
          withSpan("inside second") {}
          second.end()
          withSpan("after") {}
        }
        withSpan("top") {}
      }
      #expect(
        trace.outline(ofTrack: 0) == "around(second(inside both inside second) after) top")
      #expect(trace.tracks.map(\.kind) == [.thread, .lane])
      #expect(trace.outline(ofTrack: 1) == "first")
      #expect(trace.tracks[0].counts.detached == 1)
      let first = try #require(trace.durations(of: "first").first)
      #expect(first > 0)
    }

    @Test func aClosureAroundTheEndOfAnOuterTokenKeepsItsPlace() throws {
      let trace = try record {
        var token: OpenSpan? = beginSpan("handed over")
        withSpan("closure") {
          token.take()?.end()
          withSpan("inside") {}
        }
        for _ in 0..<300 { withSpan("later") {} }
      }
      #expect(trace.outline(ofTrack: 0).hasPrefix("closure(inside) later later"))
      #expect((0..<trace.spans.count).map { trace.depth(ofSpan: $0) }.max() == 1)
      #expect(trace.outline(ofTrack: 1) == "handed over")
    }

    @Test func aTokenThatEndsOnAnotherThreadHarmsNeitherThread() throws {
      let trace = try record {
        withSpan("around") {
          var token: OpenSpan? = beginSpan("handed over")
          unsafe withUnsafeMutablePointer(to: &token) { pointer in
            nonisolated(unsafe) let pointer = unsafe pointer
            onThread {
              withSpan("other") {
                unsafe pointer.pointee.take()?.end()
                withSpan("inside other") {}
              }
            }
          }
          withSpan("next") { withSpan("inside next") {} }
        }
        // Repeated misuse must not use the stack up.
        for _ in 0..<400 {
          var token: OpenSpan? = beginSpan("again")
          unsafe withUnsafeMutablePointer(to: &token) { pointer in
            nonisolated(unsafe) let pointer = unsafe pointer
            onThread { unsafe pointer.pointee.take()?.end() }
          }
        }
        withSpan("end") { withSpan("inside end") {} }
      }
      #expect(trace.outline(ofTrack: 0) == "around(next(inside next)) end(inside end)")
      let others = trace.tracks.indices.filter {
        trace.tracks[$0].kind == .thread && $0 != 0 && !trace.tracks[$0].spans.isEmpty
      }
      #expect(others.map { trace.outline(ofTrack: $0) } == ["other(inside other)"])
      #expect(trace.durations(of: "handed over").count == 1)
      #expect(trace.durations(of: "again").count == 400)
      #expect(trace.tracks.reduce(0) { $0 + $1.counts.detached } == 401)
    }

    @Test func whatTheDepthLimitDropsIsCounted() throws {
      let trace = try record(.init(maximumDepth: 2)) {
        for _ in 0..<3 {
          withSpan("1") { withSpan("2") { withSpan("3") { withSpan("4") {} } } }
        }
      }
      #expect(trace.outline(ofTrack: 0) == "1(2) 1(2) 1(2)")
      #expect(trace.tracks[0].counts.overDepth == 6)
      #expect(trace.source.maximumDepth == 2)
    }

    @Test func theDeepestSpanOfTheGreatestDepthIsRecorded() throws {
      func nest(_ depth: Int) {
        if depth > 0 { withSpan("deep") { nest(depth - 1) } }
      }
      let trace = try record { nest(300) }
      #expect(trace.spans.count == 255)
      #expect(trace.depth(ofSpan: 254) == 254)
      #expect(trace.tracks[0].counts.overDepth == 45)
    }

    @Test func whatTheLeastDurationDropsIsCounted() throws {
      let trace = try record(.init(minimumDuration: .milliseconds(5))) {
        withSpan("long") {
          usleep(6000)
          for _ in 0..<10 { withSpan("short") {} }
        }
      }
      #expect(trace.outline(ofTrack: 0) == "long")
      #expect(trace.tracks[0].counts.belowMinimum == 10)
      #expect((1..<5_000_000).contains(trace.tracks[0].counts.belowMinimumTime))
      #expect(trace.source.minimumDuration == 5_000_000)
    }
  }
}

/// Runs `body` on a thread of its own and waits until the thread is gone.
func onThread(_ body: @escaping @Sendable () -> Void) {
  final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
  let code = unsafe pthread_create(
    &thread, nil,
    { work in
      guard let work = unsafe work else { return nil }
      unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
      return nil
    }, work)
  precondition(code == 0)
  pthread_join(thread, nil)
}
