/// What `flamelark help` and `--help` print.
enum Help {
  static let version = "flamelark 0.1.0\n"

  /// The help of the whole command.
  static var overview: String {
    var text = """
      flamelark answers why a frame was late, from a trace of a program.

      usage: flamelark VERB [options] FILE


      """
    for verb in Verb.allCases { text += entry(verb.rawValue, verb.summary, column: 10) }
    return text + """

      FILE is a trace of Flamelark (.lark) or Trace Event JSON of any tool, also with gzip; the kind is
      told from the content. `flamelark help VERB` or `flamelark VERB --help` explains a verb.
      Exit status: 0 fine, 1 the answer is no (over a gate), 2 bad input or usage.

      example: flamelark blame game.lark

      """
  }

  /// The help of a verb.
  static func of(_ verb: Verb) -> String {
    var text = "flamelark \(verb.rawValue) \(verb.summary).\n\nusage: \(verb.usage)\n"
    if !verb.options.isEmpty { text += "\n" }
    for option in verb.options {
      text += entry(
        option.isFlag ? option.rawValue : "\(option.rawValue) \(verb.value(of: option))",
        verb.explanation(of: option), column: 29)
    }
    if !verb.details.isEmpty {
      text += "\n" + verb.details.map { $0 + "\n" }.joined()
    }
    text += verb.examples.count == 1 ? "\nexample:\n" : "\nexamples:\n"
    return text + verb.examples.map { "  \($0)\n" }.joined()
  }

  private static func entry(_ name: String, _ explanation: String, column: Int) -> String {
    let gap = String(repeating: " ", count: max(2, column - name.count))
    return "  \(name)\(gap)\(explanation)\n"
  }
}
