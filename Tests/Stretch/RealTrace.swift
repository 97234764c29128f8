import FlamelarkAnalysis
import FlamelarkInterchange
import FlamelarkTrace

/// A trace of another tool, what its frames are, and the spans in them that may be made longer.
///
/// A frame may take as long as the highest usual rate allows at which at least 85 % of the frames
/// are in time. A span may be made longer if it lies in a frame that is in time, is not the frame
/// itself, takes more than 0, and its path occurs in at least half of the frames that are in time.
struct RealTrace {
  /// Spans of one path in one frame.
  struct Place {
    /// The number of the frame.
    let frame: Int
    let spans: [Int]
  }

  let name: String
  let trace: Trace
  let frames: String
  /// Frames a second.
  let rate: Double
  let judged: JudgedFrames
  let track: Int
  /// Paths of span names, from the outermost on the thread on; a name that comes again leads back
  /// to where it stood.
  private(set) var paths: [[String]] = []
  /// Where each path is that occurs often enough, by the frames.
  private(set) var places: [(path: Int, places: [Place])] = []

  static let rates = [
    240.0, 165, 144, 120, 100, 90, 75, 60, 50, 48, 40, 30, 25, 24, 20, 15, 12, 10, 8, 6, 5, 4, 3, 2,
    1,
  ]
  private static let leastFrames = 100

  /// nil: it has too few frames, no rate fits, or nothing in them may be made longer.
  ///
  /// `frames` names them; nil: as the trace itself says.
  init?(_ trace: Trace, name: String, frames wanted: String?) {
    var series = wanted.flatMap { trace.frames(named: $0, refresh: nil) }
    if wanted == nil, case .series(let clear) = trace.chooseFrames() { series = clear }
    guard let series, series.frames.count >= Self.leastFrames, let first = series.frames.first,
      let rate = Self.rates.first(where: { Self.fits($0, series, trace) }),
      let timed = trace.frames(named: series.name, refresh: Self.interval(rate))
    else { return nil }
    self.name = name
    self.trace = trace
    self.rate = rate
    frames = series.name
    judged = JudgedFrames(of: timed, in: trace, refresh: Self.interval(rate))
    track = first.track
    findPlaces()
    if places.isEmpty { return nil }
  }

  static func interval(_ rate: Double) -> Int64 { Int64((1e9 / rate).rounded()) }

  private static func fits(_ rate: Double, _ series: Trace.FrameSeries, _ trace: Trace) -> Bool {
    guard let timed = trace.frames(named: series.name, refresh: interval(rate)) else {
      return false
    }
    let judged = JudgedFrames(of: timed, in: trace, refresh: interval(rate))
    let inTime = judged.frames.count { $0.isCountable && $0.lateness == 0 }
    return inTime * 100 >= judged.frames.count * 85
  }

  private mutating func findPlaces() {
    let pathOfSpan = findPaths()
    let row = trace.tracks[track].spans
    var found: [Int: [Place]] = [:]
    var inTime = 0
    for frame in judged.frames
    where frame.isCountable && !frame.isIdle && frame.lateness == 0 && !frame.window.isEmpty {
      inTime += 1
      let own = judged.series.frames[frame.number].span
      var spans: [Int: [Int]] = [:]
      var span = firstSpan(of: row, from: frame.window.lowerBound)
      while span < row.upperBound, trace.spans.start[span] < frame.window.upperBound {
        let (start, end) = (trace.spans.start[span], trace.spans.end[span])
        if span != own, start < end, end < frame.window.upperBound || own != nil {
          spans[pathOfSpan[span - row.lowerBound], default: []].append(span)
        }
        span += 1
      }
      for (path, spans) in spans {
        found[path, default: []].append(Place(frame: frame.number, spans: spans))
      }
    }
    places = found.filter { $0.value.count * 2 >= inTime }.sorted { $0.key < $1.key }.map {
      ($0.key, $0.value)
    }
  }

  private func firstSpan(of row: Range<Int>, from time: Int64) -> Int {
    var (low, high) = (row.lowerBound, row.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if trace.spans.start[middle] < time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The path of each span of the row.
  private mutating func findPaths() -> [Int] {
    var known: [[String]: Int] = [:]
    var result: [Int] = []
    let row = trace.tracks[track].spans
    for span in row {
      let parent = trace.spans.parent[span]
      var path = parent == Trace.Spans.none ? [] : paths[result[Int(parent) - row.lowerBound]]
      let name = trace.name(ofSpan: span)
      if let place = path.firstIndex(of: name) {
        path.removeSubrange((place + 1)...)
      } else {
        path.append(name)
      }
      let index = known[path] ?? paths.count
      if index == paths.count {
        known[path] = index
        paths.append(path)
      }
      result.append(index)
    }
    return result
  }
}
