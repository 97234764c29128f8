import FlamelarkTrace
import _FlamelarkTestSupport

/// A random trace of a few rows that wait for each other, in circles too.
struct LinkedTrace {
  private var random: SeededGenerator
  /// Neither links nor stages nor tasks.
  private let hasOnlyWaits: Bool
  private var rows = 0
  private var waits: [Trace.Wait] = []
  private static let length: Int64 = 400

  init(seed: UInt64, hasOnlyWaits: Bool = false) {
    random = SeededGenerator(seed: seed)
    self.hasOnlyWaits = hasOnlyWaits
  }

  func build() throws -> Trace {
    var copy = self
    return try copy.made()
  }

  private mutating func made() throws -> Trace {
    rows = .random(in: 2...5, using: &random)
    var builder = TraceBuilder()
    for row in 0..<rows { addRow("row \(row)", to: &builder) }
    let isPresented = !hasOnlyWaits && Bool.random(using: &random)
    if isPresented { addShown(to: &builder) } else { addMarks(to: &builder) }
    var trace = try builder.build()
    trace.waits = waits
    addStates(to: &trace)
    if !hasOnlyWaits {
      addFlows(to: &trace)
      addTasks(to: &trace)
      if isPresented { addStages(to: &trace) }
    }
    // In milliseconds frames can be late.
    if !hasOnlyWaits { trace.scale(by: 1_000_000) }
    try trace.checkInvariants()
    return trace
  }

  private mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    .random(in: range, using: &random)
  }

  private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

  private mutating func addRow(_ name: String, to builder: inout TraceBuilder) {
    builder.track(name)
    builder.pass(number(0...20))
    while builder.now < Self.length {
      addSpan(to: &builder, depth: 0)
      builder.pass(number(0...12))
    }
  }

  private mutating func addSpan(to builder: inout TraceBuilder, depth: Int) {
    let name = ["a", "b", "c", "lock"].randomElement(using: &random) ?? "a"
    builder.span(name) { builder in
      let index = builder.lastSpan
      let start = builder.now
      for _ in 0..<number(0...(depth < 3 ? 2 : 0)) {
        builder.pass(number(0...5))
        addSpan(to: &builder, depth: depth + 1)
      }
      builder.pass(number(0...20))
      guard chance(3) else { return }
      var wait = Trace.Wait(
        span: index, kind: Trace.Wait.Kind.allCases.randomElement(using: &random) ?? .lock,
        resource: 0)
      if !chance(4) { wait.endedByTrack = .random(in: 0..<rows, using: &random) }
      if !chance(3) { wait.endedAt = number(start - 3...builder.now + 3) }
      waits.append(wait)
    }
    waits.sort { $0.span < $1.span }
  }

  private mutating func addMarks(to builder: inout TraceBuilder) {
    var times: [Int64] = [0]
    while times[times.count - 1] < Self.length {
      times.append(times[times.count - 1] + (chance(4) ? number(9...40) : number(4...9)))
    }
    builder.marks("game", at: times, refresh: 8)
  }

  private mutating func addShown(to builder: inout TraceBuilder) {
    var frames: [Trace.Frame] = []
    var (begin, shown): (Int64, Int64) = (0, 0)
    while begin < Self.length {
      let end = begin + number(1...14)
      var frame = Trace.Frame.displayLink(
        at: begin, target: begin + 16, end: end, track: chance(9) ? 1 : 0)
      shown = max(shown + 1, end + number(0...30))
      if chance(8) { frame.isDiscarded = true } else if !chance(8) { frame.presented = shown }
      if chance(15) { frame.beginsSegment = true }
      frames.append(frame)
      begin = max(begin + 8, chance(3) ? end : 0)
    }
    builder.frames("screen", mode: .presented, frames)
  }

  private mutating func addStates(to trace: inout Trace) {
    for row in 0..<rows where !chance(3) {
      var time = number(-10...20)
      while time < Self.length {
        var state = Trace.ThreadState(
          track: row, kind: Bool.random(using: &random) ? .blocked : .preempted,
          range: time..<time + number(1...20))
        if chance(2) { state.wokenBy = .random(in: 0..<rows, using: &random) }
        if chance(2) { state.wokenAt = number(time - 3...state.range.upperBound + 3) }
        trace.threadStates.append(state)
        time = state.range.upperBound + number(0...40)
      }
    }
  }

  private mutating func addFlows(to trace: inout Trace) {
    for number in 0..<60 {
      let span = Int.random(in: 0..<trace.spans.count, using: &random)
      let row = trace.tracks.firstIndex { $0.spans.contains(span) } ?? 0
      let time = trace.spans.start[span]
      let site = trace.spans.site[span]
      let begin = Trace.Flow.Point(
        time: self.number(time - 20...time + 2), track: .random(in: 0..<rows, using: &random),
        site: site)
      trace.flows.append(
        Trace.Flow(
          number: UInt64(number), begin: chance(9) ? nil : begin,
          ends: [Trace.Flow.Point(time: time, track: row, site: site)]))
    }
  }

  /// Makes the last row that of a task that runs on the others.
  private mutating func addTasks(to trace: inout Trace) {
    guard rows > 2, Bool.random(using: &random) else { return }
    trace.tracks[rows - 1].kind = .task
    trace.tasks = [Trace.Task(id: 7, track: rows - 1)]
    trace.threadStates.removeAll { $0.track == rows - 1 }
    for row in 0..<rows - 1 {
      var time = number(0...50)
      while time < Self.length {
        trace.taskChanges.append(
          Trace.TaskChange(time: time, track: row, task: Bool.random(using: &random) ? 7 : nil))
        time += number(1...80)
      }
    }
    for index in trace.waits.indices where chance(4) { trace.waits[index].endedByTask = 7 }
  }

  private mutating func addStages(to trace: inout Trace) {
    let frames = trace.frameSeries[0].frames
    for span in 0..<trace.spans.count where trace.spans.parent[span] == Trace.Spans.none {
      guard chance(2) else { continue }
      let behind = frames.partitionPoint { $0.timestamp <= trace.spans.start[span] }
      guard behind > 0 else { continue }
      trace.stages.append(
        Trace.Stage(
          span: span, series: 0, frame: max(0, behind - .random(in: 1...3, using: &random)))
      )
    }
  }
}

extension Trace {
  /// Multiplies all times.
  fileprivate mutating func scale(by factor: Int64) {
    for span in 0..<spans.count {
      spans.start[span] *= factor
      spans.end[span] *= factor
    }
    for index in waits.indices { waits[index].endedAt? *= factor }
    for index in taskChanges.indices { taskChanges[index].time *= factor }
    for index in threadStates.indices {
      let state = threadStates[index]
      threadStates[index].range =
        state.range.lowerBound * factor..<state.range.upperBound * factor
      threadStates[index].wokenAt? *= factor
    }
    for index in flows.indices {
      flows[index].begin?.time *= factor
      for end in flows[index].ends.indices { flows[index].ends[end].time *= factor }
    }
    for index in frameSeries[0].frames.indices {
      let frame = frameSeries[0].frames[index]
      frameSeries[0].frames[index].timestamp = frame.timestamp * factor
      frameSeries[0].frames[index].begin = frame.begin * factor
      frameSeries[0].frames[index].target = frame.target.map { $0 * factor }
      frameSeries[0].frames[index].interval = frame.interval.map { $0 * factor }
      frameSeries[0].frames[index].end = frame.end.map { $0 * factor }
      frameSeries[0].frames[index].presented = frame.presented.map { $0 * factor }
    }
    frameSeries[0].refresh = frameSeries[0].refresh.map { $0 * factor }
    range = range.lowerBound * factor..<range.upperBound * factor
  }
}
