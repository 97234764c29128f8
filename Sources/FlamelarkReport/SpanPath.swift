/// A path of span names for a person: `layout > measure`.
package struct SpanPath {
  /// What stands before the path and stays: a kind, a thread.
  package let lead: String
  package let names: [String]

  /// A path from the root to the named span. `lead` is printable, and stands before it.
  package init(_ path: [String], lead: String = "") {
    self.lead = lead
    names = path.map { $0.isEmpty ? "(unnamed)" : PrintableText($0).text }
  }

  /// The whole path.
  package var text: String { lead + names.joined(separator: " > ") }

  /// The path in at most `limit` columns.
  ///
  /// It loses types and parameters of functions first, then its beginning: the end is the answer.
  package func text(columns limit: Int) -> String {
    let whole = text
    if columns(of: whole) <= limit { return whole }
    if !lead.isEmpty {
      // Of what there is, half is for the last name, if it needs that.
      let room = min(columns(of: names.last ?? ""), limit / 2)
      let lead = shortened(lead, to: max(limit - room, 1))
      return lead + SpanPath(names: names).text(columns: limit - columns(of: lead))
    }
    let brief = names.map { Self.withoutSignature($0) }
    if let text = Self.fitting(brief, columns: limit) { return text }
    let last = brief.last ?? ""
    return Self.withoutScopes(last, columns: limit) ?? shortened(last, to: limit)
  }

  /// The last name alone, in at most `limit` columns.
  package func leaf(columns limit: Int) -> String {
    SpanPath(names: [names.last ?? ""]).text(columns: limit)
  }

  /// Several paths with a text behind each, in at most `limit` columns: each has the most room with
  /// which all fit. Where names would be stumps, the first alone.
  static func text(
    of paths: [(path: SpanPath, after: String)], between separator: String, before: String = "",
    columns limit: Int
  ) -> String {
    func text(_ paths: some Sequence<(path: SpanPath, after: String)>, room: Int) -> String {
      before + paths.map { $0.path.text(columns: room) + $0.after }.joined(separator: separator)
    }
    var room = limit
    while room > 12, columns(of: text(paths, room: room)) > limit { room -= 1 }
    let all = text(paths, room: room)
    if columns(of: all) <= limit { return all }
    let others = columns(of: before) + columns(of: paths.first?.after ?? "")
    return text(paths.prefix(1), room: max(limit - others, 8))
  }

  private init(names: [String]) {
    lead = ""
    self.names = names
  }

  /// As many names as fit, from the end; nil if not even the last does.
  private static func fitting(_ names: [String], columns limit: Int) -> String? {
    for first in names.indices {
      let text = (first > 0 ? "… > " : "") + names[first...].joined(separator: " > ")
      if columns(of: text) <= limit { return text }
    }
    return names.last.flatMap { columns(of: $0) <= limit ? $0 : nil }
  }

  /// `Engine::Scene::draw` as `…Scene::draw`: as many scopes as fit, nil if not even the last does.
  private static func withoutScopes(_ name: String, columns limit: Int) -> String? {
    var depth = 0
    var previous: Character = " "
    for index in name.indices {
      let character = name[index]
      if character == "<" { depth += 1 } else if character == ">" { depth -= 1 }
      if depth == 0, character == ":", previous == ":" {
        let text = "…" + name[name.index(after: index)...]
        if columns(of: text) <= limit { return text }
      }
      previous = character
    }
    return nil
  }

  /// A function's name without what it takes and gives: `void __cdecl A::b(int)` is `A::b`.
  static func withoutSignature(_ name: String) -> String {
    var depth = 0
    var start = name.startIndex
    var end = name.endIndex
    for index in name.indices {
      switch name[index] {
      case "<": depth += 1
      case ">": depth -= 1
      case " " where depth == 0: start = name.index(after: index)
      case "(" where depth == 0:
        end = index
      default: continue
      }
      if end < name.endIndex { break }
    }
    guard end < name.endIndex, start < end else { return name }
    let function = name[start..<end]
    // A space is part of a name, unless what follows is plainly a function of C++.
    return String(function.contains("::") ? function : name[..<end])
  }
}
