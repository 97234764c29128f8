internal import FlamelarkAnalysis
public import FlamelarkTrace

/// What is in a trace, for `flamelark info`.
public struct InfoReport: Sendable {
  let file: String
  let trace: Trace
  let threads: [Row]
  let markers: [Group]
  let activities: [Group]
  let stages: [StageGroup]
  /// What could be frames, if the trace has none of its own.
  let candidates: [FrameCandidate]

  /// What a thread or lane holds.
  struct Row: Sendable {
    let track: Trace.Track
    /// The time in spans that have no span around them.
    let busy: Int64
    /// The greatest number of spans open at once.
    let depth: Int
  }

  /// Things of one name.
  struct Group: Sendable {
    let name: String
    var count = 0
    var first: Int64
    var time: Int64 = 0
    var unfinished = 0
  }

  /// Looks through a trace. `file` is its name, for the header. O(spans).
  public init(of trace: Trace, file: String) {
    self.file = file
    self.trace = trace
    candidates = trace.frameSeries.isEmpty ? trace.frameCandidates() : []
    threads = trace.tracks.map { Row(track: $0, in: trace) }
    stages = Self.stageGroups(of: trace)
    markers = Self.groups(trace.markers) { marker in
      (trace.names[trace.callSites[Int(marker.site.index)].name], marker.time..<marker.time, false)
    }
    activities = Self.groups(trace.activities) { activity in
      (trace.names[activity.name], activity.range, activity.isUnfinished)
    }
  }

  private static func groups<Element>(
    _ elements: [Element], _ read: (Element) -> (String, Range<Int64>, Bool)
  ) -> [Group] {
    var groups: [Group] = []
    var indices: [String: Int] = [:]
    for element in elements {
      let (name, range, isUnfinished) = read(element)
      let index = indices[name] ?? groups.count
      if index == groups.count {
        indices[name] = index
        groups.append(Group(name: name, first: range.lowerBound))
      }
      groups[index].count += 1
      groups[index].first = min(groups[index].first, range.lowerBound)
      groups[index].time &+= range.upperBound &- range.lowerBound
      groups[index].unfinished += isUnfinished ? 1 : 0
    }
    return groups.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }
}

extension InfoReport.Row {
  init(track: Trace.Track, in trace: Trace) {
    // Times come from files that anybody may have written: they wrap rather than stop us.
    var busy: Int64 = 0
    var deepest = 0
    var open: [UInt32] = []
    for span in track.spans {
      let parent = trace.spans.parent[span]
      while let last = open.last, last != parent { open.removeLast() }
      if open.isEmpty { busy &+= trace.spans.end[span] &- trace.spans.start[span] }
      open.append(UInt32(span))
      deepest = max(deepest, open.count)
    }
    self.track = track
    self.busy = busy
    self.depth = deepest
  }
}
