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
    let breakages: [(Regex<Substring>, String)] = [
      (#/"blame_ns": (?=\d)/#, #""blame_ns": 1"#),
      (/"blame_high_ns": (?=\d)/, #""blame_high_ns": 9"#),
      (/"link": null/, #""link": "task""#),
    ]
    for (place, wrong) in breakages {
      let broken = report.replacing(place, with: wrong, maxReplacements: 1)
      #expect(broken != report)
      #expect(try Self.addUp(broken).status == 1, "\(wrong)")
    }
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

  /// The commands that a text suggests, as words. No word in them has a space.
  static func suggestions(in text: String) -> [[String]] {
    text.replacing(#/ \\\n +/#, with: " ").matches(of: #/flamelark ([a-z].*?)(?=\n|     )/#)
      .map { $0.1.split(separator: " ").map(String.init) }
  }

  @Test func whatTheReportSuggestsShowsTheSame() throws {
    let folder = try TemporaryFolder()
    _ = try file(in: folder, frames: "beat")
    let asked = ["--frames", "beat", "--refresh", "50", "--from", "f26", "--to", "f32"]
    let report = try Command(arguments: ["blame"] + asked + ["game.json"], in: folder.url)
    #expect(report.status == 0, "\(report.errors)")
    let commands = Self.suggestions(in: report.output)
    #expect(commands.map(\.first) == ["hitch", "flame"], "\(report.output)")
    let hitch = try Command(arguments: commands[0], in: folder.url)
    #expect(hitch.status == 0, "\(hitch.errors)")
    // 15 + 4 + 4.5 ms and a rest in frame 30, against 20 ms.
    #expect(report.output.contains("3.0 ms late = 100 %"), "\(report.output)")
    #expect(hitch.output.contains("3.0 ms LATE"), "\(hitch.output)")
    let flame = try Command(arguments: commands[1], in: folder.url)
    #expect(flame.status == 0, "\(flame.errors)")
    let picture = folder.url.appending(path: "game.json.blame.svg")
    let svg = try String(contentsOf: picture, encoding: .utf8)
    #expect(svg.contains("3.0 ms late = 100 %"))
    let range = try #require(report.output.firstMatch(of: /from \d\.\d+ to \d\.\d+ s/)).0
    #expect(svg.contains(" · \(range) · "), "\(svg.prefix(3_000))")
    for command in Self.suggestions(in: hitch.output) {
      let result = try Command(arguments: command, in: folder.url)
      #expect(result.status == 0, "\(command): \(result.errors)")
    }
    #expect(Self.suggestions(in: hitch.output).count == 2)
  }

  @Test func aWarmUpIsLeftOut() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    func blamed(_ skip: String) throws -> (frames: Int?, hitches: [Int]) {
      let command = try Command(
        "blame", "--refresh", "60", "--format", "json", "--skip", skip, path)
      let report = try JSONSerialization.jsonObject(with: Data(command.output.utf8))
      let series = ((report as? [String: Any])?["series"] as? [[String: Any]])?.first
      let hitches = series?["hitches"] as? [[String: Any]] ?? []
      return (series?["frames"] as? Int, hitches.compactMap { $0["frame"] as? Int })
    }
    // Frame 10 begins 166.7 ms after the first, frame 20 at 338.7.
    let expected: [(String, Int, [Int])] = [
      ("0", 41, [10, 20, 25, 30, 35]), ("2ms", 40, [10, 20, 25, 30, 35]),
      ("166ms", 31, [10, 20, 25, 30, 35]), ("167ms", 30, [20, 25, 30, 35]),
      ("11", 30, [20, 25, 30, 35]), ("0.4s", 17, [25, 30, 35]),
    ]
    for (skip, frames, hitches) in expected {
      let found = try blamed(skip)
      #expect(found.frames == frames, "--skip \(skip)")
      #expect(found.hitches == hitches, "--skip \(skip)")
    }
    let text = try Command("blame", "--refresh", "60", "--skip", "167ms", path).output
    #expect(text.contains("without the first 167.0 ms"))
    #expect(text.contains("hitches 4 "))
  }

  /// Each verb says how to go on where it isn't clear what the frames are, and that really runs.
  @Test(arguments: [
    ["hitch", "game.json", "10"], ["hitch", "--refresh", "60", "--all", "game.json", "f10"],
    ["flame", "--of", "blame", "-o", "-", "game.json"],
    ["export", "--as", "speedscope", "--from", "f3", "game.json"],
    ["spans", "--from", "f3", "--to", "f4", "game.json"],
    ["blame", "--top", "3", "--", "-my game.json"],
  ])
  func theCommandThatNamesFramesRuns(_ arguments: [String]) throws {
    let folder = try TemporaryFolder()
    let text = GameRun().traceEvents(frames: "beat")
    for name in ["game.json", "-my game.json"] { _ = try folder.file(name, text: text) }
    let command = try Command(arguments: arguments, in: folder.url)
    #expect(command.status == 2)
    let lines = command.errors.split(separator: "\n")
    #expect(lines[0].contains("doesn't say what its frames are"), "\(command.errors)")
    // As a shell reads it.
    let line = String(lines[1]).replacing("flamelark", with: "\"$0\"", maxReplacements: 1)
    let result = try Command.run(
      URL(fileURLWithPath: "/bin/sh"), ["-c", line, Command.tool("flamelark").path],
      in: folder.url, input: nil)
    #expect(result.status == 0, "\(line): \(result.errors)")
    #expect(!result.output.isEmpty)
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
