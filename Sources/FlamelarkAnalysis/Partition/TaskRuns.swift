internal import FlamelarkTrace

/// On which threads tasks were seen to run, and their own rows.
struct TaskRuns: Sendable {
  /// One task.
  struct Task: Sendable {
    /// Its rows, ascending.
    var rows: [Int] = []
    /// From when to when a thread was last seen to run it, in the order of time.
    var runs: [Run] = []
    /// Where it was asked for, if a link ends in it.
    var origin: Hop?
  }

  /// A thread from the moment at which it was seen to run a task to that at which it ran another.
  struct Run: Sendable {
    var row: Int
    var range: Range<Int64>
  }

  private(set) var tasks: [Task] = []
  private var indexOf: [UInt64: Int] = [:]
  /// The changes of each thread: when, and to which of ``tasks``; -1: none.
  private var changes: [[(time: Int64, task: Int)]]

  /// O(changes · log changes).
  init(of trace: Trace) {
    changes = Array(repeating: [], count: trace.taskChanges.isEmpty ? 0 : trace.tracks.count)
    for task in trace.tasks { tasks[index(of: task.id)].rows.append(task.track) }
    for (place, change) in trace.taskChanges.enumerated() {
      let next = place + 1 < trace.taskChanges.count ? trace.taskChanges[place + 1] : nil
      let task = change.task.map { index(of: $0) } ?? -1
      changes[change.track].append((change.time, task))
      guard task >= 0 else { continue }
      let end = next?.track == change.track ? next?.time ?? .max : .max
      tasks[task].runs.append(Run(row: change.track, range: change.time..<max(change.time, end)))
    }
    for task in tasks.indices {
      tasks[task].runs.sort {
        ($0.range.lowerBound, $0.row) < ($1.range.lowerBound, $1.row)
      }
      // A task runs on one thread: where it was seen next, it no longer ran on the one before.
      for run in tasks[task].runs.indices.dropLast() {
        let (this, next) = (tasks[task].runs[run].range, tasks[task].runs[run + 1].range.lowerBound)
        tasks[task].runs[run].range =
          this.lowerBound..<max(this.lowerBound, min(this.upperBound, next))
      }
    }
    for flow in trace.flows {
      guard let begin = flow.begin else { continue }
      for end in flow.ends where begin.time < end.time {
        guard let id = end.task, let task = indexOf[id], tasks[task].origin == nil else { continue }
        tasks[task].origin = Hop(
          target: begin.task.flatMap { find($0) }.map { .task($0) } ?? .row(begin.track),
          link: .flow, end: begin.time)
      }
    }
  }

  var isEmpty: Bool { tasks.isEmpty }

  /// A task that has a row or was seen on a thread, nil if it hasn't been.
  func find(_ id: UInt64) -> Int? { indexOf[id] }

  /// Which task a thread ran at a time, and until when that is so. O(log changes).
  func task(on row: Int, at time: Int64) -> (task: Int?, until: Int64) {
    guard row < changes.count else { return (nil, .max) }
    let list = changes[row]
    let next = list.partitionPoint { $0.time <= time }
    let until = next < list.count ? list[next].time : .max
    guard next > 0, list[next - 1].task >= 0 else { return (nil, until) }
    return (list[next - 1].task, until)
  }

  /// The thread on which a task ran up to a time, else its own row.
  func row(of task: Int, at time: Int64) -> Int? {
    let own = tasks[task]
    let next = own.runs.partitionPoint { $0.range.lowerBound < time }
    return next > 0 ? own.runs[next - 1].row : own.rows.first
  }

  private mutating func index(of id: UInt64) -> Int {
    if let known = indexOf[id] { return known }
    indexOf[id] = tasks.count
    tasks.append(Task())
    return tasks.count - 1
  }
}
