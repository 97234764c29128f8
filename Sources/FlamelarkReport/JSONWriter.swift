/// Writes JSON (RFC 8259): members in the order given, the same bytes for the same values.
///
///     var json = JSONWriter()
///     json.object { json in
///       json["frames"] = 12
///     }
///
/// An object or array written `onOneLine` keeps what is in it on its line, so that a list of
/// hundreds can be read and searched line by line.
package struct JSONWriter {
  /// What was written.
  package private(set) var bytes: [UInt8] = []
  private var depth = 0
  private var isFirst = true
  private var flatDepth: Int?

  /// A writer that has written nothing.
  package init() {}

  /// Writes an object.
  package mutating func object(onOneLine: Bool = false, _ members: (inout Self) -> Void) {
    container("{", "}", onOneLine, members)
  }

  /// Writes a member that is an object.
  package mutating func object(
    _ name: String, onOneLine: Bool = false, _ members: (inout Self) -> Void
  ) {
    key(name)
    container("{", "}", onOneLine, members)
  }

  /// Writes a member that is an array, with one call of `element` for each value.
  package mutating func array<Values: Sequence>(
    _ name: String, of values: Values, onOneLine: Bool = false,
    _ element: (inout Self, Values.Element) -> Void
  ) {
    key(name)
    container("[", "]", onOneLine) { json in
      for value in values {
        json.separate()
        element(&json, value)
      }
    }
  }

  /// Writes a member that is an array of texts, on one line.
  package mutating func array(_ name: String, of texts: [String]) {
    array(name, of: texts, onOneLine: true) { $0.string($1) }
  }

  /// Writes a member.
  package mutating func member(_ name: String, _ value: String?) {
    key(name)
    if let value { string(value) } else { raw("null") }
  }

  /// Writes a member.
  package mutating func member(_ name: String, _ value: (some BinaryInteger)?) {
    key(name)
    raw(value.map { String($0) } ?? "null")
  }

  /// Writes a member. What is not a number becomes null.
  package mutating func member(_ name: String, _ value: Double) {
    key(name)
    number(value)
  }

  /// Writes a member.
  package mutating func member(_ name: String, _ value: Bool) {
    key(name)
    raw(value ? "true" : "false")
  }

  /// Writes an integer as an element.
  package mutating func number(_ value: some BinaryInteger) { raw(String(value)) }

  private mutating func number(_ value: Double) {
    // The shortest text that reads back as the same number.
    raw(value.isFinite ? value.description : "null")
  }

  private mutating func container(
    _ open: String, _ close: String, _ onOneLine: Bool, _ content: (inout Self) -> Void
  ) {
    raw(open)
    depth += 1
    if onOneLine, flatDepth == nil { flatDepth = depth }
    isFirst = true
    content(&self)
    let isEmpty = isFirst
    let isFlat = flatDepth != nil
    if flatDepth == depth { flatDepth = nil }
    depth -= 1
    if !isEmpty, !isFlat { newLine() }
    raw(close)
    isFirst = false
    if depth == 0 { raw("\n") }
  }

  private mutating func separate() {
    if !isFirst { raw(flatDepth == nil ? "," : ", ") }
    if flatDepth == nil { newLine() }
    isFirst = false
  }

  private mutating func key(_ name: String) {
    separate()
    string(name)
    raw(": ")
  }

  private mutating func newLine() {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  private mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Writes a text as an element. Everything that a terminal could take as a command is escaped.
  package mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain {
      raw(text)
    } else {
      escape(text)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": raw("\\\"")
      case "\\": raw("\\\\")
      case "\n": raw("\\n")
      case "\t": raw("\\t")
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}",
        "\u{2066}"..."\u{2069}":
        let digits = String(scalar.value, radix: 16)
        raw("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      default: raw(String(Character(scalar)))
      }
    }
  }
}
