import Foundation
import Testing
import _FlamelarkTestSupport

@Suite struct CheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes runs `NAME-0.json`…, each a little different, and returns their paths.
  private func runs(_ name: String, _ count: Int, _ run: RunFile = RunFile()) throws -> [String] {
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: name), withIntermediateDirectories: true)
    return try (0..<count).map { number in
      var run = run
      run.shift = number
      return try folder.file("\(name)/run-\(number).json", text: run.text)
    }
  }

  private func check(_ files: [String], _ options: String...) throws -> Command {
    try Command(arguments: ["check", "--frames", "Frame", "--refresh", "60"] + options + files)
  }

  @Test func aLimitIsKeptOrNot() throws {
    let files = try runs("now", 3)
    let kept = try check(files, "--max-hitch-ratio", "900")
    #expect(kept.status == 0 && kept.errors == "")
    #expect(kept.output.hasPrefix("PASS: hitch ratio "))
    let over = try check(files, "--max-hitch-ratio", "5")
    #expect(over.status == 1)
    #expect(over.output.hasPrefix("FAIL: hitch ratio "))
    #expect(over.output.contains("would be found in four of five"))
    let p90 = try check(files, "--max-hitch-ratio", "900", "--max-p90", "1")
    #expect(p90.status == 1)
    #expect(p90.output.hasPrefix("FAIL: P90, here the greatest of 3 runs, "))
  }

  @Test func worseThanTheBaselineFailsAndNamesWhy() throws {
    let baseline = try runs("main", 5)
    let folder = folder.url.appending(path: "main").path
    let same = try check(baseline, "--baseline", folder)
    #expect(same.status == 0, "\(same.output)")
    #expect(same.output.hasPrefix("PASS: no change from the baseline seen"))
    let worse = try check(
      try runs("now", 5, RunFile(slow: 7, name: "parse")), "--baseline", folder)
    #expect(worse.status == 1, "\(worse.output)")
    #expect(worse.output.hasPrefix("FAIL: worse than the baseline: "))
    #expect(worse.output.firstMatch(of: /new +parse\n/) != nil)
    #expect(worse.output.contains("of the baseline) would be found"))
    let better = try check(try runs("good", 5, RunFile(slow: 1)), "--baseline", folder)
    #expect(better.status == 0)
    #expect(better.output.hasPrefix("PASS: better than the baseline: "))
  }

  @Test func whatIsNoTraceIsToldAndLeftOut() throws {
    let now = try runs("now", 3)
    _ = try runs("main", 3)
    _ = try folder.file("main/notes.txt", text: "hello")
    _ = try folder.file("main/empty.lark", text: "")
    _ = try folder.file("main/.hidden", text: "hello")
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "main/old"), withIntermediateDirectories: true)
    let path = folder.url.appending(path: "main").path
    let command = try check(now, "--baseline", path, "--format", "json")
    #expect(command.status == 0, "\(command.errors)")
    let json = try JSONSerialization.jsonObject(with: Data(command.output.utf8))
    let report = try #require(json as? [String: Any])
    #expect(report["schema"] as? String == "flamelark.check/1")
    #expect(report["passes"] as? Bool == true)
    let leftOut = try #require(report["left_out"] as? [String])
    #expect(leftOut.count == 3)
    for name in ["notes.txt", "empty.lark", "old"] {
      #expect(leftOut.contains { $0.contains("main/\(name)") })
    }
    let compared = try #require(report["baseline"] as? [String: Any])
    #expect((compared["a"] as? [Any])?.count == 3)
    // Nothing but that.
    let empty = folder.url.appending(path: "main/old").path
    let none = try check(now, "--baseline", empty)
    #expect(none.status == 2)
    #expect(none.errors.contains("no trace of \(empty) can be compared"))
  }

  @Test func theJUnitIsReadOutsideThePackage() throws {
    let name = "<a&\\\"b]]>\\u0001 'c"
    let now = try runs("now", 4, RunFile(slow: 7, name: name))
    _ = try runs("main", 4)
    let path = folder.url.appending(path: "main").path
    let command = try check(
      now, "--baseline", path, "--max-hitch-ratio", "999", "--format", "junit")
    #expect(command.status == 1)
    let script = """
      import sys, xml.etree.ElementTree as tree
      root = tree.fromstring(sys.stdin.buffer.read())
      cases = list(root.iter("testcase"))
      failed = [c.get("name") for c in cases if c.find("failure") is not None]
      skipped = [c for c in cases if c.find("skipped") is not None]
      suite = root.find("testsuite")
      assert int(suite.get("tests")) == len(cases)
      assert int(suite.get("failures")) == len(failed)
      assert int(suite.get("skipped")) == len(skipped)
      print(root.tag, failed, [c.get("name") for c in skipped][0])
      """
    let result = try Command.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", script], in: nil,
      input: command.output)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.hasPrefix("testsuites ['baseline'] "), "\(result.output)")
    #expect(result.output.contains("<a&\"b]]>\\u{1} 'c"), "\(result.output)")
  }

  @Test func theMarkdownBeginsWithTheVerdict() throws {
    let now = try runs("now", 3)
    let limit = try check(now, "--max-hitch-ratio", "900", "--format", "markdown")
    #expect(limit.status == 0)
    #expect(limit.output.hasPrefix("### Flamelark: pass\n\nPASS: hitch ratio "))
    _ = try runs("main", 3)
    let path = folder.url.appending(path: "main").path
    let compared = try check(now, "--baseline", path, "--format", "markdown")
    #expect(compared.output.contains("**NO CHANGE SEEN**: "))
    #expect(compared.output.contains("| ---: | ---: |"))
  }
}
