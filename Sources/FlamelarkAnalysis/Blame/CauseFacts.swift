internal import FlamelarkTrace

/// What late frames say of causes beyond time: where in the source they began, by what the frame came
/// to wait for them, between which spans time went that has none.
struct CauseFacts: CriticalVisitor {
  private struct Key<Value: Hashable>: Hashable {
    var definition: Int32
    var value: Value
  }

  /// Two names, nil for an end.
  private struct Gap: Hashable {
    var after: NameID?
    var before: NameID?
  }

  private let trace: Trace
  private let cut: NamedCut
  private let nodes: SpanNodes
  /// Whether a definition's name stands at several places in the source.
  private let isUnclear: [Bool]
  private var sites: [Key<UInt32>: Int64] = [:]
  private var links: [Key<CriticalLink?>: Int64] = [:]
  private var gaps: [Key<Gap>: Int64] = [:]
  /// The window that is walked.
  var window: Range<Int64> = 0..<0

  /// `isUnclear` says of each definition whether its place has to be found out.
  init(of cut: NamedCut, isUnclear: [Bool], nodes: SpanNodes, in trace: Trace) {
    self.trace = trace
    self.cut = cut
    self.nodes = nodes
    self.isUnclear = isUnclear
  }

  mutating func spend(_ piece: CriticalPiece) {
    guard let definition = cut.definitionIfKnown(of: piece.node), definition > NamedCut.backlog
    else { return }
    let time = piece.range.upperBound - piece.range.lowerBound
    let number = Int32(definition)
    Self.add(time, to: &links, number, piece.place.link)
    if cut.definitions[definition].kind == .uninstrumented {
      Self.add(time, to: &gaps, number, gap(of: piece))
    }
    if isUnclear[definition], let site = site(of: piece, cut.definitions[definition].node) {
      Self.add(time, to: &sites, number, site)
    }
  }

  mutating func moveFolded(
    _ sum: Int, into node: PathTree.Node, from sources: [PathTree.Node], _ place: CriticalPlace
  ) {
    guard let definition = cut.definitionIfKnown(of: node), definition > NamedCut.backlog else {
      return
    }
    let number = Int32(definition)
    let time = max(0, trace.folded[sum].selfTime)
    Self.add(time, to: &links, number, place.link)
    if isUnclear[definition] { Self.add(time, to: &sites, number, trace.folded[sum].site.index) }
  }

  private static func add<Value>(
    _ time: Int64, to times: inout [Key<Value>: Int64], _ definition: Int32, _ value: Value
  ) {
    let key = Key(definition: definition, value: value)
    times[key] = (times[key] ?? 0).plus(time)
  }

  /// The place of the span that gives a cause its name: around the piece, or its own.
  private func site(of piece: CriticalPiece, _ node: PathTree.Node) -> UInt32? {
    guard piece.span != Trace.Spans.none else { return nil }
    var span = piece.span
    while span != Trace.Spans.none, trace.tracks[piece.row].spans.contains(Int(span)) {
      if nodes[Int(span)] == node {
        return trace.spans.site[Int(span)].index
      }
      span = trace.spans.parent[Int(span)]
    }
    return trace.spans.site[Int(piece.span)].index
  }

  private func gap(of piece: CriticalPiece) -> Gap {
    let row = trace.tracks[piece.row].spans
    let starts = trace.spans.start
    func name(_ span: Int) -> NameID { trace.callSites[Int(trace.spans.site[span].index)].name }
    var result = Gap()
    let next = row.partitionPoint { starts[$0] < piece.range.upperBound }
    if next < row.upperBound, trace.spans.parent[next] == piece.span,
      starts[next] < window.upperBound
    {
      result.before = name(next)
    }
    let begun = row.partitionPoint { starts[$0] < piece.range.lowerBound }
    guard begun > row.lowerBound else { return result }
    var before = UInt32(truncatingIfNeeded: begun - 1)
    while before != Trace.Spans.none, before != piece.span {
      if trace.spans.parent[Int(before)] == piece.span {
        if trace.spans.end[Int(before)] > window.lowerBound { result.after = name(Int(before)) }
        break
      }
      before = trace.spans.parent[Int(before)]
    }
    return result
  }

  /// The place in the source of each definition that was unclear, by its most time.
  func greatestSites() -> [Int: Int] { Self.greatest(sites) { $0 < $1 }.mapValues { Int($0) } }

  /// By what each definition was reached, mostly.
  func greatestLinks() -> [Int: CriticalLink?] {
    Self.greatest(links) { ($0?.rawValue ?? "") < ($1?.rawValue ?? "") }
  }

  /// Between which spans most of the time of each definition lay that has no span.
  func greatestGaps() -> [Int: Cause.Gap] {
    Self.greatest(gaps) { a, b in
      (a.after?.index ?? .max, a.before?.index ?? .max)
        < (b.after?.index ?? .max, b.before?.index ?? .max)
    }.mapValues { gap in
      Cause.Gap(
        after: gap.after.map { trace.names[$0] }, before: gap.before.map { trace.names[$0] })
    }
  }

  /// The value with most time of each definition; of equal ones the first.
  private static func greatest<Value>(
    _ times: [Key<Value>: Int64], _ isBefore: (Value, Value) -> Bool
  ) -> [Int: Value] {
    var best: [Int: (value: Value, time: Int64)] = [:]
    for (key, time) in times {
      let definition = Int(key.definition)
      if let known = best[definition] {
        guard time > known.time || time == known.time && isBefore(key.value, known.value) else {
          continue
        }
      }
      best[definition] = (key.value, time)
    }
    return best.mapValues(\.value)
  }
}
