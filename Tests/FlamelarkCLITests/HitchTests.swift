import Foundation
import Testing
import _FlamelarkTestSupport

@Suite struct HitchTests {
  private func file(in folder: TemporaryFolder) throws -> String {
    try folder.file("game.json", text: GameRun().traceEvents())
  }

  @Test func oneHitchIsToldWithItsLedger() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    for arguments in [["10"], ["f10"], ["frame", "10"], ["10", "--all"], ["10", "--width=80"]] {
      let command = try Command(arguments: ["hitch", "--refresh", "60", path] + arguments)
      #expect(command.status == 0, "\(command.errors)")
      #expect(command.output.contains("frame 10 at 0.167 s"), "\(command.output)")
      #expect(command.output.contains("physics"), "\(command.output)")
      #expect(command.output.contains("5.3 ms LATE"), "\(command.output)")
      let width = arguments.last == "--width=80" ? 80 : 100
      #expect(command.output.split(separator: "\n").allSatisfy { $0.count <= width })
    }
  }

  /// 30 frames of a millisecond of work, but the eighth calls 80 short spans, each of a name of its own.
  private func manySteps() -> String {
    var events: [String] = []
    for frame in 0..<30 {
      let begin = frame * 20_000
      let count = frame == 8 ? 80 : 1
      events.append(
        #"{"ph":"X","name":"frame","ts":\#(begin),"dur":\#(count * 200 + 500),"pid":1,"tid":1}"#)
      for step in 0..<count {
        let (name, start) = ("part\(step).", begin + 100 + step * 200)
        events.append(#"{"ph":"X","name":"\#(name)","ts":\#(start),"dur":150,"pid":1,"tid":1}"#)
      }
    }
    return "[\(events.joined(separator: ","))]"
  }

  @Test func allStepsAreShownIfThatIsAskedFor() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("steps.json", text: manySteps())
    func steps(_ arguments: String...) throws -> (lines: [Substring], text: String) {
      let command = try Command(
        arguments: ["hitch", "--frames", "frame", "--refresh", "100", path, "8"] + arguments)
      #expect(command.status == 0, "\(command.errors)")
      let path = command.output.split(separator: "Ledger")[0]
      return (path.matches(of: #/\n +\d+\.\d\d +\d+\.\d\d [=~] .*/#).map(\.0), String(path))
    }
    let (few, text) = try steps()
    #expect(few.count <= 24)
    #expect(text.contains("steps; short ones are drawn together, --all shows each"))
    let (all, whole) = try steps("--all")
    // Each part, and what is in front of each and behind the last.
    #expect(all.count >= 161)
    #expect(!whole.contains("drawn together"))
    let shown = (0..<80).filter { part in all.count { $0.contains("part\(part).") } == 1 }
    #expect(shown.count == 80, "\(shown)")
  }

  @Test func theJSONAddsUpOutsideThePackage() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    let json = try Command("hitch", path, "10", "--refresh", "60", "--format", "json")
    #expect(json.status == 0, "\(json.errors)")
    let (status, output) = try BlameTests.addUp(json.output)
    #expect(status == 0, "\(output)")
    let broken = json.output.replacing(/"blame_ns": (\d)/, maxReplacements: 1) {
      #""blame_ns": 1\#($0.1)"#
    }
    #expect(try BlameTests.addUp(broken).status == 1)
  }

  @Test func aFrameThatIsNoHitchIsOneSentence() throws {
    let folder = try TemporaryFolder()
    let path = try file(in: folder)
    let series = "series \"Frame\" of \(path)"
    let mistakes: [([String], String)] = [
      ([path], "hitch needs a file and the number of a frame: flamelark hitch [options] FILE N"),
      (
        [path, "10", "20"],
        "hitch needs a file and the number of a frame: flamelark hitch [options] FILE N"
      ),
      ([path, "ten"], "hitch takes the number of a frame like 304, but is \"ten\""),
      ([path, "-1"], "hitch has no option \"-1\"; flamelark help hitch lists them"),
      (
        [path, "12"],
        "frame 12 of \(series) is no hitch, it was in time; the nearest hitches are frames 10 and 20"
      ),
      (
        [path, "3"],
        "frame 3 of \(series) is no hitch, it was in time; the nearest hitch is frame 10"
      ),
      (
        [path, "40"],
        "frame 40 of \(series) is no hitch, no lateness can be told of it; the nearest hitch is frame 35"
      ),
      ([path, "999"], "\(series) has frames 0 to 40, not 999; the nearest hitch is frame 35"),
      ([path, "10", "--all=yes"], "--all takes no value"),
    ]
    for (arguments, sentence) in mistakes {
      let command = try Command(arguments: ["hitch", "--refresh", "60"] + arguments)
      #expect(command.status == 2)
      #expect(command.output == "")
      #expect(command.errors == "flamelark: \(sentence)\n")
    }
  }
}
