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

  @Test func aPictureIsOfWhatWasAskedForAndSaysThat() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("game.json", text: GameRun().traceEvents())
    func picture(_ arguments: String...) throws -> String {
      let command = try Command(arguments: ["flame", "-o", "-"] + arguments + [path])
      #expect(command.status == 0, "\(command.errors)")
      return command.output
    }
    let all = try picture("--of", "blame", "--refresh", "60")
    #expect(all.contains(">Lateness of &quot;Frame&quot;<"))
    #expect(all.contains("<title>gc\n"))
    #expect(all.contains("<title>upload\n"))
    let part = try picture("--of", "blame", "--refresh", "60", "--skip", "26", "--to", "f32")
    #expect(part.contains(" · without the first 26 frames · from 0.000 to 0.5"))
    #expect(part.contains("<title>gc\n"))
    #expect(!part.contains("<title>upload\n"))
    let time = try picture("--of", "time", "--thread", "main", "--from", "100ms")
    #expect(time.contains(" · on &quot;main&quot; · from 0.100 s · "))
  }

  @Test func aNameEndingInGzGivesGzip() throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("game.json", text: GameRun().traceEvents())
    let out = folder.url.appending(path: "game.svg.gz")
    let command = try Command("flame", "--of", "time", "-o", out.path, path)
    #expect(command.status == 0)
    #expect(command.errors == "flamelark: \(out.path): unpack it for a browser\n")
    #expect(try Data(contentsOf: out).starts(with: [0x1F, 0x8B]))
    let unpacked = try Command.run(
      URL(fileURLWithPath: "/usr/bin/env"), ["gzip", "-dc", out.path], in: nil, input: nil)
    #expect(unpacked.output == (try Command("flame", "--of", "time", "-o", "-", path).output))
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
      (
        ["--of", "blame", "--from", "99s", path],
        "nothing of \(path) is that late: it ends at 0.690s"
      ),
      (
        ["--of", "blame", "--refresh", "60", "--from", "f11", "--to", "f13", path],
        "no frame of series \"Frame\", of 3 frames that were asked for, is late, so there is nothing to "
          + "draw; --of time draws all spans"
      ),
      (
        ["--of", "blame", "--skip", "50", path],
        "no frame of \(path) begins behind what --skip leaves out; its frames begin from 0.000s to "
          + "0.690s, 41 of them"
      ),
      (
        ["--of", "time", "--skip", "5", path],
        "--skip is for --of blame; in a flame graph of time, spans count whatever frame they are in"
      ),
    ]
    for (arguments, sentence) in mistakes {
      let command = try Command(arguments: ["flame"] + arguments)
      #expect(command.status == 2)
      #expect(command.errors == "flamelark: \(sentence)\n")
    }
  }
}
