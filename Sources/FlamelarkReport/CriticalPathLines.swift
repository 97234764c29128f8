internal import FlamelarkAnalysis

/// The critical path of a hitch as lines: short steps are drawn together until it fits a screen.
struct CriticalPathLines {
  /// A line: one step, or several that follow each other.
  struct Line {
    var steps: Range<Int>
    var range: Range<Int64>
    /// The row of all its steps, nil: they are on several.
    var track: Int?
    var kind: Cause.Kind
    /// What the paths of its steps have in common.
    var path: [String]
    var hops: Int
    var link: CriticalLink?
    var earlierFrame: Int?
    var isShort = false

    init(_ step: CriticalStep, at index: Int) {
      steps = index..<index + 1
      range = step.range
      track = step.track
      kind = step.kind
      path = step.path
      hops = step.hops
      link = step.link
      earlierFrame = step.earlierFrame
    }

    var duration: Int64 { range.upperBound - range.lowerBound }

    /// Whether it is on the same row for the same frame.
    func goesOn(with other: Line) -> Bool {
      track == other.track && hops == other.hops && link == other.link
        && earlierFrame == other.earlierFrame
    }

    mutating func take(in next: Line) {
      let isEqual = kind == next.kind && path == next.path && goesOn(with: next)
      steps = steps.lowerBound..<next.steps.upperBound
      range = range.lowerBound..<next.range.upperBound
      guard !isEqual else { return }
      isShort = true
      if track == next.track {
        path = Array(zip(path, next.path).prefix { $0 == $1 }.map(\.0))
      } else {
        track = nil
        path = []
      }
      hops = min(hops, next.hops)
      if earlierFrame != next.earlierFrame { earlierFrame = nil }
      kind = .span
    }
  }

  /// The lines, in the order of time.
  let lines: [Line]

  /// At most `most` lines, if drawing together makes that possible; nil: one for each step.
  init(_ steps: [CriticalStep], most: Int?) {
    let all = steps.enumerated().map { Line($0.element, at: $0.offset) }
    guard let most else {
      lines = all
      return
    }
    // A span that goes on behind a shorter one is two steps; alone it is one line.
    let whole = Self.joined(all) { $0.goesOn(with: $1) && $0.kind == $1.kind && $0.path == $1.path }
    guard whole.count > most else {
      lines = whole
      return
    }
    let durations = whole.map(\.duration).sorted()
    for staysOnRow in [true, false] {
      func lines(below limit: Int64) -> [Line] {
        Self.joined(whole) {
          $0.duration <= limit && $1.duration <= limit && (!staysOnRow || $0.goesOn(with: $1))
        }
      }
      // The least limit with which it fits: with a greater one there are no more lines.
      var (low, high) = (0, durations.count - 1)
      guard lines(below: durations[high]).count <= most || !staysOnRow else { continue }
      while low < high {
        let middle = (low + high) / 2
        if lines(below: durations[middle]).count <= most { high = middle } else { low = middle + 1 }
      }
      self.lines = lines(below: durations[low])
      return
    }
    lines = whole
  }

  /// The lines with each run of neighbours that belong together as one. Asked are single lines.
  private static func joined(_ lines: [Line], where belong: (Line, Line) -> Bool) -> [Line] {
    var result: [Line] = []
    for (index, line) in lines.enumerated() {
      if index > 0, belong(lines[index - 1], line) {
        result[result.count - 1].take(in: line)
      } else {
        result.append(line)
      }
    }
    return result
  }
}
