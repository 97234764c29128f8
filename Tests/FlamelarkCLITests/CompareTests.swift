import Foundation
import Testing
import _FlamelarkTestSupport

/// Runs as files of another tool: instants called `Frame` at 60 Hz, and spans.
struct RunFile {
  /// In how many of 60 frames `load` is slow.
  var slow = 6
  var name = "load"
  var frames = "Frame"
  /// The first of the slow frames.
  var shift = 0

  var text: String {
    var lines = [
      #"{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"main"}}"#
    ]
    var time = 0
    for frame in 0..<180 {
      let isLate = (frame + shift) % 60 % 9 == 0 && (frame + shift) % 60 / 9 < slow
      let load = isLate ? 16_000 + (frame * 37 + shift * 101) % 5_000 : 3_000
      lines.append(
        #"{"ph":"i","s":"t","name":"\#(frames)","pid":1,"tid":1,"ts":\#(time)}"#)
      for (span, start, length) in [("update", 500, 4000), (name, 5000, load)] {
        lines.append(
          #"{"ph":"X","name":"\#(span)","pid":1,"tid":1,"ts":\#(time + start),"dur":\#(length)}"#)
      }
      time += max(16_667, load + 5_500)
    }
    return "[" + lines.joined(separator: ",\n") + "]"
  }
}

@Suite struct CompareTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes runs `NAME-0.json`…, each a little different, and returns their paths.
  private func runs(_ name: String, _ count: Int, _ run: RunFile = RunFile()) throws -> [String] {
    try (0..<count).map { number in
      var run = run
      run.shift = number
      return try folder.file("\(name)-\(number).json", text: run.text)
    }
  }

  private func compare(_ a: [String], _ b: [String], _ options: String...) throws -> Command {
    try Command(
      arguments: ["compare", "--frames", "Frame", "--refresh", "60"] + options + a + ["--"] + b)
  }

  @Test func theVerdictComesFirstAndTheCauseNext() throws {
    let (a, b) = (try runs("a", 4), try runs("b", 4, RunFile(slow: 2)))
    let command = try compare(a, b)
    #expect(command.status == 0 && command.errors == "")
    let lines = command.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("BETTER   "))
    #expect(lines[1].contains("load bears less: "))
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(!command.output.contains("\u{1B}"))
    #expect(try compare(b, a).output.hasPrefix("WORSE   "))
    #expect(try compare(a, a).output.hasPrefix("NO CHANGE SEEN   "))
    // Narrow text, and options behind the first --.
    let narrow = try Command(
      arguments: ["compare"] + a + ["--"] + b
        + ["--frames", "Frame", "--refresh=60", "--width", "80", "--top", "1"])
    #expect(narrow.status == 0, "\(narrow.errors)")
    #expect(narrow.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func oneRunASideIsSaidToBeOne() throws {
    let (a, b) = (try runs("a", 1), try runs("b", 1, RunFile(slow: 0)))
    let command = try compare(a, b)
    #expect(command.status == 0)
    #expect(command.output.hasPrefix("BETTER IN THESE RUNS   "))
    #expect(command.output.contains("with fewer than 3 runs a side"))
    #expect(command.output.contains("perhaps gone"))
  }

  @Test func aNewCauseIsNamed() throws {
    let (a, b) = (try runs("a", 5), try runs("b", 5, RunFile(name: "parse 12")))
    let command = try compare(a, b)
    #expect(command.output.firstMatch(of: /new +parse #\n/) != nil)
    #expect(command.output.firstMatch(of: /gone +load\n/) != nil)
  }

  @Test func theSameFilesGiveTheSameBytes() throws {
    let (a, b) = (try runs("a", 3), try runs("b", 3, RunFile(slow: 3)))
    for format in ["text", "json", "markdown"] {
      let first = try compare(a, b, "--format", format)
      #expect(first.status == 0)
      #expect(try compare(a, b, "--format", format).output == first.output)
    }
  }

  @Test func theJSONHasWhatTheTextSays() throws {
    let (a, b) = (try runs("a", 4), try runs("b", 5, RunFile(slow: 2)))
    let command = try compare(a, b, "--format", "json")
    let json = try JSONSerialization.jsonObject(with: Data(command.output.utf8))
    let report = try #require(json as? [String: Any])
    #expect(report["schema"] as? String == "flamelark.compare/1")
    #expect(report["verdict"] as? String == "better")
    #expect((report["a"] as? [Any])?.count == 4 && (report["b"] as? [Any])?.count == 5)
    let ratio = try #require(report["hitch_ratio_ms_per_s"] as? [String: Any])
    let before = try #require(ratio["a"] as? Double)
    let causes = try #require(report["causes"] as? [[String: Any]])
    let sum = causes.reduce(0.0) { $0 + (($1["a"] as? Double) ?? .nan) }
    #expect((sum - before).magnitude < 1e-6)
    #expect((ratio["low"] as? Double ?? 0) < (ratio["high"] as? Double ?? 0))
  }

  @Test func namesInMarkdownCanDoNothing() throws {
    let name = "<b>@all|`x`](http://e)\\u001b"
    let command = try compare(
      try runs("a", 3), try runs("b", 3, RunFile(name: name)), "--format", "markdown")
    #expect(command.status == 0, "\(command.errors)")
    let rows = command.output.split(separator: "\n").filter { $0.contains("all&#124;") }
    #expect(!rows.isEmpty)
    for row in rows where row.hasPrefix("|") {
      #expect(!row.contains("<b>") && !row.contains("`") && !row.contains("]("))
      #expect(row.contains("<code>&#60;b&#62;&#64;all&#124;"))
      // The tables of causes and of spans have six and five fields.
      #expect([7, 6].contains(row.count { $0 == "|" }))
    }
  }

  @Test func runsThatAreNotAlikeAreNotCompared() throws {
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Fixtures")
    let (loop, studio) = (
      fixtures.appending(path: "v1.0.lark").path, fixtures.appending(path: "v1.2.lark").path
    )
    let command = try Command("compare", loop, "--", studio)
    #expect(command.status == 2 && command.output == "")
    for sentence in [
      "these runs can't be compared: the frame series differs: loop and studio",
      "the refresh rates differ: 60 Hz and 125 Hz", "give --anyway",
    ] {
      #expect(command.errors.contains(sentence), "\(command.errors)")
    }
    let anyway = try Command("compare", "--anyway", "--width", "400", loop, "--", studio)
    #expect(anyway.status == 0)
    #expect(
      anyway.output.contains("the refresh rates differ: 60 Hz and 125 Hz; compared all the same"))
    #expect(anyway.output.contains("the build mode is not in all traces: it may differ"))
    let chosen = try Command("compare", "--series", "loop", loop, "--", studio)
    #expect(chosen.status == 2)
    #expect(chosen.errors.contains(#"has no frame series "loop", it has "studio""#))
    let foreign = try compare(try runs("a", 1), try runs("b", 1))
    #expect(foreign.status == 0)
    #expect(foreign.output.contains("the core count is in no trace"))
  }

  @Test(arguments: [
    (["compare"], "compare needs files on both sides of --"),
    (["compare", "a"], "compare needs files on both sides of --"),
    (["compare", "a", "b"], "compare needs -- between"),
    (["compare", "--", "b"], "there is no file before --"),
    (["compare", "a", "a", "--", "b"], "\"a\" is given twice, but each file is a run"),
    (["compare", "a", "--", "b", "c", "b"], "\"b\" is given twice, but each file is a run"),
    (
      ["check", "--max-hitch-ratio", "5", "a", "a"], "\"a\" is given twice, but each file is a run"
    ),
    (["compare", "a", "--"], "there is no file behind --"),
    (["compare", "a", "--", "b", "--nonsense"], "compare has no option \"--nonsense\""),
    (["compare", "--format", "xml", "a", "--", "b"], "--format takes text or json or markdown"),
    (["compare", "no-such.lark", "--", "b"], "no-such.lark"),
    (["check"], "check needs a file"),
    (["check", "a"], "check needs something to hold the runs against"),
    (["check", "--max-hitch-ratio", "x", "a"], "--max-hitch-ratio takes a hitch ratio"),
    (["check", "--max-p90", "-1", "a"], "--max-p90 takes a hitch ratio"),
    (["check", "--baseline", "no-such-folder", "a"], "can't list no-such-folder"),
    (["check", "--max-p90"], "--max-p90 needs a value: --max-p90 MS_PER_S"),
  ])
  func aMistakeIsOneSentence(_ words: [String], _ sentence: String) throws {
    let command = try Command(arguments: words, in: folder.url)
    #expect(command.status == 2 && command.output == "")
    #expect(command.errors.contains(sentence), "\(command.errors)")
    #expect(command.errors.count { $0 == "\n" } == 1)
  }

  @Test func filesBeginningWithADashStandBehindASecondSeparator() throws {
    _ = try folder.file("-a.json", text: RunFile().text)
    let options = ["--frames", "Frame", "--refresh", "60"]
    let command = try Command(
      arguments: ["compare"] + options + ["./-a.json", "--", "--", "-a.json"], in: folder.url)
    #expect(command.status == 0, "\(command.errors)")
    let unclear = try Command("compare", "./-a.json", "--", "--", "-a.json", in: folder.url)
    if unclear.status != 0 {
      #expect(unclear.errors.contains("./-a.json -- -a.json"), "\(unclear.errors)")
    }
  }

  @Test func badFilesAreToldWithTheirName() throws {
    let good = try runs("a", 1)
    for (name, bytes) in [("empty.lark", []), ("noise.lark", Array("hello".utf8))] {
      let path = try folder.file(name, bytes)
      let command = try compare(good, [path])
      #expect(command.status == 2 && command.errors.contains(name))
    }
    let none = try folder.file("none.json", text: "[]")
    let command = try compare(good, [none])
    #expect(command.status == 2 && command.errors.contains("none.json"), "\(command.errors)")
  }
}
