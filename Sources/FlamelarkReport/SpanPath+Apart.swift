extension SpanPath {
  /// Paths in at most `limit` columns, so that one can tell them apart where there is room for that.
  ///
  /// Those that would look the same are shortened in another way: with the name by which they differ in
  /// front of the last one, with more of the last one's scopes, with its types and parameters. What
  /// then still looks the same has its number among its like behind it.
  static func apart(_ paths: [SpanPath], columns limit: Int) -> [String] {
    var texts = paths.map { $0.text(columns: limit) }
    for group in same(texts) {
      let alike = group.map { paths[$0] }
      let forms = [
        alike.indices.map { index in
          alike[index].withFront(
            unlike: alike.indices.filter { $0 != index }.map { alike[$0] }, columns: limit)
        },
        alike.map { $0.withEnd(columns: limit) },
        alike.map { shortened($0.lead + withoutSignature($0.names.last ?? ""), to: limit) },
        alike.map { shortened($0.text, to: limit) },
      ]
      // The first of those that tell most of them apart.
      guard let best = forms.min(by: { Set($0).count > Set($1).count }), Set(best).count > 1 else {
        continue
      }
      for (index, text) in zip(group, best) { texts[index] = text }
    }
    for group in same(texts) {
      for (number, index) in group.enumerated() {
        let mark = " #\(number + 1)"
        texts[index] = shortened(texts[index], to: limit - mark.count) + mark
      }
    }
    return texts
  }

  /// The places of texts that are there more than once.
  private static func same(_ texts: [String]) -> [[Int]] {
    Dictionary(grouping: texts.indices, by: { texts[$0] }).values.filter { $0.count > 1 }
      .sorted { $0[0] < $1[0] }
  }

  /// The last name that the others don't have, and the last of all: `… > load > … > parse`.
  private func withFront(unlike others: [SpanPath], columns limit: Int) -> String {
    let brief = names.map { Self.withoutSignature($0) }
    // From the end on: how many names are the same as those of the other that is most alike.
    let depth =
      others.map { other in
        zip(brief.reversed(), other.names.reversed().map { Self.withoutSignature($0) })
          .prefix { $0 == $1 }.count
      }.max() ?? 0
    guard let leaf = brief.last, brief.count > 1, depth > 0 else { return text(columns: limit) }
    // All of a path can be the end of another: then nothing is in front of its first name.
    let front = depth < brief.count ? brief.count - 1 - depth : 0
    guard front < brief.count - 1 else { return text(columns: limit) }
    let before = (front > 0 ? "… > " : "") + lead
    let between = front == brief.count - 2 ? " > " : " > … > "
    let rest = limit - columns(of: between)
    // Half is for the name that differs, if it needs that.
    let room = max(rest - columns(of: leaf), rest / 2, 1)
    let whole = before + brief[front]
    let shown =
      columns(of: whole) <= room ? whole : SpanPath([brief[front]]).text(columns: room)
    return shown + between + SpanPath([leaf]).text(columns: max(rest - columns(of: shown), 1))
  }

  /// The end of the last name, from the middle of a word if need be.
  private func withEnd(columns limit: Int) -> String {
    let name = lead + Self.withoutSignature(names.last ?? "")
    guard columns(of: name) > limit else { return name }
    var start = name.endIndex
    var room = limit - 1
    while start > name.startIndex {
      let before = name.index(before: start)
      room -= columns(of: String(name[before]))
      guard room >= 0 else { break }
      start = before
    }
    return "…" + name[start...]
  }
}
