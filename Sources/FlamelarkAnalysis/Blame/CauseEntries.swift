/// Writes down the causes of hitches, and adds them up over a series.
struct CauseEntries {
  /// A place in the source.
  typealias Place = (file: String, line: UInt32)

  /// The figures of a cause, in one hitch or summed over several.
  private struct Figures {
    var blame: Int64 = 0
    var hitches = 0
    var firsts = 0
    var normalTime = 0.0
    var lateTime = 0.0
    var normalCalls = 0.0
    var lateCalls = 0.0

    mutating func add(_ other: Figures) {
      blame += other.blame
      hitches += other.hitches
      firsts += other.firsts
      normalTime += other.normalTime
      lateTime += other.lateTime
      normalCalls += other.normalCalls
      lateCalls += other.lateCalls
    }
  }

  private let cut: NamedCut
  private let places: [Place?]
  private var totals: [Figures]
  private var current: [Figures]

  init(cut: NamedCut, places: [Place?]) {
    self.cut = cut
    self.places = places
    totals = Array(repeating: Figures(), count: cut.definitions.count)
    current = totals
  }

  /// The causes of a hitch from its parts, largest first.
  mutating func add(
    _ parts: ArraySlice<ExcessSplit.Part>, row: InclusiveRow, baseline: Baseline
  ) -> [Cause] {
    var touched: [Int] = []
    for part in parts {
      let definition = cut.definition(of: part.node)
      if current[definition].blame == 0 { touched.append(definition) }
      current[definition].blame += part.blame
    }
    sort(&touched, by: current)
    let lateness = touched.reduce(0) { $0 + current[$1].blame }
    var causes: [Cause] = []
    causes.reserveCapacity(touched.count)
    for definition in touched {
      measure(definition, row: row, baseline: baseline)
      if causes.isEmpty { current[definition].firsts = 1 }
      causes.append(cause(definition, current[definition], of: lateness))
      totals[definition].add(current[definition])
      current[definition] = Figures()
    }
    return causes
  }

  /// The causes of all hitches together, largest first.
  func seriesCauses() -> [Cause] {
    var used = totals.indices.filter { totals[$0].blame > 0 }
    sort(&used, by: totals)
    let lateness = used.reduce(0) { $0 + totals[$1].blame }
    return used.map { cause($0, totals[$0], of: lateness) }
  }

  /// Of equal blame, the order of paths decides.
  private func sort(_ definitions: inout [Int], by figures: [Figures]) {
    definitions.sort {
      (figures[$1].blame, cut.rank[$0]) < (figures[$0].blame, cut.rank[$1])
    }
  }

  private mutating func measure(_ definition: Int, row: InclusiveRow, baseline: Baseline) {
    let node = cut.definitions[definition].node
    current[definition].hitches = 1
    switch cut.definitions[definition].kind {
    case .span, .folded:
      current[definition].normalTime = baseline.time(of: node)
      current[definition].lateTime = Double(row.time(of: node))
      current[definition].normalCalls = baseline.calls(of: node)
      current[definition].lateCalls = Double(row.calls(of: node))
    case .uninstrumented:
      current[definition].normalTime = baseline.selfTime(of: node)
      current[definition].lateTime = Double(row.selfTime(of: node))
    case .preempted, .blocked, .queued, .backlog, .other: break
    }
  }

  private func cause(_ definition: Int, _ figures: Figures, of lateness: Int64) -> Cause {
    let hitches = Double(max(1, figures.hitches))
    return Cause(
      kind: cut.definitions[definition].kind, thread: nil, path: cut.definitions[definition].path,
      link: nil, gap: nil, file: places[definition]?.file, line: places[definition]?.line ?? 0,
      blame: figures.blame,
      share: lateness > 0 ? Double(figures.blame) / Double(lateness) : 0,
      hitchCount: figures.hitches, topCount: figures.firsts,
      normalTime: Int64((figures.normalTime / hitches).rounded()),
      lateTime: Int64((figures.lateTime / hitches).rounded()),
      normalCalls: figures.normalCalls / hitches, lateCalls: figures.lateCalls / hitches,
      confidence: nil, ratioIfNormal: nil)
  }
}
