/// Text from a file that anybody may have written, made safe for a terminal.
///
/// Control characters, escapes and characters that turn the direction of writing are shown as
/// `\u{1b}`. Everything else stays.
package struct PrintableText {
  /// What may be printed.
  package let text: String

  /// Makes a text printable. O(length).
  package init(_ untrusted: String) {
    if untrusted.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      text = untrusted
      return
    }
    var safe = String.UnicodeScalarView()
    for scalar in untrusted.unicodeScalars {
      if Self.isHarmless(scalar) {
        safe.append(scalar)
      } else {
        safe.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      }
    }
    text = String(safe)
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: false
    // Joiners belong to scripts and emoji; the other invisible ones only hide or turn text.
    case .format: scalar.value == 0x200C || scalar.value == 0x200D
    default: true
    }
  }
}

/// How many columns a text takes in a terminal.
package func columns(of text: String) -> Int {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
  return text.reduce(0) { $0 + columns(of: $1) }
}

/// The columns of one character as a person sees it: those of its widest part.
private func columns(of character: Character) -> Int {
  var widest = 0
  for scalar in character.unicodeScalars {
    let width =
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: scalar.value == 0xFE0F ? 2 : 0
      default: isWide(scalar) ? 2 : 1
      }
    widest = max(widest, width)
  }
  return widest
}

/// Whether a terminal gives a character two columns: East Asian Wide and Fullwidth of UAX #11.
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
    true
  default: scalar.properties.isEmojiPresentation
  }
}

/// A text of at most `limit` columns: what is too long loses its middle.
package func shortened(_ text: String, to limit: Int) -> String {
  guard columns(of: text) > limit else { return text }
  guard limit > 1 else { return limit == 1 ? "…" : "" }
  let characters = Array(text)
  var head = 0
  var tail = characters.count
  var room = limit - 1
  // The end of a name tells more than its middle; both sides take turns.
  while head < tail {
    let takesHead = head <= characters.count - tail
    let width = columns(of: characters[takesHead ? head : tail - 1])
    guard width <= room else { break }
    room -= width
    if takesHead { head += 1 } else { tail -= 1 }
  }
  return String(characters[..<head]) + "…" + String(characters[tail...])
}

/// The name of a file in at most `limit` columns, without its folders where they don't fit.
package func fileName(_ path: String, columns limit: Int) -> String {
  let whole = PrintableText(path).text
  if columns(of: whole) <= limit { return whole }
  guard whole.contains("/") else { return shortened(whole, to: limit) }
  let last = whole.split(separator: "/").last.map { "…/" + $0 } ?? whole
  return shortened(last, to: limit)
}
