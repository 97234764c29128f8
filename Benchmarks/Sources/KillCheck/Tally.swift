import KillLedger

/// What all runs found.
struct Tally {
  var failures = 0
  private var found: [Mode: Findings] = [:]

  mutating func add(_ findings: Findings, mode: Mode) {
    found[mode, default: Findings()].add(findings)
  }

  func hasCounted(in mode: Mode) -> Bool { (found[mode]?.counted ?? 0) > 0 }

  /// Prints it. A mode in which nothing was counted was not checked.
  mutating func print(runs: Int, seed: UInt64) {
    var all = Findings()
    for mode in Mode.allCases {
      let findings = found[mode] ?? Findings()
      all.add(findings)
      if findings.counted == 0 {
        failures += 1
        Swift.print("kill-test: no program in mode \(mode) counted a span")
      }
      Swift.print(
        "kill-test: \(mode): \(findings.threads) threads counted \(findings.counted) spans; "
          + "\(findings.ahead) more are recovered; \(findings.unfinished) unfinished"
          + (mode == .stop ? "; \(findings.stopped) had stopped" : ""))
    }
    Swift.print(
      "kill-test: \(runs) programs killed (seed \(seed)), \(failures) failures, "
        + "\(all.threads) threads, \(all.counted) spans")
  }
}

/// What the threads of a program left.
struct Findings {
  /// Threads that had begun a span.
  var threads = 0
  /// Spans that they counted.
  var counted: UInt64 = 0
  /// Spans that ended and were not counted any more: at most one of a thread.
  var ahead: UInt64 = 0
  /// Spans that were open.
  var unfinished = 0
  /// Recordings that were stopped before the kill.
  var stopped = 0

  mutating func add(_ other: Findings) {
    threads += other.threads
    counted += other.counted
    ahead += other.ahead
    unfinished += other.unfinished
    stopped += other.stopped
  }
}
