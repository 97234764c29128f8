import FlamelarkTrace
import _FlamelarkTestSupport

/// A trace with random spans: touching siblings, equal begins and ends, recursion, zero and 1 ns
/// durations, and lanes.
struct RandomTrace {
  var trace = Trace()
  private var random: SeededGenerator
  private static let names = ["update", "draw", "f", "g", "Profile", "naïve \"x\"\n", "名"]

  init(seed: UInt64, rows: Int = 3, spansPerRow: Int = 60) {
    random = SeededGenerator(seed: seed)
    for name in Self.names {
      trace.callSites.append(
        Trace.CallSite(
          name: trace.names.intern(name), file: trace.names.intern("A.swift"), line: 7))
    }
    for row in 0..<rows {
      let first = trace.spans.count
      fillRow(count: spansPerRow)
      trace.tracks.append(
        Trace.Track(
          kind: row == rows - 1 ? .lane : .thread, name: "row \(row)", processID: 40,
          threadID: row == rows - 1 ? 40 : Int64(40 + row), spans: first..<trace.spans.count))
    }
    trace.range = 0..<(trace.spans.end.max() ?? 0)
  }

  /// Spans one after another at each depth; every step is small, so that times often coincide.
  mutating func fillRow(count: Int) {
    // What is open: its index, its end, and how far its inside is filled.
    var open: [(span: Int, end: Int64, filled: Int64)] = []
    var time: Int64 = 0
    let first = trace.spans.count
    while trace.spans.count - first < count {
      if let top = open.last, Int.random(in: 0..<4, using: &random) == 0 || top.filled > top.end {
        open.removeLast()
        continue
      }
      let from = open.last?.filled ?? time
      let start = from + pick([0, 0, 0, 1, 3])
      let longest = open.last.map { $0.end - start } ?? 40
      guard longest >= 0 else {
        open.removeLast()
        continue
      }
      let duration = pick([0, 1, longest, Int64.random(in: 0...longest, using: &random)])
      let end = start + min(duration, longest)
      let parent = open.last.map { UInt32($0.span) } ?? Trace.Spans.none
      trace.spans.append(
        start: start, end: end,
        site: CallSiteID(UInt32(Int.random(in: 0..<Self.names.count, using: &random))),
        parent: parent)
      if open.isEmpty { time = end } else { open[open.count - 1].filled = end }
      open.append((trace.spans.count - 1, end, start))
    }
  }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  /// Frames one after another on the first row; spans cross some of their edges.
  mutating func addFrames(length: Int64) {
    var series = Trace.FrameSeries(name: "game", mode: .marks)
    var time: Int64 = 0
    while time < trace.range.upperBound {
      var frame = Trace.Frame(number: series.frames.count, timestamp: time, track: 0)
      frame.end = time + length
      series.frames.append(frame)
      time += length
    }
    trace.frameSeries = [series]
  }
}

/// A span as trees are compared: by depth, name and times.
struct TreeSpan: Equatable, CustomStringConvertible {
  var depth: Int
  var name: String
  var start: Int64
  var end: Int64

  var description: String { "\(depth) \(name) \(start)..<\(end)" }
}

extension Trace {
  /// The spans of a row.
  func treeSpans(ofTrack track: Int) -> [TreeSpan] {
    tracks[track].spans.map { span in
      TreeSpan(
        depth: depth(ofSpan: span), name: name(ofSpan: span), start: spans.start[span],
        end: spans.end[span])
    }
  }
}

extension [TreeSpan] {
  /// What is left by rule 4 of the exporters: no zero durations, no end where another begins.
  ///
  /// `frames` are scopes that begin there too.
  func afterRuleFour(frames: [Range<Int64>] = []) -> [TreeSpan] {
    let begins = Set(filter { $0.start < $0.end }.map(\.start) + frames.map(\.lowerBound))
    var result: [TreeSpan] = []
    // Which of the spans around are left.
    var around: [(depth: Int, isLeft: Bool)] = []
    for span in self {
      while let last = around.last, last.depth >= span.depth { around.removeLast() }
      var left = span
      left.depth = around.filter(\.isLeft).count
      if begins.contains(span.end) { left.end -= 1 }
      let isLeft = left.end > left.start
      around.append((span.depth, isLeft))
      if isLeft { result.append(left) }
    }
    return result
  }

  /// Without the scopes of this name, one depth less inside of them.
  func removing(_ name: String) -> [TreeSpan] {
    var result: [TreeSpan] = []
    var around: [(depth: Int, isRemoved: Bool)] = []
    for span in self {
      while let last = around.last, last.depth >= span.depth { around.removeLast() }
      let isRemoved = span.name == name
      if !isRemoved {
        var left = span
        left.depth -= around.filter(\.isRemoved).count
        result.append(left)
      }
      around.append((span.depth, isRemoved))
    }
    return result
  }

  /// With times from the first begin.
  func rebased() -> [TreeSpan] {
    let zero = map(\.start).min() ?? 0
    return map {
      TreeSpan(depth: $0.depth, name: $0.name, start: $0.start - zero, end: $0.end - zero)
    }
  }
}
