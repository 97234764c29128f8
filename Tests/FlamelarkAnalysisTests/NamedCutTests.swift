import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

/// Which spans give causes their names.
@Suite struct NamedCutTests {
  /// 60 passes with cells, of which each has a title and a picture of 0.5 ms each, or as `late` says.
  private func blame(_ late: [Int: (cells: Int, title: Double, picture: Double)]) throws -> Blame {
    var loop = LoopBuilder()
    for pass in 0..<60 {
      let (cells, title, picture) = late[pass] ?? (5, 0.5, 0.5)
      loop.pass { frame in
        frame.span("cells") { list in
          for cell in 0..<cells {
            list.span("configure") { configure in
              for name in ["title", "price", "badge", "icon"] {
                configure.span(name, lasting: .ms(name == "title" && cell == 0 ? title : 0.2))
              }
              configure.span("picture", lasting: .ms(cell == 0 ? picture : 0.2))
            }
          }
        }
      }
    }
    return try loop.blame(refresh: 8)
  }

  @Test func aNodeTakesPartsOfWhichNoneHasAThird() throws {
    let blame = try blame([30: (20, 0.5, 0.5)])
    #expect(blame.causes.map(\.path) == [["frame", "cells", "configure"]])
    #expect(blame.causes[0].lateCalls == 20)
  }

  @Test func aPartWithMostOfWhatItsNodeBearsStandsAlone() throws {
    let blame = try blame([20: (20, 0.5, 0.5), 40: (5, 0.5, 12)])
    #expect(
      blame.hitches.map { $0.causes[0].path.last } == ["configure", "picture"],
      "\(blame.causes.map(\.path))")
    #expect(blame.hitches[1].causes.count == 1)
  }

  @Test func partsWithAThirdEachKeepTheirNames() throws {
    let blame = try blame([30: (5, 6, 6)])
    #expect(blame.causes.map(\.path.last) == ["picture", "title"])
    #expect(blame.causes.map(\.blame).reduce(0, +) == blame.frames.hitchTime)
  }

  @Test func aSpanThatIsTheFrameNeverTakesItsParts() throws {
    var loop = LoopBuilder()
    let parts = ["a", "b", "c", "d", "e"]
    for pass in 0..<60 {
      loop.pass { frame in
        for name in parts { frame.span(name, lasting: .ms(pass == 30 ? 3 : 1)) }
      }
    }
    let blame = try loop.blame(refresh: 10)
    #expect(blame.causes.map(\.path) == parts.map { ["frame", $0] })
  }

  @Test func whoHadNoProcessorIsToldForTheThread() throws {
    // Preempted in other spans each time: one cause, whatever was running.
    var builder = TraceBuilder()
    builder.track("main")
    var marks: [Int64] = [0]
    var states: [Trace.ThreadState] = []
    for pass in 0..<60 {
      let isLate = pass % 20 == 10
      for name in ["a", "b", "c"] {
        if isLate, name == ["a", "b", "c"][pass / 20] {
          states.append(
            .init(track: 0, kind: .preempted, range: builder.now..<builder.now + .ms(5)))
          builder.span(name, lasting: .ms(8))
        } else {
          builder.span(name, lasting: .ms(3))
        }
      }
      marks.append(builder.now)
    }
    builder.marks("game", at: marks, refresh: .ms(10))
    var trace = try builder.build()
    trace.threadStates = states
    let blame = Blame(of: trace, series: trace.frameSeries[0])
    #expect(blame.causes.summary == ["(preempted) 12000000"])
    #expect(blame.causes[0].path.isEmpty)
    #expect(blame.causes[0].hitchCount == 3)
  }
}
