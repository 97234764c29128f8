import FlamelarkTrace
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis
@testable import FlamelarkReport

/// The hitches of a loop and their causes, made up: what the report says of them doesn't depend on
/// how they are found.
struct BlameByHand {
  /// A cause: what names it, and what is told of it wherever it is.
  struct Suspect {
    var kind = Cause.Kind.span
    var thread: String?
    var path: [String] = []
    var link: CriticalLink?
    var gap: Cause.Gap?
    var line: UInt32 = 0
    var normal: (ms: Double, calls: Double) = (0, 0)
    var late: (ms: Double, calls: Double) = (0, 0)
    var interval: ClosedRange<Double>?
    var first = 0.0
    var ifNormal: Double?
  }

  /// A late frame: by how much, and of what.
  struct Late {
    var frame: Int
    var kind = Hitch.Kind.appLate
    var root: Int?
    /// Index of a suspect and milliseconds, largest first.
    var causes: [(suspect: Int, ms: Double)]
  }

  var suspects: [Suspect] = []
  var late: [Late] = []
  var clusters: [(signature: String, frames: [Int])] = []
  var ifFirstThreeNormal: Double?
  var goodFrames = 380
  var frameCount = 400
  /// The part of each hitch that is explained; nil: all that has a name.
  var explains: Double?
  var isSystemic = false

  /// A trace of the loop with a thread beside it.
  func trace() throws -> Trace {
    var builder = TraceBuilder()
    builder.track("main")
    builder.track("worker 1")
    let interval = GameRun.interval
    var time: Int64 = 0
    var frames: [Trace.Frame] = []
    for number in 0..<frameCount {
      let lateness =
        late.first { $0.frame == number }?.causes.reduce(Int64(0)) { $0 + .ms($1.ms) } ?? 0
      let next = time + interval + lateness
      frames.append(
        .displayLink(
          at: time, target: time + interval, end: lateness > 0 ? next : time + .ms(9.6)))
      time = next
    }
    builder.frames("main", mode: .displayLink, frames)
    var trace = try builder.build()
    trace.wallClockZero = 1_764_495_254_123_456_789
    return trace
  }

  /// The report of it.
  func report(
    _ options: BlameReport.Options = .init(), view: SameView = SameView(of: "feed.lark")
  ) throws -> BlameReport {
    let trace = try trace()
    let frames = JudgedFrames(of: trace.frameSeries[0], in: trace)
    let hitches = late.map { hitch(of: $0, frames) }
    let causes = causes(over: hitches, total: frames.hitchTime)
    let judgement = Judgement(
      frames: frames, hitches: hitches, causes: causes,
      clusters: clusters.map { cluster in
        HitchCluster(
          signature: cluster.signature, frames: cluster.frames,
          lateness: hitches.filter { cluster.frames.contains($0.frame.number) }
            .reduce(0) { $0 + $1.lateness })
      },
      ratioIfFirstThreeNormal: ifFirstThreeNormal, goodFrames: goodFrames,
      strata: [
        Stratum(
          interval: GameRun.interval, tag: nil, frameCount: frameCount, goodFrames: goodFrames,
          isWidened: false, isSystemic: isSystemic)
      ],
      goodFrameTime: (.ms(9.6), .ms(11.3)), foldedTime: (0, 0), ranges: nil, options: options)
    return BlameReport(of: trace, judgements: [judgement], view: view, options: options)
  }

  private func hitch(of late: Late, _ frames: JudgedFrames) -> Hitch {
    let frame = frames.frames[late.frame]
    let causes = late.causes.enumerated().map { index, part in
      let suspect = suspects[part.suspect]
      return cause(
        suspect, blame: .ms(part.ms), of: frame.lateness, hitches: 1, top: index == 0 ? 1 : 0)
    }
    let named = causes.reduce(Int64(0)) {
      $0 + ([.uninstrumented, .backlog, .other].contains($1.kind) ? 0 : $1.blame)
    }
    return Hitch(
      frame: frames.series.frames[late.frame], window: frame.window, budget: frame.interval,
      lateness: frame.lateness, causes: causes, kind: late.kind, root: late.root ?? late.frame,
      explained: explains ?? Double(named) / Double(frame.lateness), deviations: 4,
      cluster: clusters.firstIndex { $0.frames.contains(late.frame) } ?? 0)
  }

  private func causes(over hitches: [Hitch], total: Int64) -> [Cause] {
    suspects.indices.map { index in
      let parts = late.compactMap { late in
        late.causes.firstIndex { $0.suspect == index }.map { (late.causes[$0].ms, $0) }
      }
      return cause(
        suspects[index], blame: parts.reduce(0) { $0 + .ms($1.0) }, of: total,
        hitches: parts.count, top: parts.count { $0.1 == 0 }, isOfSeries: true)
    }.sorted { $0.blame > $1.blame }
  }

  private func cause(
    _ suspect: Suspect, blame: Int64, of total: Int64, hitches: Int, top: Int,
    isOfSeries: Bool = false
  ) -> Cause {
    Cause(
      kind: suspect.kind, thread: suspect.thread, path: suspect.path, link: suspect.link,
      gap: suspect.gap, file: suspect.line > 0 ? "Feed/Layout.swift" : nil, line: suspect.line,
      blame: blame, share: Double(blame) / Double(total), hitchCount: hitches, topCount: top,
      normalTime: .ms(suspect.normal.ms), lateTime: .ms(suspect.late.ms),
      normalCalls: suspect.normal.calls, lateCalls: suspect.late.calls,
      confidence: isOfSeries
        ? suspect.interval.map {
          Cause.Confidence(
            blame: Int64.ms($0.lowerBound)...Int64.ms($0.upperBound), first: suspect.first)
        } : nil,
      ratioIfNormal: isOfSeries ? suspect.ifNormal : nil)
  }
}

extension BlameByHand {
  /// Eleven hitches with a cause of every kind.
  static var everything: BlameByHand {
    var hand = BlameByHand()
    hand.suspects = [
      Suspect(
        path: ["layout", "measure"], line: 88, normal: (3.2, 3), late: (24.5, 3),
        interval: 30...72, first: 0.54, ifNormal: 23.11),
      Suspect(
        path: ["gc"], line: 12, late: (21.8, 1), interval: 0...45, first: 0.25, ifNormal: 25),
      Suspect(
        thread: "worker", path: ["prefetch.parse"], link: .await, line: 40, normal: (2.5, 1),
        late: (21.4, 1), interval: 0...30, first: 0.1, ifNormal: 27.5),
      Suspect(
        kind: .uninstrumented, gap: Cause.Gap(after: "update", before: "draw"),
        normal: (0.2, 0), late: (18.8, 0), interval: 0...24, first: 0.06, ifNormal: 28),
      Suspect(
        thread: "db", path: ["txn", "db.save"], link: .lock, line: 7, normal: (0.3, 1),
        late: (19.8, 1), interval: 0...22, first: 0.05, ifNormal: 28.5),
      Suspect(kind: .preempted, late: (21.6, 0), interval: 0...20, ifNormal: 29),
      Suspect(kind: .blocked, path: ["load", "wait"], normal: (0.5, 1), late: (12, 1)),
      Suspect(kind: .queued, thread: "worker", path: ["decode"], normal: (0.1, 1), late: (9, 1)),
      Suspect(kind: .folded, path: ["draw", "tile"], normal: (1, 500), late: (9, 4_500)),
      Suspect(kind: .backlog),
      Suspect(kind: .other),
    ]
    hand.late = [
      Late(frame: 20, causes: [(0, 22.1), (10, 0.4)]),
      Late(frame: 60, causes: [(0, 20), (4, 1.2)]),
      Late(frame: 90, causes: [(1, 26.3), (8, 1)]),
      Late(frame: 130, causes: [(2, 18), (7, 0.7)]),
      Late(frame: 160, kind: .unknown, causes: [(3, 14.4)]),
      Late(frame: 200, kind: .renderLate, causes: [(4, 12.2)]),
      Late(frame: 240, kind: .paused, causes: [(5, 11)]),
      Late(frame: 280, causes: [(6, 9)]),
      Late(frame: 281, kind: .inherited, root: 280, causes: [(6, 5.5)]),
      Late(frame: 320, kind: .pipelineFull, causes: [(9, 4)]),
      Late(frame: 360, causes: [(8, 3), (7, 2.8)]),
    ]
    hand.clusters = [
      ("app late: layout > measure", [20, 60]), ("app late: gc", [90]),
      ("app late: worker: prefetch.parse", [130]),
      ("app late: load > wait (blocked)", [280, 281]), ("unknown: (uninstrumented)", [160]),
      ("mixed: (backlog) + draw > tile (folded)", [320, 360]), ("mixed", [200, 240]),
    ]
    hand.ifFirstThreeNormal = 9.7
    return hand
  }
}
