internal import FlamelarkReport

extension Arguments {
  /// What was asked for, for commands that show the same.
  func view(of file: String) -> SameView {
    var values: [SameView.Option: String] = [:]
    for option in SameView.Option.allCases {
      values[option] = Option(rawValue: option.rawValue).flatMap { self[$0] }
    }
    return SameView(of: file, values: values)
  }

  /// The command as it was given, with one option more.
  func command(with option: Option, _ value: String) -> String {
    let separated = firstCount.map { count in
      operands[..<count].map { shellWord($0) } + ["--"] + operands[count...].map { shellWord($0) }
    }
    let words = verb.options.flatMap { known -> [String] in
      guard let given = known == option ? value : self[known] else { return [] }
      return known.isFlag ? [known.rawValue] : [known.rawValue, shellWord(given)]
    }
    // What begins with a dash is an operand behind these.
    let dashes = operands.contains { $0.hasPrefix("-") } ? ["--"] : []
    let files = separated ?? dashes + operands.map { shellWord($0) }
    return (["flamelark", verb.rawValue] + words + files)
      .joined(separator: " ")
  }

  /// `--from` or `--to`.
  func moment(_ option: Option) throws -> Moment? {
    try self[option].map { try Moment($0, of: option) }
  }

  /// `--refresh HZ` as an interval in nanoseconds.
  func refresh() throws -> Int64? {
    guard let text = self[.refresh] else { return nil }
    guard let rate = Double(text), rate >= 1, rate <= 1_000 else {
      throw Complaint("--refresh takes a rate from 1 to 1000 Hz, but is \(quoted(text))")
    }
    return Int64((1e9 / rate).rounded())
  }

  /// `--format text|json`.
  func wantsJSON() throws -> Bool {
    try choice(.format, of: ["text", "json"]) == "json"
  }

  /// `--scale scroll|hitches`.
  func scale() throws -> HitchScale {
    let word = try choice(.scale, of: HitchScale.allCases.map(\.rawValue))
    return word.flatMap { HitchScale(rawValue: $0) } ?? .scroll
  }

  /// `--width COLUMNS`, else the terminal's.
  func width() throws -> Int {
    guard let text = self[.width] else { return Terminal.width }
    guard let width = Int(text), (80...400).contains(width) else {
      throw Complaint("--width takes 80 to 400 columns, but is \(quoted(text))")
    }
    return width
  }

  /// `--top N`.
  func top() throws -> Int? {
    guard let text = self[.top] else { return nil }
    guard let top = Int(text), top >= 0 else {
      throw Complaint("--top takes a number from 0, but is \(quoted(text))")
    }
    return top
  }

  /// `--skip N|TIME`.
  func skip() throws -> FrameSelection.Skip? {
    guard let text = self[.skip] else { return nil }
    if let count = Int(text), count >= 0 { return .frames(count) }
    if case .time(let time)? = try? Moment(text, of: .skip) { return .time(time) }
    throw Complaint("--skip takes a number of frames, 60, or a time, 2s, but is \(quoted(text))")
  }

  /// `--fail-above MS_PER_S`.
  func gate() throws -> Double? {
    guard let text = self[.failAbove] else { return nil }
    guard let gate = Double(text), gate >= 0, gate.isFinite else {
      throw Complaint("--fail-above takes a hitch ratio in ms/s like 5, but is \(quoted(text))")
    }
    return gate
  }

  /// A limit in ms/s, as `--max-p90`; nil if it isn't given.
  func limit(_ option: Option) throws -> Double? {
    guard let text = self[option] else { return nil }
    guard let limit = Double(text), limit >= 0, limit.isFinite else {
      throw Complaint(
        "\(option.rawValue) takes a hitch ratio in ms/s like 5, but is \(quoted(text))")
    }
    return limit
  }

  /// The word of an option that takes one of several, nil if it isn't given.
  func choice(_ option: Option, of words: [String]) throws -> String? {
    guard let word = self[option] else { return nil }
    guard words.contains(word) else {
      let meant = nearest(to: word, among: words).map { "; did you mean \($0)?" } ?? ""
      throw Complaint(
        "\(option.rawValue) takes \(words.joined(separator: " or ")), but is \(quoted(word))\(meant)"
      )
    }
    return word
  }
}
