/// A path of span names for a person: `layout > measure`.
package struct SpanPath {
  private let names: [String]

  /// A path from the root to the named span.
  package init(_ path: [String]) {
    names = path.map { $0.isEmpty ? "(unnamed)" : PrintableText($0).text }
  }

  /// The whole path.
  package var text: String { names.joined(separator: " > ") }

  /// The last name alone.
  package var leaf: String { names.last ?? "" }

  /// The path in at most `limit` columns. It loses its beginning first: the end is the answer.
  package func text(columns limit: Int) -> String {
    let whole = text
    if columns(of: whole) <= limit { return whole }
    for first in names.indices.dropFirst() {
      let part = "… > " + names[first...].joined(separator: " > ")
      if columns(of: part) <= limit { return part }
    }
    return shortened(leaf, to: limit)
  }
}
