import Foundation
import Testing
import _FlamelarkTestSupport

@Suite struct FramesTests {
  private func file(
    _ name: String = "game.json", in folder: TemporaryFolder, frames: String = "Frame"
  ) throws -> String {
    try folder.file(name, text: GameRun().traceEvents(frames: frames))
  }

  private func json(_ arguments: [String]) throws -> [String: Any] {
    let command = try Command(arguments: arguments + ["--format", "json"])
    #expect(command.status == 0, "\(command.errors)")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(command.output.utf8)) as? [String: Any])
  }

  @Test func theReportSaysWhatFramesWereLike() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    let command = try Command("frames", path, "--refresh", "60")
    #expect(command.status == 0)
    #expect(command.errors == "")
    let lines = command.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(3).contains { $0.contains("CRITICAL") })
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(!command.output.contains("\u{1B}"))
    #expect(try Command("frames", path, "--refresh", "60").output == command.output)
    #expect(!command.output.contains("fpsmonitor"))
    let compat = try Command("frames", path, "--refresh", "60", "--compat", "fpsmonitor")
    #expect(compat.output.contains("fpsmonitor would have told"))
    let scaled = try Command("frames", path, "--scale", "hitches")
    #expect(scaled.output.contains("hitches scale: good <= 10"))
  }

  @Test(arguments: ["jankstats", "frame-overrun", "sentry", "perfdog", "unreal", "capframex"])
  func aRuleOfOthersJudgesTheSameFrames(_ rule: String) throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    let text = try Command("frames", path, "--refresh", "60", "--rule", rule)
    #expect(text.status == 0 && text.output.contains("\nRule \(rule): "))
    #expect(text.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    let other = try file("other.json", in: folder)
    let both = try Command("frames", path, other, "--refresh", "60", "--rule", rule)
    #expect(both.output.components(separatedBy: "\nRule \(rule): ").count == 3)
    func outcome(_ options: [String]) throws -> [String: Any]? {
      let report = try json(["frames", path, "--refresh", "60"] + options)
      let sessions = try #require(report["sessions"] as? [[String: Any]])
      let series = try #require(sessions.first?["series"] as? [[String: Any]])
      return series.first?["by_rule"] as? [String: Any]
    }
    let found = try #require(try outcome(["--rule", rule]))
    #expect(found["rule"] as? String == rule)
    let judged = try #require(found["judged"] as? Int)
    #expect(judged > 0)
    // Fewer frames are asked for.
    let later = try #require(try outcome(["--rule", rule, "--skip", "3"]))
    #expect(later["judged"] as? Int == judged - 3)
    #expect(try outcome([]) == nil)
  }

  @Test func aRuleThatNobodyHasIsRefused() throws {
    let folder = try TemporaryFolder()
    let command = try Command("frames", try file(in: folder), "--rule", "perfdg")
    #expect(command.status == 2 && command.output.isEmpty)
    #expect(command.errors.contains("did you mean perfdog?"))
  }

  /// The figures of blame and those of frames are told twice; they are the same.
  static func theSameAsBlame(_ options: [String], _ path: String) throws {
    func series(_ verb: String) throws -> (status: Int32, series: [[String: Any]]) {
      let command = try Command(arguments: [verb, "--format", "json"] + options + [path])
      guard command.status == 0 else { return (command.status, []) }
      let report = try #require(
        try JSONSerialization.jsonObject(with: Data(command.output.utf8)) as? [String: Any])
      let whole = verb == "frames" ? (report["sessions"] as? [[String: Any]])?.first : report
      return (0, try #require(whole?["series"] as? [[String: Any]]))
    }
    let (blame, frames) = (try series("blame"), try series("frames"))
    #expect(blame.status == frames.status, "\(path) \(options)")
    try #require(blame.series.count == frames.series.count, "\(path) \(options)")
    for (a, b) in zip(blame.series, frames.series) {
      for key in [
        "name", "mode", "frames", "cut_frames", "active_ns", "idle_ns", "hitch_ns",
        "hitch_ratio_ms_per_s", "hitch_ratio_is_approximate", "hitch_count", "estimated_targets",
        "rate_changes", "dropped_frames",
      ] {
        #expect(
          "\(a[key] ?? "none")" == "\(b[key] ?? "none")", "\(key) of \(path) \(options)")
      }
      let late = (a["lateness"] as? [String: Any], b["lateness"] as? [String: Any])
      for key in ["p50_ns", "p90_ns", "max_ns"] {
        #expect(
          (late.0?[key] as? Int ?? 0) == (late.1?[key] as? Int ?? 0),
          "\(key) of \(path) \(options)")
      }
      let shown = (a["shown"] as? [String: Any], b["shown"] as? [String: Any])
      for key in ["dropped", "untold", "behind_target", "mean_behind_target_ns"] {
        #expect(shown.0?[key] as? Int == shown.1?[key] as? Int, "\(key) of \(path) \(options)")
      }
    }
  }

  @Test func theRatioIsThatOfBlame() throws {
    let folder = try TemporaryFolder()
    let paths = [try file(in: folder), try file("beat.json", in: folder, frames: "beat")]
    let selections = [
      [], ["--refresh", "60"], ["--skip", "12"], ["--skip", "100ms"],
      ["--from", "f10", "--to", "f30"], ["--from", "9s"],
    ]
    for selection in selections {
      try Self.theSameAsBlame(selection, paths[0])
      try Self.theSameAsBlame(selection + ["--frames", "beat"], paths[1])
    }
  }

  /// A marked loop, and a program of which it is known when its frames were shown, with a pause.
  @Test(arguments: ["v1.0.lark", "v1.2.lark"])
  func theRatioOfRecordingsIsThatOfBlame(_ fixture: String) throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Fixtures/\(fixture)").path
    for selection in [
      [], ["--skip", "2"], ["--skip", "50ms"], ["--from", "20ms", "--to", "90ms"],
    ] {
      try Self.theSameAsBlame(selection, path)
    }
  }

  @Test func activitiesOfARecordingAreJudged() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "scroll.lark").path
    let result = try Command.run(
      Command.tool("RecorderProbe"), ["scroll", path], in: nil, input: nil)
    #expect(result.status == 0, "\(result.errors)")
    try Self.theSameAsBlame([], path)
    try Self.theSameAsBlame(["--activity", "scroll"], path)
    let whole = try json(["frames", path])
    let part = try json(["frames", "--activity", "scroll", path])
    func first(_ report: [String: Any]) throws -> [String: Any] {
      try #require((report["over_sessions"] as? [[String: Any]])?.first)
    }
    let scroll = try #require((try first(whole)["activities"] as? [[String: Any]])?.first)
    #expect(scroll["name"] as? String == "scroll")
    // What an activity comes to is what the report says of its frames alone.
    for key in ["hitch_ns", "active_ns", "hitch_ratio_ms_per_s"] {
      #expect("\(scroll[key] ?? "")" == "\(try first(part)[key] ?? "none")")
    }
    #expect(try Command("frames", path).output.contains("\nActivities "))
  }

  @Test(.enabled(if: Corpus.isPresent))
  func theRatioOfTheCorpusIsThatOfBlame() throws {
    var told = 0
    for file in try Corpus.files() where file.hasPrefix("engine/") || file.hasPrefix("real/") {
      let path = Corpus.path(file)
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      guard size < 1_500_000 else { continue }
      let blame = try Command("info", path)
      guard blame.status == 0 else { continue }
      try Self.theSameAsBlame([], path)
      if file.hasPrefix("engine/") {
        try Self.theSameAsBlame(["--frames", "RunLoop", "--refresh", "60"], path)
      }
      told += 1
    }
    #expect(told > 3)
  }

  @Test func eachFileIsASession() throws {
    let folder = try TemporaryFolder()
    let paths = try (0..<10).map { try file("game-\($0).json", in: folder) }
    let report = try json(["frames", "--refresh", "60"] + paths)
    let sessions = try #require(report["sessions"] as? [[String: Any]])
    #expect(sessions.compactMap { $0["file"] as? String } == paths)
    let over = try #require((report["over_sessions"] as? [[String: Any]])?.first)
    #expect(over["n"] as? Int == 10)
    let one = try json(["frames", "--refresh", "60", paths[0]])
    let single = try #require((one["over_sessions"] as? [[String: Any]])?.first)
    #expect(over["hitch_ratio_ms_per_s"] as? Double == single["hitch_ratio_ms_per_s"] as? Double)
    #expect(over["p90_ms_per_s"] as? Double == single["p50_ms_per_s"] as? Double)
    #expect(single["p90_ms_per_s"] is NSNull)
    let text = try Command(arguments: ["frames", "--refresh", "60"] + paths.prefix(9)).output
    #expect(text.hasPrefix("9 sessions\n"))
    #expect(text.contains("no p90: n = 9, less than 10"))
    #expect(text.split(separator: "\n").count { $0.contains("game-") } == 9)
    let all = try Command(arguments: ["frames", "--refresh", "60"] + paths).output
    #expect(all.contains(" · p90 "))
  }

  @Test func aMistakeIsOneSentence() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    let text = try folder.file("diary.txt", text: "Dear diary,\n")
    let empty = try folder.file("empty.json", text: "[]")
    let single = try folder.file(
      "single.json", text: #"[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":5}]"#)
    let mistakes: [([String], String)] = [
      (
        ["--compat", "fpsmonitr", path],
        "--compat takes fpsmonitor, but is \"fpsmonitr\"; did you mean fpsmonitor?"
      ),
      (["--scale", "good", path], "--scale takes scroll or hitches, but is \"good\""),
      (["--refresh", "0", path], "--refresh takes a rate from 1 to 1000 Hz"),
      (["--skip", "some", path], "--skip takes a number of frames"),
      (["--from", "f99", path], "--from f99: series \"Frame\" of \(path) has frames 0 to 40"),
      (["--from", "9s", path], "no frame of \(path) begins from 9.000s on"),
      (["--skip", "41", path], "no frame of \(path) begins behind what --skip leaves out"),
      (["--activity", "scroll", path], "\(path) has no activity \"scroll\" and no other"),
      (["--series", "feed", path], "\(path) has no frame series \"feed\" and no other"),
      (["--frames", "Frmae", path], "no span or instant of \(path) is named \"Frmae\""),
      (["--top", "3", path], "frames has no option \"--top\""),
      (["--svg", "-", path], "--svg takes the name of a file: standard output is for the report"),
      ([empty], "\(empty): no scopes"),
      ([single], "\(single) has no frames to judge and nothing that repeats like one"),
      ([path, text], "\(text): "),
      ([path, path + "x"], "can't read \(path)x: No such file or directory"),
    ]
    for (arguments, sentence) in mistakes {
      let command = try Command(arguments: ["frames"] + arguments)
      #expect(command.status == 2, "\(arguments)")
      #expect(command.output == "", "\(arguments)")
      #expect(command.errors.hasPrefix("flamelark: \(sentence)"), "\(command.errors)")
      #expect(command.errors.split(separator: "\n").count == 1, "\(command.errors)")
    }
  }

  @Test func aPictureIsWrittenBesideTheReportAndNeverOverwritesAFile() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    let picture = folder.url.appending(path: "frames.svg").path
    let command = try Command("frames", path, "--refresh", "60", "--svg", picture)
    #expect(command.status == 0)
    #expect(command.output == (try Command("frames", path, "--refresh", "60").output))
    #expect(command.errors == "flamelark: \(picture): open it in a browser\n")
    let svg = try String(contentsOfFile: picture, encoding: .utf8)
    #expect(svg.hasSuffix("</svg>\n"))
    #expect(svg.contains("<title>frame 10 at "))
    let again = try Command("frames", path, "--svg", picture)
    #expect(again.status == 2)
    #expect(again.output == "")
    #expect(again.errors.contains("is there already and is not overwritten"))
    #expect(try String(contentsOfFile: picture, encoding: .utf8) == svg)
    let packed = folder.url.appending(path: "frames.svg.gz").path
    #expect(try Command("frames", path, "--svg", packed).status == 0)
    #expect(try Data(contentsOf: URL(filePath: packed)).starts(with: [0x1F, 0x8B]))
    let nowhere = try Command("frames", path, "--svg", folder.url.path + "/none/a.svg")
    #expect(nowhere.status == 2)
    #expect(nowhere.errors.contains("No such file or directory"))
  }

  @Test func framesThatAreNotClearAreAskedFor() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder, frames: "beat")
    let command = try Command("frames", path)
    #expect(command.status == 2)
    #expect(command.output == "")
    #expect(command.errors.contains("\n  flamelark frames --frames "), "\(command.errors)")
    let named = try Command("frames", "--frames", "beat", path)
    #expect(named.status == 0)
    #expect(named.output.contains("series \"beat\" · mode spans"))
  }
}
