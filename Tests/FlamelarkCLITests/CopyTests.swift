import FlamelarkTrace
import Foundation
import Testing

/// `flamelark recover` and `flamelark pack` on what killed programs left.
@Suite struct CopyTests {
  private func killed(_ scenario: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.url.appending(path: "t.lark").path
    let result = try Command.run(
      Command.tool("RecorderProbe"), [scenario, path], in: nil, input: nil)
    #expect(result.status == SIGKILL, "\(result.errors)")
    return path
  }

  private func expectSame(_ copy: Trace, _ trace: Trace) throws {
    try copy.checkInvariants()
    #expect(copy.spans.start == trace.spans.start)
    #expect(copy.spans.end == trace.spans.end)
    #expect(copy.spans.site == trace.spans.site)
    #expect(copy.spans.parent == trace.spans.parent)
    #expect(copy.spans.unfinished == trace.spans.unfinished)
    #expect(copy.folded == trace.folded)
    #expect(copy.callSites == trace.callSites)
    #expect(copy.tracks.map(\.counts) == trace.tracks.map(\.counts))
    #expect(copy.tracks.map(\.name) == trace.tracks.map(\.name))
    #expect(copy.frameSeries.map(\.frames.count) == trace.frameSeries.map(\.frames.count))
    #expect(copy.source == trace.source)
    #expect(copy.range == trace.range)
    #expect(copy.wallClockZero == trace.wallClockZero)
    #expect(copy.issues == trace.issues)
  }

  @Test(arguments: ["kill", "kill-folding"], ["recover", "pack"])
  func aCopyReadsLikeTheFilesOfAKilledProgram(_ scenario: String, _ verb: String) throws {
    let folder = try TemporaryFolder()
    let path = try killed(scenario, in: folder)
    let trace = try Trace(contentsOf: path)
    #expect(trace.source.ending == .killed)
    #expect(!trace.spans.unfinished.isEmpty)
    #expect(scenario == "kill" || trace.folded.contains { $0.count == 1000 })

    let output = folder.url.appending(path: "copy.lark").path
    let result = try Command(verb, "-o", output, path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.errors.contains(verb == "recover" ? "open spans that the killed" : "% of"),
      "\(result.errors)")
    try expectSame(try Trace(contentsOf: output), trace)
    // The program's own files stay, and nothing is written over.
    #expect(FileManager.default.fileExists(atPath: path + ".live"))
    let again = try Command(verb, "-o", output, path)
    #expect(again.status == 2)
    #expect(again.errors.contains("is there already and is not overwritten"))
    // What was recovered is an ordinary trace: every verb reads it.
    #expect(try Command("info", output).status == 0)
  }

  @Test(arguments: ["pack", "recover"])
  func plainBytesNeverHaveANameOfGzip(_ verb: String) throws {
    let folder = try TemporaryFolder()
    let path = try killed("kill", in: folder)
    let output = folder.url.appending(path: "copy.lark.gz").path
    let command = try Command(verb, "-o", output, path)
    #expect(command.status == 2)
    #expect(
      command.errors
        == "flamelark: \(verb) writes no gzip, but -o is \"\(output)\"; leave out .gz: "
        + "flamelark pack makes a trace small\n")
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test func aTraceThatNeedsNoRecoveryIsToldSo() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "t.lark").path
    _ = try Command.run(
      Command.tool("RecorderProbe"), ["threads", path], in: nil, input: nil)
    let result = try Command("recover", path)
    #expect(result.status == 0)
    #expect(result.errors.contains("needs no recovery"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["t.lark"])

    #expect(try Command("pack", path).status == 0)
    let packed = folder.url.appending(path: "t.packed.lark").path
    try expectSame(try Trace(contentsOf: packed), try Trace(contentsOf: path))
  }

  @Test func whatIsNoRecordingIsNotCopied() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("t.json", text: "[]")
    for verb in ["pack", "recover"] {
      let result = try Command(verb, path)
      #expect(result.status == 2)
      #expect(result.errors.contains("is not a Flamelark recording"), "\(result.errors)")
    }
  }

  @Test func aDamagedChunkIsLeftOutAndTold() throws {
    let folder = try TemporaryFolder()
    let path = try killed("kill", in: folder)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // In the middle of the first full chunk's payload, which is the second piece of the file.
    bytes[65_536 + 64 + 32_000] ^= 0x40
    try bytes.write(to: URL(fileURLWithPath: path))
    let trace = try Trace(contentsOf: path)
    let output = folder.url.appending(path: "copy.lark").path
    let result = try Command("recover", "-o", output, path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors.contains("damaged: "), "\(result.errors)")
    let copy = try Trace(contentsOf: output)
    #expect(copy.spans.start == trace.spans.start)
    #expect(copy.spans.unfinished == trace.spans.unfinished)
    #expect(copy.issues.contains { $0.text == "chunks missing, by their numbers" })
    #expect(!copy.issues.contains { $0.text.contains("damaged") })
  }
}
