import Foundation
import Testing
import _FlamelarkTestSupport

@Suite struct ExportTests {
  private func game(in folder: TemporaryFolder) throws -> String {
    try folder.file("game.json", text: GameRun().traceEvents())
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func traceEventsComeBackAsTheSameSpans() throws {
    let folder = try TemporaryFolder()
    let path = try game(in: folder)
    let out = folder.url.appending(path: "out.trace.json").path
    let command = try Command("export", path, "--as", "trace-event", "-o", out)
    #expect(command.status == 0)
    #expect(command.output == "")
    let before = try object(try Command("info", "--format", "json", path).output)
    let after = try object(try Command("info", "--format", "json", out).output)
    #expect(after["spans"] as? Int == GameRun().spans.count)
    #expect(before["spans"] as? Int == GameRun().spans.count)
    #expect(
      try Command("export", path, "--as", "trace-event").output
        == String(contentsOfFile: out, encoding: .utf8))
  }

  @Test func aNameEndingInGzGivesGzip() throws {
    let folder = try TemporaryFolder()
    let path = try game(in: folder)
    let out = folder.url.appending(path: "out.trace.json.gz").path
    #expect(try Command("export", "--as=trace-event", "-o", out, path).status == 0)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: out))
    #expect(bytes.starts(with: [0x1F, 0x8B]))
    let info = try object(try Command("info", "--format", "json", out).output)
    #expect(info["spans"] as? Int == GameRun().spans.count)
  }

  @Test func speedscopeGetsItsOwnFormat() throws {
    let folder = try TemporaryFolder()
    let command = try Command("export", "--as", "speedscope", try game(in: folder))
    #expect(command.status == 0)
    let file = try object(command.output)
    let profiles = try #require(file["profiles"] as? [[String: Any]])
    #expect(profiles.count == 1)
    let events = try #require(profiles[0]["events"] as? [[String: Any]])
    #expect(events.count == GameRun().spans.count * 2)
  }

  @Test func aRangeOfFramesIsCutOut() throws {
    let folder = try TemporaryFolder()
    let command = try Command(
      "export", "--as", "speedscope", "--from", "f10", "--to", "f10", try game(in: folder))
    #expect(command.status == 0, "\(command.errors)")
    let profile = try #require((try object(command.output)["profiles"] as? [[String: Any]])?.first)
    let start = try #require(profile["startValue"] as? Int)
    let end = try #require(profile["endValue"] as? Int)
    #expect(end - start == 22_000_000)
    let late = try Command("export", "--as", "speedscope", "--from", "9s", try game(in: folder))
    #expect(late.status == 2)
    #expect(late.errors.contains("is that late: it ends at 0.690s"))
  }

  @Test func anExistingFileIsNeverOverwritten() throws {
    let folder = try TemporaryFolder()
    let path = try game(in: folder)
    let out = try folder.file("mine.json", text: "precious")
    let command = try Command("export", "--as", "trace-event", "-o", out, path)
    #expect(command.status == 2)
    #expect(
      command.errors
        == "flamelark: \(out) is there already and is not overwritten; remove it or give another name\n"
    )
    #expect(try String(contentsOfFile: out, encoding: .utf8) == "precious")
  }

  @Test func aFileThatCannotBeWrittenIsOneSentence() throws {
    let folder = try TemporaryFolder()
    let out = folder.url.appending(path: "no/such/folder.json").path
    let command = try Command("export", "--as", "trace-event", "-o", out, try game(in: folder))
    #expect(command.status == 2)
    #expect(command.errors == "flamelark: can't write \(out): No such file or directory\n")
    let plain = try Command("export", try game(in: folder))
    #expect(plain.status == 2)
    #expect(
      plain.errors
        == "flamelark: export needs the format to write: --as trace-event or --as speedscope\n")
  }

  @Test func aNameThatSpeedscopeTakesForAnotherFormatIsToldOf() throws {
    let folder = try TemporaryFolder()
    let path = try game(in: folder)
    let names = [
      ("Trace-20260101T101010.json", "trace-event", true),
      ("a.speedscope.json", "trace-event", true),
      ("b.speedscope.json", "speedscope", false), ("c.trace.json", "trace-event", false),
    ]
    for (name, form, isToldOf) in names {
      let out = folder.url.appending(path: name).path
      let command = try Command("export", "--as", form, "-o", out, path)
      #expect(command.status == 0)
      #expect(
        command.errors.contains("by its name, speedscope takes the file for") == isToldOf, "\(name)"
      )
    }
  }

  @Test func moreSlicesThanSpeedscopeLikesAreToldOf() throws {
    let folder = try TemporaryFolder()
    let lines = (0..<50_001).map {
      #"{"ph":"X","name":"a","pid":1,"tid":1,"ts":\#($0 * 2),"dur":1}"#
    }
    let path = try folder.file("many.json", text: "[" + lines.joined(separator: ",\n") + "]")
    let out = folder.url.appending(path: "many.trace.json").path
    let command = try Command("export", "--as", "trace-event", "-o", out, path)
    #expect(command.status == 0)
    for word in ["speedscope", "slow", "--as speedscope", "--from", "--to"] {
      #expect(command.errors.contains(word), "\(word)")
    }
    let own = try Command("export", "--as", "speedscope", path)
    #expect(own.status == 0)
    #expect(own.errors == "")
  }

  @Test func oneThreadIsExported() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file(
      "two.json",
      text: """
        [{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"main"}},
        {"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"loader"}},
        {"ph":"X","name":"draw","pid":1,"tid":1,"ts":1,"dur":5},
        {"ph":"X","name":"load","pid":1,"tid":2,"ts":1,"dur":5}]
        """)
    for thread in ["loader", "2"] {
      let command = try Command("export", "--as", "speedscope", "--thread", thread, path)
      let profiles = try #require(try object(command.output)["profiles"] as? [[String: Any]])
      #expect(profiles.map { $0["name"] as? String } == ["loader"])
    }
    let command = try Command("export", "--as", "speedscope", "--thread", "laoder", path)
    #expect(command.status == 2)
    #expect(
      command.errors == "flamelark: \(path) has no thread \"laoder\"; did you mean \"loader\"?\n")
  }
}
