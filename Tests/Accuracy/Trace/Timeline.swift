/// What happened in a run, as a tool that knows everything would see it: for each thread the innermost
/// span of each moment.
struct Timeline: EventLog {
  /// A time in which a thread did one thing.
  struct Segment {
    var range: Range<Int64>
    /// The innermost span.
    var path: Paths.Index
    var state: ThreadState
  }

  private(set) var segments: [[Segment]] = Array(repeating: [], count: Thread.allCases.count)
  private(set) var frames: [FrameTimes] = []
  private(set) var paths = Paths()
  private var innermost: [Paths.Index] = Array(
    repeating: Paths.root, count: Thread.allCases.count)

  mutating func open(_ role: Role, on thread: Thread, at time: Int64) {
    innermost[thread.rawValue] = paths.child(role, of: innermost[thread.rawValue])
  }

  mutating func close(_ thread: Thread, at time: Int64, as kind: SpanKind) {
    innermost[thread.rawValue] = paths.parent(of: innermost[thread.rawValue])
  }

  mutating func spend(_ range: Range<Int64>, on thread: Thread, as state: ThreadState) {
    guard !range.isEmpty else { return }
    segments[thread.rawValue].append(
      Segment(range: range, path: innermost[thread.rawValue], state: state))
  }

  func link(_ number: Int, from role: Role, on thread: Thread, at time: Int64, ends: Bool) {}

  func begin(_ frame: FrameDue) {}

  mutating func end(_ frame: FrameTimes) { frames.append(frame) }

  func mark(_ number: Int, on thread: Thread, at time: Int64) {}

  /// What a thread did in a range, in its order, cut to it. O(log segments) to the first.
  func segments(of thread: Thread, in range: Range<Int64>) -> [Segment] {
    let all = segments[thread.rawValue]
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].range.upperBound > range.lowerBound { high = middle } else { low = middle + 1 }
    }
    return all[low...].prefix { $0.range.lowerBound < range.upperBound }.map { segment in
      var segment = segment
      segment.range = segment.range.clamped(to: range)
      return segment
    }
  }
}

/// The paths of spans, each once.
struct Paths {
  typealias Index = Int

  static let root = 0

  private var parents = [root]
  private var roles: [Role?] = [nil]
  private var children: [Int: Index] = [:]

  mutating func child(_ role: Role, of parent: Index) -> Index {
    let key = parent * Role.allCases.count + role.rawValue
    if let index = children[key] { return index }
    let index = parents.count
    children[key] = index
    parents.append(parent)
    roles.append(role)
    return index
  }

  func parent(of path: Index) -> Index { parents[path] }

  /// The innermost span, nil: none.
  func role(of path: Index) -> Role? { roles[path] }

  /// The spans from the innermost one outwards.
  func outwards(from path: Index) -> [Role] {
    var result: [Role] = []
    var path = path
    while let role = roles[path] {
      result.append(role)
      path = parents[path]
    }
    return result
  }
}
