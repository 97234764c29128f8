/// Markdown as code hosts show it in comments: tables, and names that can do nothing.
struct Markdown {
  private(set) var text = ""

  /// A paragraph of our own words.
  mutating func paragraph(_ words: String) { text += words + "\n\n" }

  /// A table. Cells of our own words, or made by ``code(_:)``.
  mutating func table(_ header: [String], numbers: Int, rows: [[String]]) {
    func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
    text += line(header)
    text += line(header.indices.map { $0 < numbers ? "---:" : "---" })
    for row in rows { text += line(row) }
    text += "\n"
  }

  /// A name that anybody may have given, so that it can't be taken for markup, a mention or a link.
  ///
  /// In `<code>` no host makes links of mentions; everything but letters, digits and spaces is escaped.
  static func code(_ untrusted: String) -> String {
    var safe = ""
    for scalar in shortened(PrintableText(untrusted).text, to: 120).unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", " ": safe.unicodeScalars.append(scalar)
      default: safe += scalar.value < 0x80 ? "&#\(scalar.value);" : String(Character(scalar))
      }
    }
    return "<code>\(safe)</code>"
  }
}
