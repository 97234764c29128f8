import Foundation
import Testing

/// The command on recordings of a program that runs apart.
@Suite struct RecordingTests {
  private func record(_ scenario: String, in folder: TemporaryFolder) throws -> String {
    let path = folder.url.appending(path: "\(scenario).lark").path
    let result = try Command.run(
      Command.tool("RecorderProbe"), [scenario, path], in: nil, input: nil)
    #expect(result.status == (scenario == "kill" ? SIGKILL : 0), "\(result.errors)")
    return path
  }

  @Test func aRecordedHitchIsBlamedOnItsSpan() throws {
    let folder = try TemporaryFolder()
    let path = try record("hitch", in: folder)
    let text = try Command("blame", path)
    #expect(text.status == 0)
    #expect(text.output.contains("series \"loop\" · mode marks"))
    #expect(text.output.contains("`save` takes 4"))
    #expect(text.output.contains("RecorderProbe/Loops.swift:"))
    #expect(text.output.contains("saved"))

    let json = try Command("blame", "--format", "json", path).output
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let series = try #require((report["series"] as? [[String: Any]])?.first)
    let hitches = try #require(series["hitches"] as? [[String: Any]])
    let seventh = try #require(hitches.first { $0["frame"] as? Int == 7 })
    let cause = try #require((seventh["causes"] as? [[String: Any]])?.first)
    #expect(cause["path"] as? [String] == ["save"])
    #expect(try #require(seventh["lateness_ns"] as? Int) > 380_000_000)
    #expect((seventh["start_utc"] as? String)?.hasSuffix("Z") == true)
    // The recorder marked the same hitches that are found.
    let marks = try #require(series["marked_while_recording"] as? [String: Any])
    #expect(marks["hitches"] as? Int == hitches.count)
    #expect(marks["found"] as? Int == hitches.count)
    let named = try #require(series["marked_by_program"] as? [[String: Any]])
    #expect(named.map { $0["reason"] as? String } == ["saved"])
    #expect(named.map { $0["frame"] as? Int } == [7])
  }

  /// The rows of the table of causes.
  private func rows(_ text: String) -> [Substring] {
    Array(
      text.split(separator: "\n").drop { !$0.hasPrefix(" --") }.dropFirst()
        .prefix { !$0.hasPrefix(" --") })
  }

  @Test func theCausesOfOneThreadAreListed() throws {
    let folder = try TemporaryFolder()
    let path = try record("chain-inversion", in: folder)
    func listed(_ thread: String) throws -> [Substring] {
      let command = try Command("blame", "--top", "100", "--thread", thread, path)
      #expect(command.status == 0, "\(command.errors)")
      #expect(command.output.contains("causes on \"\(thread)\""))
      return rows(command.output)
    }
    // A thread works long while another needs the lock that it has.
    let middle = try listed("middle")
    #expect(middle.first?.hasSuffix("  middle: tidy") == true, "\(middle)")
    #expect(
      middle.dropFirst().allSatisfy {
        $0.contains("middle") || $0.contains("elsewhere") || $0.hasSuffix("other variation")
      }, "\(middle)")
    let loop = try listed("loop")
    #expect(!loop.contains { $0.contains("tidy") }, "\(loop)")
    #expect(loop.contains { $0.contains(#/ (?:9\d|100)% .* elsewhere$/#) }, "\(loop)")
  }

  @Test func framesAreChosenByActivityAndWarmUp() throws {
    let folder = try TemporaryFolder()
    let path = try record("scroll", in: folder)
    func frames(_ arguments: String...) throws -> [Int] {
      let command = try Command(arguments: ["blame", "--format", "json", path] + arguments)
      #expect(command.status == 0, "\(command.errors)")
      #expect(try BlameTests.addUp(command.output).status == 0)
      let report = try JSONSerialization.jsonObject(with: Data(command.output.utf8))
      let series = ((report as? [String: Any])?["series"] as? [[String: Any]])?.first
      // Only those that certainly are late: the machine may be slow.
      return (series?["hitches"] as? [[String: Any]] ?? []).compactMap { $0["frame"] as? Int }
        .filter { $0 % 10 == 5 }
    }
    #expect(try frames() == [5, 15, 25])
    #expect(try frames("--activity", "scroll") == [15])
    #expect(try frames("--skip", "10") == [15, 25])
    #expect(try frames("--skip", "15", "--activity", "scroll") == [15])
    // Frame 5 begins some 5 ms after the first and takes 400, so that frame 15 begins behind that.
    #expect(try frames("--skip", "300ms") == [15, 25])
    #expect(try frames("--skip", "2ms") == [5, 15, 25])
    #expect(try frames("--skip", "10", "--to", "f20") == [15])
    let text = try Command("blame", "--activity", "scroll", "--skip", "2", path).output
    #expect(text.contains("in \"scroll\", 1 activity"), "\(text)")
    #expect(text.contains("without the first 2 frames"), "\(text)")

    let thread = try Command("blame", "--thread", "nobody", path)
    #expect(thread.status == 2)
    #expect(thread.errors.contains("has no thread \"nobody\""), "\(thread.errors)")
    let same = try Command("blame", "--thread", "main", path)
    #expect(same.status == 0, "\(same.errors)")
    // All causes are on the one thread, so the rows are those of the whole report.
    #expect(same.output.contains(#"causes on "main""#))
    #expect(rows(same.output) == rows(try Command("blame", path).output))
    #expect(rows(same.output).first?.hasSuffix("  save") == true, "\(same.output)")

    let mistakes: [([String], String)] = [
      (
        ["--activity", "scrol"],
        "\(path) has no activity \"scrol\", it has \"scroll\"; did you mean"
      ),
      (["--skip", "many"], "--skip takes a number of frames, 60, or a time, 2s, but is \"many\""),
      (["--skip", "-3"], "--skip takes a number of frames, 60, or a time, 2s, but is \"-3\""),
      (
        ["--skip", "99"],
        "no frame of \(path) begins behind what --skip leaves out; its frames begin"
      ),
      (
        ["--skip", "25", "--activity", "scroll"],
        "no frame of \(path) begins within \"scroll\" and behind what --skip leaves out"
      ),
    ]
    for (arguments, sentence) in mistakes {
      let command = try Command(arguments: ["blame", path] + arguments)
      #expect(command.status == 2)
      #expect(command.errors.hasPrefix("flamelark: \(sentence)"), "\(command.errors)")
      #expect(command.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func shortCallsThatWereLeftOutAreBlamed() throws {
    let folder = try TemporaryFolder()
    let path = try record("short-calls", in: folder)
    let text = try Command("blame", path).output
    #expect(text.contains("(folded) scan > tiny"))
    #expect(text.contains("summed up where they ran, as (folded)"))

    let json = try Command("blame", "--format", "json", path).output
    let (status, problems) = try BlameTests.addUp(json)
    #expect(status == 0, "\(problems)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let series = try #require((report["series"] as? [[String: Any]])?.first)
    let hitches = try #require(series["hitches"] as? [[String: Any]])
    let seventh = try #require(hitches.first { $0["frame"] as? Int == 7 })
    let cause = try #require((seventh["causes"] as? [[String: Any]])?.first)
    #expect(cause["kind"] as? String == "folded")
    #expect(cause["path"] as? [String] == ["scan", "tiny"])
    #expect(cause["reason"] as? String == "more calls")
    #expect(cause["file"] as? String == "RecorderProbe/Loops.swift")
  }

  @Test func aSeriesIsChosenByName() throws {
    let folder = try TemporaryFolder()
    let path = try record("hitch", in: folder)
    #expect(try Command("blame", "--series", "loop", path).status == 0)
    let mistakes = [
      ["--series", "lop"]:
        "\(path) has no frame series \"lop\", it has \"loop\"; did you mean \"loop\"?",
      ["--frames", "loop"]: "\"loop\" is a frame series of \(path): give --series instead",
      ["--frames", "update", "--series", "loop"]:
        "--frames makes a series of its own; leave out --series",
    ]
    for (options, sentence) in mistakes {
      let command = try Command(arguments: ["blame", path] + options)
      #expect(command.status == 2)
      #expect(command.errors == "flamelark: \(sentence)\n")
    }
  }

  @Test func whatAKilledProgramLeftIsRead() throws {
    let folder = try TemporaryFolder()
    let path = try record("kill", in: folder)
    let info = try Command("info", path)
    #expect(info.status == 0)
    #expect(info.output.contains("the program ended without stopping it"))
    #expect(info.output.contains("5,003 spans"))
    #expect(info.output.contains("2 unfinished spans"))
    let live = try Command("info", path + ".live")
    #expect(live.status == 2)
    #expect(live.errors.contains("is the live part of a recording"))
  }

  @Test func theKindIsToldFromTheContent() throws {
    let folder = try TemporaryFolder()
    let path = try record("hitch", in: folder)
    let other = folder.url.appending(path: "picture.png").path
    try FileManager.default.copyItem(atPath: path, toPath: other)
    #expect(try Command("info", other).output.contains("trace of Flamelark"))
    try Data(#"[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":5}]"#.utf8)
      .write(to: folder.url.appending(path: "game.lark"))
    let info = try Command("info", folder.url.appending(path: "game.lark").path)
    #expect(info.output.contains("Trace Event JSON"))
  }
}
