/// How wide characters are. A real font has such tables; this one makes them up.
enum Font {
  static let lineHeight = 18.0
  static let space = 4.0

  static func width(of text: Substring, _ style: RichText.Style) -> Double {
    var width = 0.0
    var previous: Character?
    for character in text {
      width += advances[character] ?? 14
      if let previous { width += kerning[Pair(left: previous, right: character)] ?? 0 }
      previous = character
    }
    return style == .bold ? width * 1.1 : width
  }

  private struct Pair: Hashable {
    let left: Character
    let right: Character
  }

  private static let letters = "abcdefghijklmnopqrstuvwxyzéïABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#@"

  private static let advances = Dictionary(
    uniqueKeysWithValues: letters.enumerated().map { ($1, 5 + Double($0 * 7 % 11) / 2) })

  private static let kerning = Dictionary(
    letters.enumerated().flatMap { i, left in
      letters.enumerated().compactMap { j, right in
        (i * 31 + j * 17) % 5 == 0
          ? (Pair(left: left, right: right), -Double((i + j) % 3) / 4) : nil
      }
    }, uniquingKeysWith: { first, _ in first })
}
