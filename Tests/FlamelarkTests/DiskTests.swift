import FlamelarkTrace
import Foundation
import Testing

/// Files that can't be written, or are not there any more: the recording ends, its trace says what is
/// lost and why, and the program is none the worse.
@Suite struct DiskTests {
  /// What `Workload` computes in so many passes, one after the other.
  private static func result(_ runs: Int...) -> Int {
    var result = 0
    for passes in runs {
      for pass in 0..<passes {
        result &+= pass
        result ^= pass &* 31
      }
    }
    return result
  }

  private static let tooLarge = "File too large"

  /// The trace at a path holds or counts each span that was begun.
  @discardableResult
  private func expectEachSpanIsCounted(
    in path: String, _ report: ProbeReport, lost: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Trace {
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    let counts = trace.tracks.map(\.counts)
    let spans = trace.spans.count - trace.spans.unfinished.count
    let known =
      UInt64(spans + trace.spans.unfinished.count)
      + counts.reduce(0) { $0 + $1.belowMinimum + $1.overDepth + $1.lost }
    #expect(report.begun.contains(Int(known)), "\(known)", sourceLocation: sourceLocation)
    let ended = "recordings that ended early because a file could not be written"
    #expect(
      trace.issues.filter { $0.text.hasPrefix(ended) }
        == (lost.map { [Trace.Issue("\(ended) (\($0))", count: 1)] } ?? []),
      sourceLocation: sourceLocation)
    let lostCount = counts.reduce(0) { $0 + $1.lost }
    #expect(
      trace.issues.filter { $0.text == "records lost because they could not be written" }
        .reduce(0) { $0 + $1.count } == Int(lostCount), sourceLocation: sourceLocation)
    // Nothing else is wrong with it: what was cut off is in the live file.
    #expect(
      trace.issues.allSatisfy {
        $0.text.contains("could not be written") || $0.text.contains("there was no space")
      }, "\(trace.issues)", sourceLocation: sourceLocation)
    return trace
  }

  /// The same of what `flamelark recover` makes of the trace and its live file.
  private func expectRecoveryKeepsIt(
    _ path: String, of trace: Trace, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var bytes: [UInt8] = []
    _ = try unsafe RecordingCopy(of: path).write(packed: false) {
      unsafe bytes.append(contentsOf: $0)
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path + ".recovered"))
    let copy = try Trace(contentsOf: path + ".recovered")
    #expect(copy.spans.count == trace.spans.count, sourceLocation: sourceLocation)
    #expect(copy.spans.unfinished == trace.spans.unfinished, sourceLocation: sourceLocation)
    #expect(copy.tracks.map(\.counts) == trace.tracks.map(\.counts), sourceLocation: sourceLocation)
    #expect(copy.issues == trace.issues, sourceLocation: sourceLocation)
  }

  // MARK: - The file may not grow

  @Test(arguments: [
    0, 4096, 4097, 8191, 8192, 40_000, 69_631, 69_632, 69_640, 135_168, 200_000, 270_336, 300_001,
  ])
  func aFileThatMayNotGrowEndsTheRecording(_ limit: Int) throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try ProbeReport(
      "limit", path, environment: ["LIMIT": "\(limit)", "MINIMUM": "0", "LIFTED": "0"])
    #expect(run.status == 0)
    #expect(run.result == Self.result(10_000))
    #expect(
      run.errors == [
        "\(path) could not be written to its end: File too large; "
          + "keep its .live file, it holds the rest"
      ])
    let trace = try expectEachSpanIsCounted(in: path, run, lost: Self.tooLarge)
    #expect(trace.source.ending == .stopped)
    #expect(trace.durations(of: "outer").count + Int(trace.tracks[0].counts.lost) >= 1)
    try expectRecoveryKeepsIt(path, of: trace)
  }

  @Test(arguments: [4096, 40_000, 100_000]) func spaceThatComesBackChangesNothing(
    _ limit: Int
  ) throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try ProbeReport(
      "limit", path, environment: ["LIMIT": "\(limit)", "MINIMUM": "0", "LIFTED": "1"])
    #expect(run.errors.count == 1)
    let trace = try expectEachSpanIsCounted(in: path, run, lost: Self.tooLarge)
    try expectRecoveryKeepsIt(path, of: trace)
  }

  @Test func aLimitThatIsNotReachedLosesNothing() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try ProbeReport(
      "limit", path, environment: ["LIMIT": "1000000", "MINIMUM": "0", "LIFTED": "0"])
    #expect(run.errors.isEmpty)
    #expect(run.begun == 30_001...30_001)
    try expectEachSpanIsCounted(in: path, run)
  }

  @Test(arguments: [4096, 70_000, 140_000])
  func sumsAreCountedToo(_ limit: Int) throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    // Some passes are over it and some are not, as the machine will.
    let run = try ProbeReport(
      "limit", path, environment: ["LIMIT": "\(limit)", "MINIMUM": "120", "LIFTED": "0"])
    #expect(run.status == 0)
    #expect(run.result == Self.result(10_000))
    let trace = try Trace(contentsOf: path)
    try expectEachSpanIsCounted(
      in: path, run, lost: run.errors.isEmpty ? nil : Self.tooLarge)
    let counts = trace.tracks[0].counts
    #expect(UInt64(trace.folded.reduce(0) { $0 + $1.count }) == counts.belowMinimum)
    if !run.errors.isEmpty { try expectRecoveryKeepsIt(path, of: trace) }
  }

  @Test(arguments: [4096, 69_632, 100_001, 500_000])
  func allThreadsEndWithIt(_ limit: Int) throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try ProbeReport("limit-threads", path, environment: ["LIMIT": "\(limit)"])
    #expect(run.status == 0)
    #expect(run.result == 4 * Self.result(10_000))
    let trace = try expectEachSpanIsCounted(in: path, run, lost: Self.tooLarge)
    try expectRecoveryKeepsIt(path, of: trace)
  }

  @Test(arguments: [0, 1, 4095, 4096, 100_000, 1_445_887])
  func aStartWithoutSpaceIsAnError(_ limit: Int) throws {
    let folder = TemporaryFolder()
    let run = try ProbeReport(
      "limit-at-start", folder.file("t.lark"), environment: ["LIMIT": "\(limit)"])
    #expect(run.status == 0)
    #expect(run.result == Self.result(1000))
    let file = folder.file(limit < 4096 ? "t.lark" : "t.lark.live")
    #expect(
      run.errors == [
        "can't create \(file): File too large; "
          + "choose a folder that can be written and has space"
      ])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test func threadsWithoutSpaceAreCounted() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try ProbeReport("limit-live", path)
    #expect(run.status == 0)
    #expect(run.begun == 600...600)
    let trace = try expectEachSpanIsCounted(in: path, run)
    // One slot is the definitions'.
    #expect(trace.tracks.filter { $0.counts.lost > 0 }.map(\.counts.lost) == [30, 30, 30, 30, 30])
    #expect(trace.tracks.filter { $0.spans.count == 30 }.count == 15)
    #expect(
      trace.issues.contains(
        Trace.Issue("threads for which there was no space (File too large)", count: 5)))
    #expect(run.errors.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: path + ".live"))
  }

  @Test func namesWithoutSpaceEndTheRecording() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try ProbeReport("limit-names", path, environment: ["LIMIT": "4096"])
    #expect(run.status == 0)
    #expect(run.output.contains("active false"))
    #expect(run.errors.count == 1)
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    #expect(trace.issues.contains { $0.text.hasPrefix("recordings that ended early") })
    #expect(trace.issues.contains { $0.text.hasPrefix("names and facts lost") })
    #expect(trace.source.ending == .stopped)
    // What was recorded has its names.
    #expect(trace.spans.count > 500)
    #expect((0..<trace.spans.count).allSatisfy { trace.name(ofSpan: $0) == "named" })
  }

  @Test func aProgramThatDoesNotStopIsToldAtItsEnd() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try ProbeReport("limit-exit", path)
    #expect(run.status == 0)
    #expect(run.result == Self.result(10_000))
    #expect(
      run.standardError
        == "flamelark: \(path) could not be written to its end: File too large; "
        + "keep its .live file, it holds the rest\n")
    try expectEachSpanIsCounted(in: path, run, lost: Self.tooLarge)
  }

  @Test func theSignalOfALongFileIsTheProgramsOwn() throws {
    let folder = TemporaryFolder()
    let run = try ProbeReport("limit-signal", folder.file("t.lark"))
    #expect(run.status == 0)
    #expect(run.errors.count == 1)
    #expect(run.output.hasSuffix("signals 0\nsignals 1\n"))
  }

  @Test func aRotationThatFindsNoPlaceSaysSo() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try ProbeReport("limit-rotate", path)
    #expect(run.status == 0)
    #expect(run.result == Self.result(10_000, 10_000))
    #expect(run.errors.count == 1)
    #expect(run.errors.first?.hasPrefix("can't create ") == true)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    // The last two, and nothing of the one that had no place.
    #expect(files.count == 2)
    let last = try #require(files.last)
    let trace = try Trace(contentsOf: folder.file(last))
    try trace.checkInvariants()
    #expect(trace.source.ending == .stopped)
    #expect(
      trace.issues == [
        Trace.Issue(
          "recordings that ended early because a file could not be written (File too large)",
          count: 1)
      ])
  }

  // MARK: - The file is gone

  @Test(arguments: ["trace", "folder"])
  func aFileThatIsRemovedEndsTheRecording(_ removed: String) throws {
    let folder = TemporaryFolder()
    let inner = folder.file("inner")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    let path = inner + "/t.lark"
    let run = try ProbeReport("remove", path, environment: ["REMOVED": removed])
    #expect(run.status == 0)
    #expect(run.result == Self.result(10_000, 10_000))
    #expect(run.output.contains("active false"))
    #expect(
      run.errors == [
        "\(path) was removed while it was recorded, and the recording with it; "
          + "keep such files until the program has ended"
      ])
    #expect((try? FileManager.default.contentsOfDirectory(atPath: inner)) ?? [] == [])
  }

  @Test func aLiveFileThatIsRemovedIsNotMissed() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try ProbeReport("remove", path, environment: ["REMOVED": "live"])
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.begun == 60_000...60_000)
    let trace = try expectEachSpanIsCounted(in: path, run)
    #expect(trace.source.ending == .stopped)
  }

  @Test func filesOfTheProgramUnderTheSameNumbersAreNotTouched() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try ProbeReport("close-all", path)
    #expect(run.status == 0)
    #expect(try String(contentsOfFile: path + ".own", encoding: .utf8) == "mine")
    #expect(run.output.hasSuffix("open 8\n"))
    #expect(
      run.errors == [
        "\(path) could not be written to its end: Bad file descriptor; "
          + "keep its .live file, it holds the rest"
      ])
    let trace = try expectEachSpanIsCounted(in: path, run, lost: "Bad file descriptor")
    try expectRecoveryKeepsIt(path, of: trace)
  }

  // MARK: - The folder can't be written

  @Test func aReadOnlyFolderIsAnError() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try ProbeReport("read-only", path)
    #expect(run.status == 0)
    #expect(run.result == Self.result(1000))
    #expect(
      run.errors == [
        "can't create \(path): Permission denied; "
          + "choose a folder that can be written and has space"
      ])
  }

  @Test func aFolderThatBecomesReadOnlyKeepsTheLiveFile() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try ProbeReport("read-only-later", path)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.begun == 60_000...60_000)
    #expect(FileManager.default.fileExists(atPath: path + ".live"))
    let trace = try expectEachSpanIsCounted(in: path, run)
    #expect(trace.source.ending == .stopped)
    #expect(trace.issues.isEmpty)
  }

  // MARK: - The disk is full

  @Test(
    .enabled(
      if: DiskTests.canMount,
      "this process may not mount a disk, even one in namespaces of its own"),
    arguments: [0, 4096, 100_000, 1_400_000, 1_450_000, 1_500_000, 2_000_000])
  func aFullDiskHarmsNothing(_ left: Int) throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.lark")
    let run = try ProbeReport("full-disk", path, environment: ["LEFT": "\(left)"])
    #expect(run.status == 0)
    #expect(run.errors.count == 1)
    #expect(run.errors.first?.contains("No space left on device") == true)
    if left < 1_450_000 {
      #expect(run.result == Self.result(1000))
      #expect(!FileManager.default.fileExists(atPath: path))
      return
    }
    #expect(run.result == 15 * Self.result(2000))
    let trace = try expectEachSpanIsCounted(in: path, run, lost: "No space left on device")
    try expectRecoveryKeepsIt(path, of: trace)
  }

  private static let canMount: Bool = {
    let folder = TemporaryFolder()
    let run = try? Probe.run("full-disk", folder.file("t.lark"), environment: ["LEFT": "0"])
    return run?.status != 77
  }()
}

/// What a probe with a `Workload` says.
struct ProbeReport {
  let status: CInt
  let output: String
  let standardError: String
  /// What starting or stopping threw.
  let errors: [String]
  /// How many spans were begun in the recording, at least and at most.
  let begun: ClosedRange<Int>
  let result: Int?

  init(_ scenario: String, _ path: String, environment: [String: String] = [:]) throws {
    let run = try Probe.run(scenario, path, environment: environment)
    status = run.status
    output = run.output
    standardError = run.errors
    func values(_ word: String) -> [String] {
      run.output.split(separator: "\n").filter { $0.hasPrefix(word + " ") }
        .map { String($0.dropFirst(word.count + 1)) }
    }
    errors = values("error")
    let counts = values("begun").flatMap { $0.split(separator: " ") }.compactMap { Int($0) }
    begun = counts.count == 2 ? counts[0]...max(counts[0], counts[1]) : -1...(-1)
    result = values("result").first.flatMap { Int($0) }
  }
}
