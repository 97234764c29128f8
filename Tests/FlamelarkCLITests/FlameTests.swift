import Foundation
import Testing
import _FlamelarkTestSupport

@Suite struct FlameTests {
  @Test func aPictureOfTimeAddsUpAndIsNeverOverwritten() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("game.json", text: GameRun().traceEvents())
    let result = try Command("flame", "--of", "time", path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output == "")
    let picture = path + ".time.svg"
    #expect(result.errors == "flamelark: \(picture): open it in a browser\n")
    let svg = try String(contentsOfFile: picture, encoding: .utf8)
    #expect(svg.contains("<title>physics\n"))
    let toOutput = try Command("flame", "--of", "time", "-o", "-", path)
    #expect(toOutput.output == svg)
    // All that the boxes have themselves is the root.
    func numbers(_ name: String) -> [Int64] {
      svg.components(separatedBy: "\(name)=\"").dropFirst().compactMap {
        Int64($0.prefix { $0 != "\"" })
      }
    }
    #expect(numbers("data-o").reduce(0, +) == numbers("data-t").first)
    let again = try Command("flame", "--of", "time", path)
    #expect(again.status == 2)
    #expect(again.errors.contains("is there already and is not overwritten"))
  }

  @Test func mistakesAreOneSentence() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("game.json", text: GameRun().traceEvents())
    let mistakes: [([String], String)] = [
      ([path], "flame needs what to draw: --of time or --of blame"),
      (["--of", "tiem", path], #"--of takes time or blame, but is "tiem"; did you mean time?"#),
      (
        ["--of", "blame", "--thread", "main", path],
        "--thread is for --of time; in a flame graph of blame, threads are boxes"
      ),
      (
        ["--of", "time", "--thread", "mian", path],
        "\(path) has no thread \"mian\"; did you mean \"main\"?"
      ),
      (
        ["--of", "time", "--from", "99s", path],
        "nothing of \(path) is that late: it ends at 0.690s"
      ),
      (
        ["--of", "blame", "--refresh", "20", path],
        "no frame of series \"Frame\" is late, so there is nothing to draw; --of time draws all spans"
      ),
    ]
    for (arguments, sentence) in mistakes {
      let command = try Command(arguments: ["flame"] + arguments)
      #expect(command.status == 2)
      #expect(command.errors == "flamelark: \(sentence)\n")
    }
  }
}
