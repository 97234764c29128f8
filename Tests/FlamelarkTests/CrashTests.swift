import FlamelarkTrace
import Foundation
import Testing

/// Programs that crash inside of spans: the trace is whole.
@Suite struct CrashTests {
  @Test(arguments: [
    ("fatal-error", [SIGILL, SIGTRAP]), ("trap", [SIGILL, SIGTRAP]), ("null", [SIGSEGV]),
    ("abort", [SIGABRT]),
  ])
  func aCrashLosesNothing(_ scenario: String, _ signals: [CInt]) throws {
    let folder = TemporaryFolder()
    let trace = try crash(scenario, signals, folder.file("t.lark"))
    #expect(trace.outline(ofTrack: 0).hasSuffix(" work outer(done inner)"))
    #expect(trace.spans.unfinished.map { trace.name(ofSpan: $0) } == ["outer", "inner"])
    #expect(trace.tracks[0].counts.overDepth == 0)
  }

  @Test(arguments: ["overflow", "overflow-thread"])
  func aStackThatOverflowsLosesNothing(_ scenario: String) throws {
    let folder = TemporaryFolder()
    let trace = try crash(scenario, [SIGSEGV, SIGBUS], folder.file("t.lark"))
    let deeper = trace.spans.unfinished.filter { trace.name(ofSpan: $0) == "deeper" }
    // Up to the greatest depth they are there, over it they are counted: more than a thousand.
    #expect(deeper.count == (scenario == "overflow" ? 253 : 255))
    #expect(trace.tracks.reduce(0) { $0 + $1.counts.overDepth } > 1000)
  }

  private func crash(_ scenario: String, _ signals: [CInt], _ path: String) throws -> Trace {
    let run = try Probe.run(
      scenario, path, environment: ["SWIFT_BACKTRACE": "enable=no", "DROPPED": "3"])
    #expect(signals.contains(run.status), "\(run.status)")
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    #expect(trace.source.ending == .killed)
    #expect(trace.durations(of: "work").count == 5000)
    #expect(trace.durations(of: "done").count == 1)
    #expect(trace.issues.isEmpty, "\(trace.issues)")
    return trace
  }
}
