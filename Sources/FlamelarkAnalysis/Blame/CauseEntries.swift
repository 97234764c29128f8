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
    /// What the phase bears whose times are here, in one hitch.
    var measured: Int64 = 0
    /// By how many standard deviations of good frames it is above normal, in one hitch.
    var deviations = 0.0
    /// Its part of what good frames take.
    var normalShare = 0.0

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
  private let facts: Facts
  private var totals: [Figures]
  private var current: [Figures]
  private var touched: [Int] = []

  /// What is known of each definition beyond its figures.
  struct Facts {
    var places: [Place?]
    var links: [Int: CriticalLink?] = [:]
    var gaps: [Int: Cause.Gap] = [:]
  }

  init(cut: NamedCut, facts: Facts) {
    self.cut = cut
    self.facts = facts
    totals = Array(repeating: Figures(), count: cut.definitions.count)
    current = totals
  }

  /// Takes in what a phase bears of a hitch. `scale` is that of what is normal.
  mutating func add(
    _ parts: ArraySlice<ExcessSplit.Part>, row: InclusiveRow, baseline: Baseline, scale: Double
  ) {
    var borne: [Int: Int64] = [:]
    for part in parts { borne[cut.definition(of: part.node), default: 0] += part.blame }
    for (definition, blame) in borne {
      if current[definition].blame == 0 { touched.append(definition) }
      current[definition].blame += blame
      // Of several phases the one that bears most says what it took.
      guard blame > current[definition].measured else { continue }
      current[definition].measured = blame
      measure(definition, row: row, baseline: baseline, scale: scale)
    }
  }

  /// Takes in what no frame bears.
  mutating func add(backlog: Int64, other: Int64) {
    for (definition, amount) in [(NamedCut.backlog, backlog), (NamedCut.other, other)]
    where amount > 0 {
      if current[definition].blame == 0 { touched.append(definition) }
      current[definition].blame += amount
      current[definition].hitches = 1
    }
  }

  /// What the hitch that was taken in comes to.
  struct Summary {
    /// Largest first.
    var causes: [Cause] = []
    /// The definition of each.
    var definitions: [Int] = []
    /// What those bear together that stand out, in nanoseconds.
    var explained: Int64 = 0
    /// By how many standard deviations of good frames the first is above normal.
    var deviations: Double?
  }

  /// Ends the hitch that was taken in.
  mutating func endHitch() -> Summary {
    sort(&touched, by: current)
    let lateness = touched.reduce(0) { $0 + current[$1].blame }
    var summary = Summary(definitions: touched)
    summary.causes.reserveCapacity(touched.count)
    for definition in touched {
      if summary.causes.isEmpty {
        current[definition].firsts = 1
        let deviations = current[definition].deviations
        summary.deviations = deviations > 0 && deviations.isFinite ? deviations : nil
      }
      if standsOut(definition, of: lateness) { summary.explained += current[definition].blame }
      summary.causes.append(cause(definition, current[definition], of: lateness))
      totals[definition].add(current[definition])
      current[definition] = Figures()
    }
    touched.removeAll(keepingCapacity: true)
    return summary
  }

  /// Above normal by more than this many standard deviations: of a cause that bears half, and of a lesser
  /// one, of which there may be several by chance.
  private static let (leastDeviations, leastDeviationsOfParts) = (3.0, 7.0)
  /// Its part of the lateness, as odds, is at least so many times its part of a good frame.
  private static let leastOdds = 2.0

  /// What has less than this part of the lateness is one of many.
  private static let leastShare = 0.2

  /// Whether a cause says why: it is far from what it is in good frames, it is not one of many, and it is
  /// not just that everything took longer.
  private func standsOut(_ definition: Int, of lateness: Int64) -> Bool {
    switch cut.definitions[definition].kind {
    case .other, .backlog, .uninstrumented: return false
    case .span, .folded, .preempted, .blocked, .queued: break
    }
    let figures = current[definition]
    let (late, normal) = (Double(figures.blame) / Double(lateness), figures.normalShare)
    let least = late >= 0.5 ? Self.leastDeviations : Self.leastDeviationsOfParts
    guard figures.deviations > least, late >= Self.leastShare else { return false }
    return late * (1 - normal) >= Self.leastOdds * normal * (1 - late)
  }

  /// The definitions that bear any lateness, largest first.
  func seriesDefinitions() -> [Int] {
    var used = totals.indices.filter { totals[$0].blame > 0 }
    sort(&used, by: totals)
    return used
  }

  /// The causes of all hitches together, largest first. What they would save and how sure they are is
  /// asked of `confidence` and `ratioIfNormal`, by definition.
  func seriesCauses(
    confidence: [Int: Cause.Confidence], ratioIfNormal: [Int: Double]
  ) -> [Cause] {
    let used = seriesDefinitions()
    let lateness = used.reduce(0) { $0 + totals[$1].blame }
    return used.map { definition in
      cause(
        definition, totals[definition], of: lateness, confidence: confidence[definition],
        ratioIfNormal: ratioIfNormal[definition])
    }
  }

  /// Of equal blame, the order of paths decides.
  private func sort(_ definitions: inout [Int], by figures: [Figures]) {
    definitions.sort {
      (figures[$1].blame, cut.rank[$0]) < (figures[$0].blame, cut.rank[$1])
    }
  }

  private mutating func measure(
    _ definition: Int, row: InclusiveRow, baseline: Baseline, scale: Double
  ) {
    let node = cut.definitions[definition].node
    current[definition].hitches = 1
    let deviation: Double
    switch cut.definitions[definition].kind {
    case .span, .folded, .preempted, .blocked, .queued:
      current[definition].normalTime = baseline.time(of: node)
      current[definition].lateTime = Double(row.time(of: node))
      current[definition].normalCalls = baseline.calls(of: node)
      current[definition].lateCalls = Double(row.calls(of: node))
      deviation = baseline.deviation(of: node)
    case .uninstrumented:
      current[definition].normalTime = baseline.selfTime(of: node)
      current[definition].lateTime = Double(row.selfTime(of: node))
      deviation = baseline.selfDeviation(of: node)
    case .backlog, .other: return
    }
    let excess = current[definition].lateTime - scale * current[definition].normalTime
    current[definition].deviations =
      excess > 0 ? (deviation > 0 ? excess / deviation : .infinity) : 0
    let whole = baseline.time(of: PathTree.root)
    current[definition].normalShare = whole > 0 ? current[definition].normalTime / whole : 0
  }

  private func cause(
    _ definition: Int, _ figures: Figures, of lateness: Int64,
    confidence: Cause.Confidence? = nil, ratioIfNormal: Double? = nil
  ) -> Cause {
    let hitches = Double(max(1, figures.hitches))
    let named = cut.definitions[definition]
    return Cause(
      kind: named.kind, thread: named.thread, path: named.path,
      link: facts.links[definition] ?? nil, gap: facts.gaps[definition],
      file: facts.places[definition]?.file, line: facts.places[definition]?.line ?? 0,
      blame: figures.blame,
      share: lateness > 0 ? Double(figures.blame) / Double(lateness) : 0,
      hitchCount: figures.hitches, topCount: figures.firsts,
      normalTime: Int64((figures.normalTime / hitches).rounded()),
      lateTime: Int64((figures.lateTime / hitches).rounded()),
      normalCalls: figures.normalCalls / hitches, lateCalls: figures.lateCalls / hitches,
      confidence: confidence, ratioIfNormal: ratioIfNormal)
  }
}
