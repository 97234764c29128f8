/// Columns under a ruled header, numbers to the right.
package struct Table {
  /// A column.
  package struct Column {
    let header: String
    let isNumber: Bool
    let least: Int

    /// A column of numbers, to the right.
    package static func number(_ header: String, least: Int = 0) -> Self {
      Self(header: header, isNumber: true, least: least)
    }

    /// A column of words, to the left.
    package static func words(_ header: String, least: Int = 0) -> Self {
      Self(header: header, isNumber: false, least: least)
    }
  }

  /// A field.
  package enum Cell {
    /// A text that is safe to print.
    case text(String)
    /// A path that may lose its beginning in the last column.
    case path(SpanPath)

    func text(columns limit: Int?) -> String {
      switch self {
      case .text(let text): limit.map { shortened(text, to: $0) } ?? text
      case .path(let path): limit.map { path.text(columns: $0) } ?? path.text
      }
    }
  }

  private enum Row {
    case cells([Cell])
    case rule(columns: Int)
  }

  private let columns: [Column]
  private var rows: [Row] = []

  /// A table without rows.
  package init(_ columns: [Column]) { self.columns = columns }

  /// Adds a row. It may have fewer fields than there are columns.
  package mutating func append(_ cells: [Cell]) { rows.append(.cells(cells)) }

  /// The table with a last field for each of its rows.
  package func appending(_ last: (Int) -> Cell) -> Table {
    var table = self
    for (index, row) in rows.enumerated() {
      if case .cells(let cells) = row { table.rows[index] = .cells(cells + [last(index)]) }
    }
    return table
  }

  /// Adds a rule under the first columns.
  package mutating func appendRule(columns count: Int) { rows.append(.rule(columns: count)) }

  /// The lines, at most `width` columns wide as far as the last column can give way.
  package func lines(width: Int, indent: Int = 1) -> [String] {
    let widths = fieldWidths(width: width, indent: indent)
    let margin = String(repeating: " ", count: indent)
    func line(_ fields: [String]) -> String {
      let padded = zip(zip(columns, widths), fields).map { column, field in
        pad(field, to: column.1, right: column.0.isNumber)
      }
      return withoutTrailingSpaces(margin + padded.joined(separator: "  "))
    }
    func rule(_ count: Int) -> String {
      line(widths.prefix(count).map { String(repeating: "-", count: $0) })
    }
    var lines = [line(columns.map(\.header)), rule(columns.count)]
    for row in rows {
      switch row {
      case .rule(let count): lines.append(rule(count))
      case .cells(let cells):
        lines.append(
          line(
            zip(cells, widths).enumerated().map { index, field in
              field.0.text(columns: index == columns.count - 1 ? field.1 : nil)
            }))
      }
    }
    return lines
  }

  /// How many columns stand before the last field.
  package func columnsBeforeLast(indent: Int = 1) -> Int {
    fieldWidths(width: 0, indent: indent).dropLast().reduce(indent) { $0 + $1 + 2 }
  }

  private func fieldWidths(width: Int, indent: Int) -> [Int] {
    var widths = columns.map { max($0.least, FlamelarkReport.columns(of: $0.header)) }
    for case .cells(let cells) in rows {
      for (index, cell) in cells.enumerated() {
        widths[index] = max(widths[index], FlamelarkReport.columns(of: cell.text(columns: nil)))
      }
    }
    let others = widths.dropLast().reduce(indent) { $0 + $1 + 2 }
    // A last column narrower than this would say nothing: then the line is too long.
    widths[widths.count - 1] = min(widths[widths.count - 1], max(width - others, 12))
    return widths
  }
}

/// A text brought to a number of columns.
package func pad(_ text: String, to width: Int, right: Bool = false) -> String {
  let space = String(repeating: " ", count: max(width - columns(of: text), 0))
  return right ? space + text : text + space
}

package func withoutTrailingSpaces(_ line: String) -> String {
  guard let last = line.lastIndex(where: { $0 != " " }) else { return "" }
  return String(line[...last])
}

/// Phrases joined by ` · `, broken between phrases so that no line is wider than `width`.
package func lines(
  of phrases: [String], width: Int, first: String = "", next: String? = nil
) -> [String] {
  let next = next ?? String(repeating: " ", count: columns(of: first))
  var lines: [String] = []
  var line = first
  var isEmpty = true
  for phrase in phrases {
    if !isEmpty, columns(of: line) + 3 + columns(of: phrase) > width {
      lines.append(line)
      line = next
      isEmpty = true
    }
    line += isEmpty ? phrase : " · " + phrase
    isEmpty = false
  }
  return isEmpty ? lines : lines + [line]
}

/// A sentence broken between words so that no line is wider than `width`, where words allow it.
package func wrapped(_ sentence: String, width: Int, first: String, next: String) -> [String] {
  var lines: [String] = []
  var line = first
  var isEmpty = true
  for word in sentence.split(separator: " ") {
    let word = shortened(String(word), to: width - columns(of: next))
    if !isEmpty, columns(of: line) + 1 + columns(of: word) > width {
      lines.append(line)
      line = next
      isEmpty = true
    }
    line += isEmpty ? word : " " + word
    isEmpty = false
  }
  return lines + [line]
}
