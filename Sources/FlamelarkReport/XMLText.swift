/// The bytes of an XML file.
struct XMLText {
  var bytes: [UInt8] = []

  /// What we wrote ourselves.
  mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// What anybody may have written: escaped, and without what XML 1.0 doesn't allow.
  mutating func text(_ text: String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": raw("&amp;")
      case "<": raw("&lt;")
      case ">": raw("&gt;")
      case "\"": raw("&quot;")
      case "'": raw("&#39;")
      case "\u{20}"..."\u{7E}", "\u{A0}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}",
        "\u{10000}"..."\u{10FFFF}":
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      default: bytes.append(contentsOf: UTF8.encodedReplacementCharacter)
      }
    }
  }
}
