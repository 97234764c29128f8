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
