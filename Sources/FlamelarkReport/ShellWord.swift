/// A word of a command that the report suggests, quoted where a shell needs it.
package func shellWord(_ word: String) -> String {
  let plain = word.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "="),
      UInt8(ascii: ","), UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "%"):
      true
    default: false
    }
  }
  if plain, !word.isEmpty, word.utf8.first != UInt8(ascii: "-") { return word }
  var quoted = "'"
  for character in PrintableText(word).text {
    // A quote ends the quoted part, stands for itself and begins the next.
    if character == "'" { quoted += #"'\''"# } else { quoted.append(character) }
  }
  return quoted + "'"
}

/// A command on as many lines as it needs, so that it can be copied as a whole.
func commandLines(_ words: [String], first: String, width: Int) -> [String] {
  var lines: [String] = []
  var line = first
  var isEmpty = true
  for word in words {
    // Two columns are for the backslash that makes a shell read on.
    if !isEmpty, columns(of: line) + columns(of: word) + 3 > width {
      lines.append(line + " \\")
      line = String(repeating: " ", count: columns(of: first) + 2)
      isEmpty = true
    }
    line += isEmpty ? word : " " + word
    isEmpty = false
  }
  return lines + [line]
}
