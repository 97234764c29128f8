import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis

@Suite struct RunConditionsTests {
  private func run(
    _ properties: [String: String] = ["cores": "2", "build": "release"], rate: Double = 10,
    other: Int = 0, name: String = "game", change: (inout Trace) -> Void = { _ in }
  ) throws -> RunConditions {
    var builder = TraceBuilder()
    builder.track("main")
    var time: Int64 = 0
    var frames: [Trace.Frame] = []
    for number in 0..<100 {
      let interval = number < other ? Int64.ms(rate * 2) : .ms(rate)
      frames.append(.displayLink(at: time, target: time + interval, end: time + .ms(1)))
      time += interval
    }
    builder.frames(name, mode: .displayLink, frames)
    var trace = try builder.build()
    trace.source.properties = properties
    change(&trace)
    return RunFigures(of: trace, series: trace.frameSeries[0]).conditions
  }

  /// Holds what differs between two conditions against what should.
  private func expect(
    _ a: RunConditions, _ b: RunConditions, differIn expected: [ConditionMismatch.Subject],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let found = ConditionMismatch.all([a], [b])
    let known = found.filter { !$0.isUnknown }.map(\.subject)
    #expect(known == expected, sourceLocation: sourceLocation)
    let back = ConditionMismatch.all([b], [a]).map(\.subject)
    #expect(back == found.map(\.subject), sourceLocation: sourceLocation)
    // Also within a set; rates are taken together.
    let within = ConditionMismatch.all([a, b], [a, b]).map(\.subject).filter { $0 != .rates }
    #expect(within == found.map(\.subject).filter { $0 != .rates }, sourceLocation: sourceLocation)
  }

  @Test func whatIsTheSameIsNotTold() throws {
    expect(try run(), try run(), differIn: [])
    // A few frames at another rate, or a clock that is a little off, change nothing.
    expect(try run(), try run(other: 4), differIn: [])
    expect(try run(), try run(rate: 10.2), differIn: [])
  }

  @Test func eachConditionIsLookedAt() throws {
    let usual = try run()
    expect(usual, try run(rate: 8.3), differIn: [.rates])
    expect(usual, try run(other: 20), differIn: [.rates])
    expect(usual, try run(["cores": "4", "build": "release"]), differIn: [.cores])
    expect(usual, try run(["cores": "2", "build": "debug"]), differIn: [.build])
    expect(usual, try run(name: "menu"), differIn: [.series])
    expect(usual, try run { $0.source.minimumDuration = 5000 }, differIn: [.filters])
    let shallow = try run { trace in
      trace.source.filters = [.init(time: 0, maximumDepth: 3, minimumDuration: 0)]
    }
    expect(usual, shallow, differIn: [.filters])
    let fast = try run(["cores": "2", "build": "release", "processor": "fast"])
    let slow = try run(["cores": "2", "build": "release", "processor": "slow"])
    expect(fast, slow, differIn: [.processor])
    #expect(!ConditionMismatch.Subject.processor.isGrave && ConditionMismatch.Subject.cores.isGrave)
  }

  @Test func whatATraceDoesNotSayIsNotKnown() throws {
    let found = ConditionMismatch.all([try run([:])], [try run()])
    #expect(found.map(\.subject) == [.cores, .build])
    let unknown = found.filter { $0.isUnknown }
    #expect(unknown.count == 2)
    let both = ConditionMismatch.all([try run([:])], [try run([:])])
    #expect(both.count == 2 && both.filter { $0.isUnknown }.count == 2)
  }
}
