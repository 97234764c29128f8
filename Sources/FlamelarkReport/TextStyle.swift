/// Colour, where a terminal shows it. Nothing is said by colour alone.
package struct TextStyle: Sendable {
  /// Whether colour is used.
  package let isColored: Bool

  /// A style.
  package init(isColored: Bool) { self.isColored = isColored }

  package func bold(_ text: String) -> String { marked(text, "1") }
  package func dim(_ text: String) -> String { marked(text, "2") }
  package func red(_ text: String) -> String { marked(text, "1;31") }
  package func yellow(_ text: String) -> String { marked(text, "1;33") }
  package func green(_ text: String) -> String { marked(text, "1;32") }

  private func marked(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
