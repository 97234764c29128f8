/// A post's text, ready to be drawn.
struct RichText {
  enum Style: Int {
    case plain, bold, italic, link, tag
  }

  /// A word with its style and its width in points.
  struct Word {
    let style: Style
    let text: Substring
    let width: Double
  }

  private(set) var words: [Word] = []
  /// The words of each line.
  let lines: [Range<Int>]
  /// Where its links lead.
  private(set) var links: [Substring] = []

  var height: Double {
    Double(lines.count) * Font.lineHeight
  }

  /// Parses markup and breaks it into lines: the whole work, once.
  init(markup: String, width: Double) {
    var scanner = MarkupScanner(markup)
    while let piece = scanner.next() {
      words.append(
        Word(style: piece.style, text: piece.text, width: Font.width(of: piece.text, piece.style)))
      if let address = piece.address { links.append(address) }
    }
    lines = LineBreaker.lines(of: words.map(\.width), space: Font.space, width: width)
  }
}
