/// Goes through the frames of a series in the order of their numbers and says how late each was
/// shown. Times are nanoseconds of one clock.
///
/// With A the time at which a frame was shown, j the one shown before it, T* and P* target and
/// interval of the first frame asked for after j, shown or not, a frame is late by
///
///     max(0, A − max(T*, Aⱼ + P*))
///
/// P* is the interval, or the time from the target before to T* if that is less: then targets lie several
/// intervals ahead.
///
/// So a stall counts once, a dropped frame is the delay of its place, and where every frame is as
/// late as the one before it, only the first is a hitch.
package struct ShownFrames: Sendable {
  /// What became of a frame.
  package enum Outcome: Sendable, Equatable {
    case presented(Int64)
    case discarded
    /// Nobody said. It is taken for shown when it was due: that makes no hitch where none was.
    case untold
  }

  /// What is known of a frame.
  package struct Frame: Sendable {
    package var target: Int64
    package var interval: Int64
    /// It is not the time from the timestamp to the target, but was said apart.
    package var isOwnInterval: Bool
    package var outcome: Outcome
    /// Nothing before it says when it should have been shown.
    package var beginsSegment: Bool
    /// No frame was wanted between the one before it and this one.
    package var followsRest: Bool
    /// It was asked for, for all that was said.
    package var isRequested: Bool

    package init(
      target: Int64, interval: Int64, outcome: Outcome, beginsSegment: Bool = false,
      followsRest: Bool = false, isRequested: Bool = true,
      isOwnInterval: Bool = false
    ) {
      self.target = target
      self.interval = interval
      self.outcome = outcome
      self.beginsSegment = beginsSegment
      self.followsRest = followsRest
      self.isRequested = isRequested
      self.isOwnInterval = isOwnInterval
    }
  }

  /// What follows for a frame that was shown behind another.
  package struct Verdict: Sendable, Equatable {
    /// By how much it was late, 0 within the tolerance.
    package var lateness: Int64
    /// When it should have been shown: max(T*, Aⱼ + P*).
    package var due: Int64
    /// Its own target, T*.
    package var target: Int64
    /// The interval P*.
    package var slot: Int64
    /// How many frames before it the one is whose place it took: 0 if none was dropped.
    package var placesBack: Int
    /// The time since the last one was shown, as far as frames were asked for. Not below `lateness`.
    package var activeTime: Int64
    /// The rest of the time since the last one was shown.
    package var idleTime: Int64
  }

  /// When the last frame was shown, or should have been; nil at the beginning of a segment.
  private var shown: Int64?
  /// From when on time counts as active: since the last frame that was really shown, or since then
  /// without the rest.
  private var activeFrom: Int64 = 0
  /// Target and interval of the first frame asked for after the one shown last.
  private var due: Due?
  private var placesBack = 0
  /// The target of the last frame that was asked for, nil at the beginning of a segment.
  private var lastTarget: Int64?
  /// Targets nearer to each other are of one place.
  private static let leastSlot: Int64 = 1_000_000
  private var rested = false
  private var idleTime: Int64 = 0

  /// The place of a frame.
  private struct Due {
    var target: Int64
    /// How long after the frame before it.
    var slot: Int64
    /// What it may take, of which its tolerance is a part.
    var interval: Int64
  }

  package init() {}

  /// Takes in the next frame.
  ///
  /// - Returns: nil if no lateness is told of it: it was not shown, or nobody said that, or nobody
  ///   asked for it, or it is the first shown one of its segment.
  package mutating func add(_ frame: Frame) -> Verdict? {
    if frame.beginsSegment { self = ShownFrames() }
    if frame.followsRest || !frame.isRequested {
      // What was dropped before is not waited for any more.
      due = nil
      rested = true
    }
    guard frame.isRequested else {
      if shown != nil, case .presented(let time) = frame.outcome { show(at: time) }
      return nil
    }
    let due = noteDue(of: frame)
    switch frame.outcome {
    case .discarded: return nil
    case .untold:
      shown = shown.map { max(due.target, $0 + due.slot).clamped }
      self.due = nil
      return nil
    case .presented(let time): return present(at: time.clamped, due: due)
    }
  }

  private mutating func noteDue(of frame: Frame) -> Due {
    if let due {
      placesBack += 1
      lastTarget = frame.target.clamped
      return due
    }
    let new = Due(
      target: frame.target.clamped, slot: slot(of: frame), interval: max(0, frame.interval.clamped))
    due = new
    placesBack = 0
    if rested, shown != nil {
      let from = max(activeFrom, new.target - new.slot)
      idleTime += from - activeFrom
      activeFrom = from
    }
    rested = false
    return new
  }

  /// How long a frame is shown: to its target from that of the frame before, and no longer than it may
  /// take. Where frames are begun two intervals ahead of their targets, it is one of them.
  private mutating func slot(of frame: Frame) -> Int64 {
    let target = frame.target.clamped
    let interval = max(0, frame.interval.clamped)
    defer { lastTarget = target }
    guard !frame.isOwnInterval, let lastTarget, target - lastTarget >= Self.leastSlot else {
      return interval
    }
    return min(interval, target - lastTarget)
  }

  private mutating func present(
    at time: Int64, due: Due
  ) -> Verdict? {
    self.due = nil
    guard let before = shown else {
      (shown, activeFrom, idleTime) = (time, time, 0)
      return nil
    }
    let expected = max(due.target, before + due.slot, activeFrom)
    let verdict = Verdict(
      lateness: Lateness.lateness(end: time, target: expected, interval: due.interval),
      due: expected, target: due.target, slot: due.slot, placesBack: placesBack,
      activeTime: max(0, time - activeFrom),
      idleTime: idleTime)
    idleTime = 0
    show(at: time)
    activeFrom = max(activeFrom, time)
    return verdict
  }

  /// Nothing is shown before what was shown before it.
  private mutating func show(at time: Int64) { shown = max(activeFrom, time.clamped) }
}

extension Int64 {
  /// The nearest of the plausible times.
  fileprivate var clamped: Int64 {
    let times = Lateness.plausibleTimes
    return Swift.min(Swift.max(self, times.lowerBound), times.upperBound)
  }
}
