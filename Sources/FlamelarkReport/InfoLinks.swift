internal import FlamelarkTrace

/// Tasks, waits and links of a trace, added up.
struct InfoLinks {
  /// The tasks whose first spans have one name.
  struct TaskGroup {
    let name: String
    var rows = 0
    var spans = 0
    /// The time in spans that have no span around them.
    var busy: Int64 = 0
    /// Spans that ended on another thread than they began on.
    var hops = 0
    /// Spans of which both threads are known.
    var known = 0
  }

  /// Waits of one kind for things of one name.
  struct WaitGroup {
    let kind: Trace.Wait.Kind
    let name: String
    var count = 0
    var time: Int64 = 0
    var longest: Int64 = 0
    /// Nobody knows who ended them.
    var withoutEnder = 0
    /// What was waited for had ended before.
    var unblocked = 0
    /// Different things that were waited for, as far as they are told apart.
    var resources: Set<UInt64> = []
  }

  /// Links of one name.
  struct FlowGroup {
    let name: String
    var count = 0
    var ends = 0
    var withoutBegin = 0
    var withoutEnd = 0
  }

  /// Most rows first.
  let tasks: [TaskGroup]
  /// Most time first.
  let waits: [WaitGroup]
  /// Most links first.
  let flows: [FlowGroup]
  /// The threads on which spans of tasks began or ended.
  let threads: Set<Int>
  /// For each row, how many of its spans ended on another thread.
  let hopsOfRow: [Int: Int]

  /// Looks through a trace. `rows` are those of all its tracks. O(spans of tasks, waits and links).
  init(of trace: Trace, rows: [InfoReport.Row]) {
    var hops: [Int: Int] = [:]
    var known: [Int: Int] = [:]
    var threads: Set<Int> = []
    var row = 0
    for ends in trace.taskSpans {
      while row < trace.tracks.count - 1, trace.tracks[row].spans.upperBound <= ends.span {
        row += 1
      }
      threads.formUnion([ends.begin, ends.end].compactMap { $0 })
      guard let begin = ends.begin, let end = ends.end else { continue }
      known[row, default: 0] += 1
      if begin != end { hops[row, default: 0] += 1 }
    }
    self.threads = threads
    hopsOfRow = hops

    var tasks = Grouped<String, TaskGroup>()
    for (index, row) in rows.enumerated() where row.track.kind == .task {
      let name =
        row.track.spans.isEmpty ? row.track.name : trace.name(ofSpan: row.track.spans.lowerBound)
      tasks.change(name, or: TaskGroup(name: name)) { group in
        group.rows += 1
        group.spans += row.track.spans.count
        group.busy &+= row.busy
        group.hops += hops[index] ?? 0
        group.known += known[index] ?? 0
      }
    }
    self.tasks = tasks.groups.sorted { ($1.rows, $0.name) < ($0.rows, $1.name) }

    var waits = Grouped<String, WaitGroup>()
    for wait in trace.waits {
      let name = trace.name(ofSpan: wait.span)
      let (start, end) = (trace.spans.start[wait.span], trace.spans.end[wait.span])
      waits.change(
        "\(wait.kind.rawValue) \(name)", or: WaitGroup(kind: wait.kind, name: name)
      ) { group in
        group.count += 1
        group.time &+= end &- start
        group.longest = max(group.longest, end &- start)
        if wait.endedByTrack == nil, wait.endedByTask == nil { group.withoutEnder += 1 }
        if let time = wait.endedAt, time < start { group.unblocked += 1 }
        if wait.resource != 0 { group.resources.insert(wait.resource) }
      }
    }
    self.waits = waits.groups.sorted {
      ($1.time, $0.kind.rawValue, $0.name) < ($0.time, $1.kind.rawValue, $1.name)
    }

    var flows = Grouped<String, FlowGroup>()
    for flow in trace.flows {
      guard let site = (flow.begin ?? flow.ends.first)?.site else { continue }
      let name = trace.names[trace.callSites[Int(site.index)].name]
      flows.change(name, or: FlowGroup(name: name)) { group in
        group.count += 1
        group.ends += flow.ends.count
        if flow.begin == nil { group.withoutBegin += 1 }
        if flow.ends.isEmpty { group.withoutEnd += 1 }
      }
    }
    self.flows = flows.groups.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }
}

/// Groups by a key, in the order in which they come up.
private struct Grouped<Key: Hashable, Group> {
  private(set) var groups: [Group] = []
  private var places: [Key: Int] = [:]

  mutating func change(_ key: Key, or new: Group, _ change: (inout Group) -> Void) {
    let place = places[key] ?? groups.count
    if place == groups.count {
      places[key] = place
      groups.append(new)
    }
    change(&groups[place])
  }
}
