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
  case uninstrumented
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
    case .uninstrumented: self = .uninstrumented
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

  /// The word of the JSON. What is no span has the word of its kind.
  var word: String {
    switch self {
    case .slower: "slower"
    case .moreCalls: "more calls"
    case .new: "new"
    case .rare: "rare"
    case .uninstrumented: Cause.Kind.uninstrumented.rawValue
    case .preempted: Cause.Kind.preempted.rawValue
    case .blocked: Cause.Kind.blocked.rawValue
    case .queued: Cause.Kind.queued.rawValue
    case .backlog: Cause.Kind.backlog.rawValue
    case .other: Cause.Kind.other.rawValue
    }
  }

  var factor: Double? {
    switch self {
    case .slower(let factor), .moreCalls(let factor): factor
    default: nil
    }
  }
}

extension Cause {
  /// Whether another thread's lock is the reason, whatever that thread does.
  var isLockWait: Bool { link == .lock && (kind == .span || kind == .folded) }

  /// What was different, as a person reads it: `slower`, `lock wait`.
  var reasonWord: String { isLockWait ? "lock wait" : CauseReason(of: self).word }

  /// The same with how many times as much: `7.6x slower`, `9.0x calls`. Nothing where the name of the
  /// cause is the same word and would have less room for it.
  var reasonFigure: String {
    switch CauseReason(of: self) {
    case _ where isLockWait: reasonWord
    case .slower(let factor): Figure.factor(factor) + " slower"
    case .moreCalls(let factor): Figure.factor(factor) + " calls"
    case .uninstrumented, .other: ""
    default: reasonWord
    }
  }

  /// What it takes in good frames and in late ones: `3.2 -> 24.5 ms`; a dash where no good frame has it.
  var change: String {
    let isNew = normalTime == 0 && normalCalls == 0
    let normal = isNew ? "-" : Figure.milliseconds(normalTime)
    return "\(normal) -> \(Figure.milliseconds(lateTime)) ms"
  }
}
