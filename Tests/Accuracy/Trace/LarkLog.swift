import FlamelarkFormat

/// Writes the records that the recorder would write, as `Documentation/TraceFormat.md` says. A tick is a
/// nanosecond.
struct LarkLog: EventLog {
  /// The tick of the simulation's beginning.
  static let zero: UInt64 = 2_000_000_000

  private let plan: Plan
  /// The records of each thread, in the order in which they are written, and their last ticks.
  private(set) var words: [[UInt64]] = Array(repeating: [], count: Thread.allCases.count)
  private var open: [[(role: Role, start: Int64)]] = Array(
    repeating: [], count: Thread.allCases.count)
  private(set) var lastTick = Self.zero

  init(_ plan: Plan) { self.plan = plan }

  /// The recorder's number of a thread.
  static func key(_ thread: Thread) -> UInt64 { UInt64(thread.rawValue + 1) }

  /// The call site of a span.
  static func site(_ role: Role) -> UInt32 { UInt32(role.rawValue + 1) }

  static let series: UInt32 = 1
  static let otherSeries: UInt32 = 2

  mutating func open(_ role: Role, on thread: Thread, at time: Int64) {
    open[thread.rawValue].append((role, time))
  }

  mutating func close(_ thread: Thread, at time: Int64, as kind: SpanKind) {
    guard let (role, start) = open[thread.rawValue].popLast() else {
      fatalError("a span of \(thread) ends that has not begun")
    }
    let depth = UInt64(open[thread.rawValue].count)
    let (first, duration) = (tick(start) << 8 | depth, UInt64(time - start))
    lastTick = max(lastTick, tick(time))
    func add(_ kind: EventRecord.Kind, detail: UInt16 = 0, _ rest: [UInt64]) {
      let word1 = EventRecord.word1(
        kind, id: Self.site(role), byteCount: 24 + rest.count * 8, detail: detail)
      words[thread.rawValue] += [first, word1, duration] + rest
    }
    switch kind {
    case .plain:
      words[thread.rawValue] += [first, duration << 32 | UInt64(Self.site(role))]
    case .stage(let frame):
      add(.stage, [0, UInt64(Self.series), UInt64(frame)])
    case .lock(let holder):
      add(
        .wait, detail: WaitKind.lock.rawValue,
        [0, Self.key(holder), Self.key(holder), 0, 0])
    case .signal(let other, let end):
      add(
        .wait, detail: WaitKind.semaphore.rawValue,
        [0, Self.key(other), Self.key(other), 0, tick(end)])
    }
  }

  mutating func spend(_ range: Range<Int64>, on thread: Thread, as state: ThreadState) {
    guard !range.isEmpty else { return }
    switch state {
    case .running: break
    case .preempted: addState(range, on: thread, wakeTime: 0, waker: 0, isPreempted: true)
    case .blocked(let waker):
      guard plan.hasWaitStates else { break }
      addState(
        range, on: thread, wakeTime: tick(range.upperBound), waker: Self.key(waker),
        isPreempted: false)
    }
  }

  private mutating func addState(
    _ range: Range<Int64>, on thread: Thread, wakeTime: UInt64, waker: UInt64, isPreempted: Bool
  ) {
    let word1 = EventRecord.word1(
      .threadState, id: 0, byteCount: 48, detail: isPreempted ? 1 : 0)
    words[thread.rawValue] += [
      tick(range.lowerBound) << 8, word1, UInt64(range.count), wakeTime, waker, 0,
    ]
  }

  mutating func link(_ number: Int, from role: Role, on thread: Thread, at time: Int64, ends: Bool)
  {
    words[thread.rawValue] += [
      tick(time) << 8,
      EventRecord.word1(.flow, id: Self.site(role), byteCount: 32, detail: ends ? 1 : 0),
      UInt64(number), 0,
    ]
  }

  mutating func begin(_ frame: FrameDue) {
    let interlude = plan.interludes[frame.number]?.kind
    add(interlude, to: frame.number - 1, at: frame.timestamp - 5_000, ends: true)
    var record = FrameRecord(series: Self.series, number: Int64(frame.number), mode: .displayLink)
    record.timestamp = Int64(tick(frame.timestamp))
    if frame.isTargetGiven {
      record.target = Int64(tick(frame.target))
      record.interval =
        frame.isIntervalGiven ? frame.interval : frame.target - frame.timestamp
    }
    record.begin = Int64(tick(frame.begin))
    record.beginsSegment = interlude == .pause
    add(record, on: .main)
  }

  mutating func end(_ frame: FrameTimes) {
    let number = frame.due.number
    add(.end, frame.end, ofFrame: number)
    add(plan.interludes[number + 1]?.kind, to: number, at: frame.end + 5_000, ends: false)
    if plan.cell.isPresented { add(.presented, frame.presented, ofFrame: number) }
  }

  mutating func mark(_ number: Int, on thread: Thread, at time: Int64) {
    var record = FrameRecord(series: Self.otherSeries, number: Int64(number), mode: .marks)
    record.timestamp = Int64(tick(time))
    record.interval = 50_000_000
    record.target = record.timestamp + record.interval
    record.begin = record.timestamp
    add(record, on: thread)
  }

  private mutating func add(_ record: FrameRecord, on thread: Thread) {
    let fields = record.words
    let values = [
      fields.0, fields.1, fields.2, fields.3, fields.4, fields.5, fields.6,
    ].map(UInt64.init(bitPattern:))
    words[thread.rawValue] +=
      [
        UInt64(record.begin) << 8,
        EventRecord.word1(.frame, id: record.series, byteCount: FrameRecord.byteCount),
      ] + values + [fields.7, 0, 0]
  }

  private mutating func add(_ fact: FrameFact, _ time: Int64, ofFrame number: Int) {
    lastTick = max(lastTick, tick(time))
    words[Thread.main.rawValue] += [
      tick(time) << 8,
      EventRecord.word1(.frameFact, id: Self.series, byteCount: 32, detail: fact.rawValue),
      UInt64(number), tick(time),
    ]
  }

  /// What the program says where it rests: behind frame `number`, and before the next one.
  private mutating func add(
    _ interlude: Interlude.Kind?, to number: Int, at time: Int64, ends: Bool
  ) {
    let change: SeriesChange
    switch interlude {
    case .noFrameNeeded: change = ends ? .needsFrame : .needsNoFrame
    case .pause: change = ends ? .resumed : .paused
    case .jump, nil: return
    }
    words[Thread.main.rawValue] += [
      tick(time) << 8,
      EventRecord.word1(.seriesChange, id: Self.series, byteCount: 32, detail: change.rawValue),
      UInt64(number), tick(time),
    ]
  }

  private func tick(_ time: Int64) -> UInt64 { UInt64(Int64(Self.zero) + time) }
}
