/// Reads markup word by word.
struct MarkupScanner {
  struct Piece {
    let style: RichText.Style
    let text: Substring
    let address: Substring?
  }

  private var rest: Substring

  init(_ markup: String) {
    rest = markup[...]
  }

  mutating func next() -> Piece? {
    rest = rest.drop(while: \.isWhitespace)
    guard let first = rest.first else { return nil }
    switch first {
    case "*": return enclosed(by: "*", style: .bold)
    case "_": return enclosed(by: "_", style: .italic)
    case "[": return link()
    case "#", "@": return Piece(style: .tag, text: take(until: \.isWhitespace), address: nil)
    default: return Piece(style: .plain, text: take(until: \.isWhitespace), address: nil)
    }
  }

  private mutating func enclosed(by mark: Character, style: RichText.Style) -> Piece {
    rest.removeFirst()
    let text = take { $0 == mark }
    rest = rest.dropFirst()
    return Piece(style: style, text: text, address: nil)
  }

  /// `[label](address)`. What is not closed runs to the end.
  private mutating func link() -> Piece {
    rest.removeFirst()
    let label = take { $0 == "]" }
    rest = rest.dropFirst()
    guard rest.first == "(" else { return Piece(style: .link, text: label, address: nil) }
    rest.removeFirst()
    let address = take { $0 == ")" }
    rest = rest.dropFirst()
    return Piece(style: .link, text: label, address: address)
  }

  private mutating func take(until isEnd: (Character) -> Bool) -> Substring {
    let taken = rest.prefix { !isEnd($0) }
    rest = rest[taken.endIndex...]
    return taken
  }
}
