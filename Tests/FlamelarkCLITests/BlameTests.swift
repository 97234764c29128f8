import Foundation
import Testing
import _FlamelarkTestSupport

@Suite struct BlameTests {
  private func file(in folder: TemporaryFolder, frames: String = "Frame") throws -> String {
    try folder.file("game.json", text: GameRun().traceEvents(frames: frames))
  }

  @Test func theReportSaysWhichSpanMadeWhichFrameLate() throws {
    let folder = try TemporaryFolder()
    let command = try Command("blame", try file(in: folder), "--refresh", "60")
    #expect(command.status == 0)
    #expect(command.errors == "")
    let lines = command.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(3).contains { $0.contains("CRITICAL") })
    #expect(command.output.contains("update > physics"))
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(!command.output.contains("\u{1B}"))
  }

  @Test func theSameFileGivesTheSameBytes() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    for format in ["text", "json"] {
      let first = try Command("blame", path, "--format", format)
      #expect(first.status == 0)
      #expect(try Command("blame", path, "--format", format).output == first.output)
    }
  }

  @Test func theJSONAddsUpOutsideThePackage() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    for extra in [[], ["--refresh", "60"], ["--from", "f10", "--to", "f30"], ["--from", "f38"]] {
      let command = try Command(arguments: ["blame", "--format=json", path] + extra)
      #expect(command.status == 0, "\(command.errors)")
      let (status, output) = try Self.addUp(command.output)
      #expect(status == 0, "\(extra): \(output)")
    }
    // The program that adds up does notice what is wrong.
    let report = try Command("blame", "--format", "json", path).output
    let broken = report.replacing(/"blame_ns": (\d)/, maxReplacements: 1) {
      #""blame_ns": 1\#($0.1)"#
    }
    #expect(broken != report)
    #expect(try Self.addUp(broken).status == 1)
  }

  /// Adds up a report outside the package.
  static func addUp(_ json: String) throws -> (status: Int32, output: String) {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "add_up.py")
    let result = try Command.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["python3", script.path], in: nil, input: json)
    return (result.status, result.output + result.errors)
  }

  @Test func aGateAnswersNo() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    #expect(try Command("blame", path, "--fail-above", "900").status == 0)
    let command = try Command("blame", path, "--fail-above", "5")
    #expect(command.status == 1)
    #expect(command.output.contains("CRITICAL"))
  }

  @Test func framesThatAreNotClearAreAskedFor() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder, frames: "beat")
    let command = try Command("blame", path)
    #expect(command.status == 2)
    #expect(command.output == "")
    let lines = command.errors.split(separator: "\n")
    #expect(
      lines[0] == "flamelark: \(path) doesn't say what its frames are; name them, for example with")
    #expect(lines[1].wholeMatch(of: /\ \ flamelark blame --frames \S+ \S+/) != nil)
    let words = lines[1].split(separator: " ").dropFirst().map(String.init)
    #expect(try Command(arguments: words).status == 0)
    #expect(try Command("blame", "--frames", "beat", path).status == 0)
    #expect(try Command("blame", "--frames", "update", path).status == 0)
  }

  @Test func framesOfAnUnknownNameAreSuggested() throws {
    let folder = try TemporaryFolder()
    let command = try Command("blame", "--frames", "updaet", try file(in: folder))
    #expect(command.status == 2)
    #expect(command.errors.hasSuffix("did you mean \"update\"?\n"))
  }

  @Test func aTraceWithoutFramesSaysHowToMarkThem() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file(
      "once.json", text: #"[{"ph":"X","name":"work","pid":1,"tid":1,"ts":1,"dur":5}]"#)
    let command = try Command("blame", path)
    #expect(command.status == 2)
    #expect(command.errors.contains("has no frames to judge"))
    #expect(command.errors.contains("frames.mark()"))
    #expect(command.errors.split(separator: "\n").count == 1)
  }

  @Test func aRangeIsGivenInTimeOrFrames() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    let byFrame = try Command(
      "blame", "--refresh", "60", "--from", "f9", "--to", "frame", "11", path)
    #expect(byFrame.status == 0)
    #expect(byFrame.output.contains("3 frames"))
    #expect(byFrame.output.contains("from 0.150 to 0.205 s"))
    let byTime = try Command("blame", "--refresh=60", "--from=140ms", "--to=0.19s", path)
    #expect(byTime.output.contains("3 frames"))
    let mistakes = [
      (
        "--from", "1.5",
        "--from takes a time like 1.5s or 320ms, or a frame like f304, but is \"1.5\""
      ),
      ("--from", "f99", "--from f99: series \"Frame\" of \(path) has frames 0 to 40"),
      ("--from", "99s", "no frame of \(path) begins from 99.000s on; its frames begin from 0.000s"),
      ("--to", "0s", "--from the beginning is not before --to 0s"),
      ("--refresh", "0", "--refresh takes a rate from 1 to 1000 Hz, but is \"0\""),
      ("--width", "20", "--width takes 80 to 400 columns, but is \"20\""),
      ("--format", "jsn", "--format takes text or json, but is \"jsn\"; did you mean json?"),
      ("--series", "game", "\(path) has no frame series \"game\" and no other; name spans"),
    ]
    for (option, value, sentence) in mistakes {
      let command = try Command("blame", option, value, path)
      #expect(command.status == 2)
      #expect(command.errors.hasPrefix("flamelark: \(sentence)"), "\(command.errors)")
    }
  }

  @Test func namesOfATraceCannotCommandTheTerminal() throws {
    let folder = try TemporaryFolder()
    let text = GameRun().traceEvents().replacing("physics", with: #"\u001b[2J\u202ephysics"#)
    let path = try folder.file("game.json", text: text)
    for verb in ["blame", "info"] {
      for format in ["text", "json"] {
        let command = try Command(verb, "--format", format, path)
        #expect(command.status == 0)
        #expect(!command.output.contains("\u{1B}"))
        #expect(!command.output.contains("\u{202E}"))
      }
    }
    #expect(try Command("blame", path).output.contains(#"update > \u{1b}[2J\u{202e}physics"#))
  }
}
