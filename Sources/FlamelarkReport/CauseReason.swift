internal import FlamelarkAnalysis

/// What was different about a cause, in a word.
enum CauseReason: Equatable {
  /// Each call cost this many times as much.
  case slower(Double)
  /// It ran this many times as often.
  case moreCalls(Double)
  /// No good frame has it.
  case new
  /// Few good frames have it.
  case rare
  /// Time outside any span.
  case noSpan
  /// Its thread was ready to run and had no processor.
  case preempted
  /// Its thread waited, and the trace doesn't say for whom.
  case blocked
  /// It had been asked for and had not begun.
  case queued
  /// Earlier frames still ran.
  case backlog
  /// No cause stands out.
  case other

  /// Splits the time above normal exactly: n calls of cost c against n̄ of c̄ differ by
  /// (n − n̄)(c + c̄)/2 through their number and by (c − c̄)(n + n̄)/2 through their cost.
  init(of cause: Cause) {
    switch cause.kind {
    case .preempted: self = .preempted
    case .blocked: self = .blocked
    case .queued: self = .queued
    case .backlog: self = .backlog
    case .other: self = .other
    case .uninstrumented: self = .noSpan
    case .span, .folded:
      let (late, normal) = (cause.lateCalls, cause.normalCalls)
      guard normal > 0 else {
        self = .new
        return
      }
      guard late > 0 else {
        self = .slower(Double(cause.lateTime) / Double(max(cause.normalTime, 1)))
        return
      }
      let lateCost = Double(cause.lateTime) / late
      let normalCost = Double(cause.normalTime) / normal
      let byCalls = (late - normal) * (lateCost + normalCost)
      let byCost = (lateCost - normalCost) * (late + normal)
      if byCost >= byCalls {
        self = .slower(lateCost / max(normalCost, 1))
      } else {
        self = normal < 0.5 ? .rare : .moreCalls(late / normal)
      }
    }
  }

  /// The word of the column "why". A lock that another thread has is the reason, whatever it does.
  func label(of cause: Cause) -> String {
    if cause.link == .lock, cause.kind == .span || cause.kind == .folded { return "lock wait" }
    return switch self {
    case .slower(let factor): Figure.factor(factor) + " slower"
    case .moreCalls(let factor): Figure.factor(factor) + " calls"
    case .new: "new"
    case .rare: "rare"
    case .noSpan: "no span"
    case .preempted: "preempted"
    case .blocked: "waits"
    case .queued: "queued"
    case .backlog: "backlog"
    case .other: ""
    }
  }

  /// The word of the JSON and of a block's title.
  var word: String {
    switch self {
    case .slower: "slower"
    case .moreCalls: "more calls"
    case .new: "new"
    case .rare: "rare"
    case .noSpan: "no span"
    case .preempted: "preempted"
    case .blocked: "blocked"
    case .queued: "queued"
    case .backlog: "backlog"
    case .other: "other"
    }
  }

  var factor: Double? {
    switch self {
    case .slower(let factor), .moreCalls(let factor): factor
    default: nil
    }
  }
}
