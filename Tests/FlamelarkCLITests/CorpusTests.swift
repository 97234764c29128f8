import Foundation
import Testing
import _FlamelarkTestSupport

@Suite(.enabled(if: Corpus.isPresent)) struct CorpusTests {
  /// A game engine's trace, whose loop is the span RunLoop within one over the whole run.
  @Test func theTwoWorstFramesOfAnEngineAreBlamedOnTheirSpans() throws {
    let path = Corpus.path("engine/hazel-newspace-runtime2.json.gz")
    let json = try Command("blame", "--format", "json", path).output
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let series = try #require((report["series"] as? [[String: Any]])?.first)
    let hitches = try #require(series["hitches"] as? [[String: Any]])
    let worst = hitches.sorted {
      ($0["lateness_ns"] as? Int ?? 0) > ($1["lateness_ns"] as? Int ?? 0)
    }
    #expect(series["name"] as? String == "RunLoop")
    #expect(worst.prefix(2).map { $0["frame"] as? Int } == [1, 267])
    for (hitch, name) in zip(worst, ["ImGuiLayer::End", "WindowsWindow::OnUpdate"]) {
      let cause = try #require((hitch["causes"] as? [[String: Any]])?.first)
      #expect((cause["path"] as? [String])?.last?.contains(name) == true)
    }

    for width in ["80", "100"] {
      let text = try Command("blame", "--width", width, path).output
      let rows = text.split(separator: "\n")
      #expect(rows.contains { $0.hasPrefix("      1 ") && $0.contains("ImGuiLayer::End") })
      #expect(rows.contains { $0.hasPrefix("    267 ") && $0.contains("WindowsWindow::OnUpdate") })
    }
  }

  @Test func everyFileIsToldOfOrRefusedInOneSentence() throws {
    var told = 0
    for file in try Corpus.files() {
      let path = Corpus.path(file)
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
      guard size < 300_000 else { continue }
      let command = try Command("info", path)
      #expect(command.status == 0 || command.status == 2, "\(file)")
      #expect(command.status == 0 || command.output == "", "\(file)")
      #expect(
        command.errors.split(separator: "\n").count == (command.status == 0 ? 0 : 1), "\(file)")
      told += command.status == 0 ? 1 : 0
    }
    #expect(told > 100)
  }
}
