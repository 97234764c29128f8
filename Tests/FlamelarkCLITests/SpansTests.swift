import Foundation
import Testing
import _FlamelarkTestSupport

@Suite struct SpansTests {
  private func file(in folder: TemporaryFolder) throws -> String {
    try folder.file("game.json", text: GameRun().traceEvents())
  }

  @Test func theHottestSpansComeFirst() throws {
    let folder = try TemporaryFolder()
    _ = try file(in: folder)
    let command = try Command("spans", "game.json", in: folder.url)
    #expect(command.status == 0)
    #expect(command.errors == "")
    #expect(command.output == Self.golden)
  }

  private static let golden = #"""
    game.json · 690.3 ms · thread "main" · 201 spans

    Hot spans                                                    busy 656.3 ms = 100 %
      self ms  share   count  total ms      p50      p90      p99      max  span
     --------  -----  ------  --------  -------  -------  -------  -------  ----------------
        303.3    46%      35     303.3   8.7 ms   8.7 ms   8.7 ms   8.7 ms  wait
        108.0    17%      40     108.0   2.0 ms   2.0 ms  16.0 ms  16.0 ms  physics
        100.0    15%      40     190.0   4.5 ms   4.5 ms  14.5 ms  14.5 ms  draw
         90.0    14%      45      90.0   2.0 ms   2.0 ms   2.0 ms   2.0 ms  upload
         40.0     6%      40     148.0   3.0 ms   3.0 ms  17.0 ms  17.0 ms  update
         15.0     2%       1      15.0  15.0 ms  15.0 ms  15.0 ms  15.0 ms  gc

    """#

  private func names(_ arguments: String...) throws -> [String] {
    let command = try Command(arguments: ["spans", "--format", "json"] + arguments)
    #expect(command.status == 0, "\(command.errors)")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(command.output.utf8)) as? [String: Any])
    #expect(report["schema"] as? String == "flamelark.spans/1")
    return try #require(report["spans"] as? [[String: Any]]).compactMap { $0["name"] as? String }
  }

  @Test func theOrderAndThePartAreChosen() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    #expect(try names(path) == ["wait", "physics", "draw", "upload", "update", "gc"])
    #expect(try names("--sort", "total", path).prefix(2) == ["wait", "draw"])
    #expect(try names("--sort", "count", path).first == "upload")
    #expect(try names("--sort", "max", path).first == "update")
    #expect(
      try names("--from", "f30", "--to", "f30", path)
        == ["gc", "draw", "physics", "upload", "update"])
    #expect(try names("--thread", "main", "--to", "3ms", path) == ["physics", "update"])
    let text = try Command("spans", "--top", "2", path).output
    #expect(text.contains("4 more\n"))
    #expect(!text.contains("upload"))
  }

  @Test func aMistakeIsOneSentence() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    let mistakes = [
      (
        "--sort", "slef",
        "--sort takes self or total or count or max, but is \"slef\"; did you mean"
      ),
      ("--by", "line", "--by takes name or site, but is \"line\""),
      ("--thread", "mian", "\(path) has no thread \"mian\"; did you mean \"main\"?"),
      ("--from", "9s", "nothing of \(path) is that late: it ends at 0.690s"),
      ("--from", "f99", "--from f99: series \"Frame\" of \(path) has frames 0 to 40"),
      ("--scale", "scroll", "spans has no option \"--scale\""),
    ]
    for (option, value, sentence) in mistakes {
      let command = try Command("spans", option, value, path)
      #expect(command.status == 2)
      #expect(command.output == "")
      #expect(command.errors.hasPrefix("flamelark: \(sentence)"), "\(command.errors)")
      #expect(command.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func whatARecordingLeftOutIsThere() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "short.lark").path
    let result = try Command.run(
      Command.tool("RecorderProbe"), ["short-calls", path], in: nil, input: nil)
    #expect(result.status == 0, "\(result.errors)")
    let command = try Command("spans", "--format", "json", "--by", "site", path)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(command.output.utf8)) as? [String: Any])
    let spans = try #require(report["spans"] as? [[String: Any]])
    let tiny = try #require(spans.first)
    #expect(tiny["name"] as? String == "tiny")
    #expect(tiny["file"] as? String == "RecorderProbe/Loops.swift")
    #expect(try #require(tiny["folded_count"] as? Int) > 1_000)
    #expect(try #require(tiny["folded_ns"] as? Int) > 100_000_000)
    #expect(spans.map { $0["name"] as? String }.contains("scan"))
    let own = spans.reduce(0) {
      $0 + ($1["self_ns"] as? Int ?? 0) + ($1["folded_ns"] as? Int ?? 0)
    }
    let busy = try #require(report["busy_ns"] as? Int)
    #expect(own == busy + (try #require(report["unplaced_folded_ns"] as? Int)))
    #expect(try Command("spans", path).output.contains(" folded "))
  }
}
