import Testing

@Suite struct UsageTests {
  @Test func helpExplainsTheCommandAndEachVerb() throws {
    for arguments in [["help"], ["--help"], ["-h"]] {
      let command = try Command(arguments: arguments)
      #expect(command.status == 0)
      #expect(command.output.hasPrefix("flamelark answers why a frame was late"))
      for verb in [
        "blame", "hitch", "frames", "compare", "check", "flame", "spans", "info", "export",
      ] {
        #expect(command.output.contains("\n  \(verb) "))
      }
      #expect(command.errors == "")
    }
    for verb in [
      "blame", "hitch", "frames", "compare", "check", "flame", "spans", "info", "export", "pack",
      "recover", "help",
    ] {
      let byWord = try Command("help", verb)
      #expect(byWord.status == 0)
      #expect(byWord.output.hasPrefix("flamelark \(verb) "))
      #expect(byWord.output.contains("\nexample"))
      #expect(try Command(verb, "--help").output == byWord.output)
      #expect(try Command(verb, "-h").output == byWord.output)
      for line in byWord.output.split(separator: "\n") { #expect(line.count <= 100) }
    }
  }

  /// Where a verb writes if nobody says where, and that it spares what is there.
  @Test(arguments: [
    ("flame", "Without -o, game.lark goes to game.blame.svg or game.time.svg"),
    ("export", "Without -o it goes to standard output"),
    ("pack", "Without -o, game.lark goes to game.packed.lark"),
    ("recover", "Without -o, game.lark goes to game.recovered.lark"),
  ])
  func whatIsWrittenIsExplained(_ verb: String, _ place: String) throws {
    let text = try Command("help", verb).output.replacing("\n", with: " ")
    #expect(text.contains(" the file to write; - is standard output "))
    #expect(text.contains(place))
    #expect(text.contains("An existing file is never overwritten"))
  }

  @Test func theVersionIsOneLine() throws {
    let command = try Command("--version")
    #expect(command.status == 0)
    #expect(command.output.wholeMatch(of: /flamelark \d+\.\d+\.\d+\n/) != nil)
  }

  struct Mistake: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let sentence: String
    var testDescription: String { arguments.joined(separator: " ") }
    init(_ arguments: String..., says sentence: String) {
      self.arguments = arguments
      self.sentence = sentence
    }
  }

  @Test(arguments: [
    Mistake(says: "no verb given; flamelark help lists them"),
    Mistake("blaem", says: #"there is no verb "blaem"; did you mean blame?"#),
    Mistake("dance", says: #"there is no verb "dance"; flamelark help lists the verbs"#),
    Mistake("help", "exprot", says: #"there is no verb "exprot"; did you mean export?"#),
    Mistake(
      "--form", "f0", says: #"the verb comes first, then "--form"; flamelark help lists the verbs"#),
    Mistake("blame", says: "blame needs a file: flamelark blame [options] FILE"),
    Mistake("frames", says: "frames needs a file: flamelark frames [options] FILE..."),
    Mistake(
      "frames", "a", "b", "a",
      says: #""a" is given twice, but each file is a run; give it once"#),
    Mistake("blame", "a", "b", says: #"blame reads one file, but 2 are given: "a", "b""#),
    Mistake(
      "blame", "--fromat", "json", "a",
      says: #"blame has no option "--fromat"; did you mean --format?"#),
    Mistake(
      "info", "--sparkle", "a",
      says: #"info has no option "--sparkle"; flamelark help info lists them"#),
    Mistake("blame", "a", "--from", says: "--from needs a value: --from WHEN"),
    Mistake("blame", "--top", "1", "--top=2", "a", says: "--top is given twice; give it once"),
    Mistake("\u{1B}[2J", says: #"there is no verb "\u{1b}[2J"; flamelark help lists the verbs"#),
  ])
  func aMistakeIsOneSentence(_ mistake: Mistake) throws {
    let command = try Command(arguments: mistake.arguments)
    #expect(command.status == 2)
    #expect(command.output == "")
    #expect(command.errors == "flamelark: \(mistake.sentence)\n")
  }
}
