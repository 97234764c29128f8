internal import FlamelarkAnalysis

/// Frame times as a row of columns, each with as many frames as the others, of which the worst is shown:
/// a late frame is never lost among others.
struct FrameColumns {
  /// Some frames one behind the other.
  struct Column {
    /// The latest; if none is late, the longest; of equals the first.
    var worst: FrameTime
    var firstFrame: Int
    /// When the time of its first frame begins.
    var start: Int64
    var frames: Int
  }

  let columns: [Column]
  /// How many frames a column has; the last one may have fewer.
  let framesEach: Int
  /// The frame time of a column of full height, in nanoseconds. What is longer is cut off.
  let height: Int64
  /// Whether something is cut off.
  let isCut: Bool

  /// Some columns at most.
  init(_ times: [FrameTime], most: Int) {
    let each = max(1, (times.count + most - 1) / max(1, most))
    var columns: [Column] = []
    var longest: Int64 = 0
    var interval: Int64 = 0
    for (index, frame) in times.enumerated() {
      longest = max(longest, frame.duration)
      interval = max(interval, frame.interval)
      if index % each == 0 {
        columns.append(
          Column(worst: frame, firstFrame: frame.number, start: frame.start, frames: 0))
      }
      let last = columns.count - 1
      columns[last].frames += 1
      let worst = columns[last].worst
      if (worst.lateness, worst.duration) < (frame.lateness, frame.duration) {
        columns[last].worst = frame
      }
    }
    self.columns = columns
    framesEach = each
    // One frozen frame would make all others look alike.
    // And where all are in time, that is to be seen: then there is room above them.
    func intervals(_ factor: Int64) -> Int64 {
      let (product, overflow) = interval.multipliedReportingOverflow(by: factor)
      return overflow ? .max : product
    }
    height = max(1, min(max(longest, intervals(2)), intervals(3)))
    isCut = longest > height
  }

  private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// A block for each column, eight levels high.
  func bars(style: TextStyle) -> String {
    var text = ""
    var run = ""
    var isLate = false
    func flush() { text += isLate ? style.red(run) : run }
    for column in columns {
      let part = Double(column.worst.duration) / Double(height) * 8
      let level = part >= 8 ? 8 : max(1, Int(part.rounded(.up)))
      if (column.worst.lateness > 0) != isLate {
        flush()
        run = ""
        isLate.toggle()
      }
      run.append(Self.blocks[level - 1])
    }
    flush()
    return text
  }

  /// A mark under each column with a late frame; nil if there is none.
  var marks: String? {
    guard columns.contains(where: { $0.worst.lateness > 0 }) else { return nil }
    return withoutTrailingSpaces(
      String(columns.map { $0.worst.lateness > 0 ? "^" as Character : " " }))
  }
}
