import FlamelarkTrace
import Foundation
import Testing

/// Recordings that others start and stop by signals.
@Suite struct SignalTests {
  @Test func signalsStartAndStopRecordings() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let probe = try Probe.start(
      "signals", "-", environment: ["FLAMELARK_RECORD": path, "FLAMELARK_SIGNALS": "1"])
    #expect(probe.readLine() == "waiting")
    #expect(!FileManager.default.fileExists(atPath: path))
    for _ in 0..<2 {
      kill(probe.processID, SIGUSR1)
      #expect(probe.readLine() == "started")
      // Time for some spans.
      usleep(20_000)
      kill(probe.processID, SIGUSR2)
      #expect(probe.readLine() == "stopped")
    }
    // One that is not stopped is, at the end of the program.
    kill(probe.processID, SIGUSR1)
    #expect(probe.readLine() == "started")
    usleep(20_000)
    // Nothing is started while something runs, and the program hears of it.
    kill(probe.processID, SIGUSR1)
    usleep(20_000)
    let run = probe.finish()
    #expect(run.status == 0)
    #expect(run.errors.contains("already records"))
    for name in ["t.lark", "t.2.lark", "t.3.lark"] {
      let trace = try Trace(contentsOf: folder.file(name))
      try trace.checkInvariants()
      #expect(trace.source.ending == .stopped)
      #expect(trace.tracks.filter { $0.name.hasPrefix("worker") }.count == 3)
      #expect(trace.durations(of: "work").count > 3)
      #expect(trace.issues.isEmpty, "\(trace.issues)")
    }
  }

  @Test func noSignalIsTouchedWithoutTheVariable() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let probe = try Probe.start("signals", "-", environment: ["FLAMELARK_RECORD": path])
    #expect(probe.readLine() == "recording")
    kill(probe.processID, SIGUSR1)
    #expect(probe.finish().status == SIGUSR1)
    #expect(try Trace(contentsOf: path).source.ending == .killed)
  }

  @Test func askingForSignalsTooLateIsAnError() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try Probe.run(
      "signals-late", "-", environment: ["FLAMELARK_RECORD": path, "FLAMELARK_SIGNALS": "1"])
    #expect(run.status == 0)
    #expect(
      run.output == "error can't record to \(path) by signals; "
        + "call startIfRequested() before other threads start\n")
  }
}
