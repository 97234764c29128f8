internal import FlamelarkReport

/// A command line, taken apart.
struct Arguments {
  let verb: Verb
  let wantsHelp: Bool
  /// What is neither verb nor option: files, or the verb of `help`.
  let operands: [String]
  /// How many operands stand before the first `--` of a verb that takes two lists.
  let firstCount: Int?
  private let values: [Option: String]

  /// Takes apart what follows the command's own name.
  init(_ words: [String]) throws {
    guard let first = words.first else {
      throw Complaint("no verb given; flamelark help lists them")
    }
    guard let verb = Verb(rawValue: first) else { throw Self.unknownVerb(first) }
    self.verb = verb
    var rest = words.dropFirst()
    var operands: [String] = []
    var values: [Option: String] = [:]
    var wantsHelp = false
    var firstCount: Int?
    while let word = rest.popFirst() {
      // Of two lists, the first one parts them; options may stand on both sides.
      if word == "--", verb.takesTwoLists, firstCount == nil {
        firstCount = operands.count
        continue
      }
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      if word == "-h" || word == "--help" {
        wantsHelp = true
        continue
      }
      let (option, attached) = try Self.option(word, of: verb)
      if option.isFlag {
        guard attached == nil else { throw Complaint("\(option.rawValue) takes no value") }
        values[option] = ""
        continue
      }
      guard var value = attached ?? rest.popFirst() else {
        throw Complaint(
          "\(option.rawValue) needs a value: \(option.rawValue) \(verb.value(of: option))")
      }
      // `--from frame 304` without quotes.
      if option == .from || option == .to, value == "frame", let number = rest.popFirst() {
        value += " " + number
      }
      guard values.updateValue(value, forKey: option) == nil else {
        throw Complaint("\(option.rawValue) is given twice; give it once")
      }
    }
    self.operands = operands
    self.firstCount = firstCount
    self.values = values
    self.wantsHelp = wantsHelp
  }

  /// The value of an option, nil if it isn't given.
  subscript(option: Option) -> String? { values[option] }

  /// The one file that the verb reads.
  func file() throws -> String {
    guard let file = operands.first else {
      throw Complaint("\(verb.rawValue) needs a file: \(verb.usage)")
    }
    guard operands.count == 1 else {
      throw Complaint(
        "\(verb.rawValue) reads one file, but \(operands.count) are given: "
          + operands.map { quoted($0) }.joined(separator: ", "))
    }
    return file
  }

  /// The files that the verb reads, each once.
  func files() throws -> [String] {
    guard !operands.isEmpty else {
      throw Complaint("\(verb.rawValue) needs a file: \(verb.usage)")
    }
    return try Self.eachOnce(operands)
  }

  /// A file counted twice would make figures look surer than they are.
  private static func eachOnce(_ files: [String]) throws -> [String] {
    var known: Set<String> = []
    for file in files where !known.insert(file).inserted {
      throw Complaint("\(quoted(file)) is given twice, but each file is a run; give it once")
    }
    return files
  }

  /// The files before and behind `--`.
  func twoLists() throws -> (a: [String], b: [String]) {
    guard let firstCount else {
      throw Complaint(
        operands.count < 2
          ? "\(verb.rawValue) needs files on both sides of --: \(verb.usage)"
          : "\(verb.rawValue) needs -- between the files before and those behind a change: \(verb.usage)"
      )
    }
    let lists = try (
      Self.eachOnce(Array(operands[..<firstCount])), Self.eachOnce(Array(operands[firstCount...]))
    )
    if lists.0.isEmpty { throw Complaint("there is no file before --: \(verb.usage)") }
    if lists.1.isEmpty { throw Complaint("there is no file behind --: \(verb.usage)") }
    return lists
  }

  private static func unknownVerb(_ word: String) -> Complaint {
    if word.hasPrefix("-") {
      return Complaint("the verb comes first, then \(quoted(word)); flamelark help lists the verbs")
    }
    if let verb = nearest(to: word, among: Verb.allCases.map(\.rawValue)) {
      return Complaint("there is no verb \(quoted(word)); did you mean \(verb)?")
    }
    return Complaint("there is no verb \(quoted(word)); flamelark help lists the verbs")
  }

  private static func option(_ word: String, of verb: Verb) throws -> (Option, String?) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let known = verb.options.map(\.rawValue)
    if let option = Option(rawValue: name), verb.options.contains(option) {
      return (option, parts.count == 2 ? String(parts[1]) : nil)
    }
    let place = "\(verb.rawValue) has no option \(quoted(name))"
    if let meant = nearest(to: name, among: known + ["--help"]) {
      throw Complaint("\(place); did you mean \(meant)?")
    }
    throw Complaint("\(place); flamelark help \(verb.rawValue) lists them")
  }
}

/// A word of the user or of a file in an error.
func quoted(_ word: String) -> String { "\"\(PrintableText(word).text)\"" }
