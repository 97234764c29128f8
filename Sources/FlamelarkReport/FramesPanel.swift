internal import FlamelarkAnalysis

/// The frame times of one series: in their order against their targets, and how they are distributed.
struct FramesPanel {
  let series: FrameFigures
  let file: String
  let scale: HitchScale

  static let height = 226
  private static let plotTop = 34
  private static let plotHeight = 130
  /// Of the frame times, in pixels: a column each at most.
  private static let left = 62
  private static let width = 760
  /// Of the distribution.
  private static let histogramLeft = 906
  private static let histogramWidth = 284
  private static let bins = 24

  func write(at top: Int, to svg: inout XMLText) {
    let columns = FrameColumns(series.times, most: Self.width)
    svg.label(heading, x: 10, y: top + 18, "head")
    guard !columns.columns.isEmpty else {
      svg.label("no frame has an end", x: Self.left, y: top + 60, "sub")
      return
    }
    let plot = top + Self.plotTop
    let ticks = Ticks(upTo: Double(columns.height) / 1e6, most: 4)
    for tick in ticks.values {
      let y = plot + Self.plotHeight - Int(tick * 1e6 / Double(columns.height) * 130)
      svg.raw(
        "<path class=\"grid\" d=\"M\(Self.left) \(y)h\(Self.width)\"/>\n")
      svg.label("\(ticks.text(tick)) ms", x: Self.left - 6, y: y + 4, "sub end")
    }
    writeColumns(columns, at: plot, to: &svg)
    writeFrameAxis(columns, at: plot + Self.plotHeight, to: &svg)
    writeHistogram(height: columns.height, at: plot, to: &svg)
  }

  private var heading: String {
    let name = shortened(PrintableText(series.name).text, to: 32)
    let ratio = (series.isApproximate ? "~" : "") + Figure.ratio(series.hitchRatio)
    let band =
      series.part.activeTime > 0
      ? "\(scale.band(of: series.hitchRatio).rawValue.uppercased()) \(ratio) ms/s"
      : "nothing to judge"
    return shortened(
      "\"\(name)\" of \(fileName(file, columns: 48)) · \(band) · "
        + "\(Figure.count(series.hitches.count, "hitch", "hitches")) in "
        + "\(Figure.count(series.frameCount, "frame")), \(Figure.duration(series.part.activeTime))",
      to: 160)
  }

  /// A bar each; what is cut off has an arrow. What lies above the line of targets is late.
  private func writeColumns(_ columns: FrameColumns, at top: Int, to svg: inout XMLText) {
    let count = Int64(columns.columns.count)
    let width = Int64(Self.width) * 100
    func x(_ index: Int) -> Int64 { Int64(Self.left) * 100 + width * Int64(index) / count }
    func y(_ time: Int64) -> Int64 {
      let part = min(1, Double(time) / Double(columns.height))
      return Int64(top + Self.plotHeight) * 100 - Int64(part * Double(Self.plotHeight) * 100)
    }
    let base = y(0)
    var due = ""
    var marks = ""
    var lastY: Int64?
    for (index, column) in columns.columns.enumerated() {
      let worst = column.worst
      let (from, to) = (x(index), x(index + 1))
      let gap: Int64 = to - from > 400 ? 100 : 0
      let isLate = worst.lateness > 0
      svg.raw(
        "<rect class=\"\(isLate ? "late" : "ok")\" x=\"\(Self.pixels(from))\" "
          + "y=\"\(Self.pixels(y(worst.duration)))\" width=\"\(Self.pixels(to - from - gap))\" "
          + "height=\"\(Self.pixels(base - y(worst.duration)))\"")
      if isLate {
        svg.raw("><title>")
        svg.text(
          "frame \(worst.number) at \(Figure.seconds(worst.start, decimals: 3)) s: "
            + "\(Figure.milliseconds(worst.duration)) ms, \(Figure.milliseconds(worst.lateness)) ms late"
        )
        svg.raw("</title></rect>\n")
        let middle = (from + to - gap) / 2
        marks += "M\(Self.pixels(middle)) \(Self.pixels(base + 200))v5"
        if worst.duration > columns.height {
          let tip = Int64(top) * 100 - 700
          marks +=
            "M\(Self.pixels(middle - 300)) \(Self.pixels(tip + 500))l3 -5l3 5"
        }
      } else {
        svg.raw("/>\n")
      }
      // A frame in time was due at the end of its interval, or when the one before it left room.
      let target = isLate ? worst.due : worst.interval
      if let lastY, lastY == y(target) {
        due += "H\(Self.pixels(to))"
      } else {
        due += "M\(Self.pixels(from)) \(Self.pixels(y(target)))H\(Self.pixels(to))"
      }
      lastY = y(target)
    }
    svg.raw("<path class=\"due\" d=\"\(due)\"/>\n")
    if !marks.isEmpty { svg.raw("<path class=\"mark\" d=\"\(marks)\"/>\n") }
  }

  private func writeFrameAxis(_ columns: FrameColumns, at base: Int, to svg: inout XMLText) {
    svg.raw("<path class=\"grid\" d=\"M\(Self.left) \(base)h\(Self.width)\"/>\n")
    let all = columns.columns
    let steps = min(8, all.count)
    let length = (all.last?.start ?? 0) &- (all.first?.start ?? 0)
    let decimals = length < 1_000_000_000 ? 3 : 2
    for step in 0..<steps {
      let index = all.count * step / steps
      let x = Self.left + Self.width * index / all.count
      svg.label("f\(all[index].firstFrame)", x: x, y: base + 20, "sub")
      svg.label(
        "\(Figure.seconds(all[index].start, decimals: decimals)) s", x: x, y: base + 33, "sub")
    }
    let each =
      columns.framesEach == 1
      ? "a bar is a frame" : "a bar: the worst of \(Figure.count(columns.framesEach, "frame"))"
    svg.label(
      each + (columns.isCut ? ", an arrow: longer than shown" : ""), x: Self.left, y: base + 48,
      "sub")
  }

  /// How many frames took how long; heights are logarithms, so that few late ones can be seen.
  private func writeHistogram(height: Int64, at top: Int, to svg: inout XMLText) {
    var counts = Array(repeating: (all: 0, late: 0), count: Self.bins)
    for frame in series.times {
      let part = Double(frame.duration) / Double(height) * Double(Self.bins)
      let bin = part >= Double(Self.bins) ? Self.bins - 1 : Int(part)
      counts[bin].all += 1
      if frame.lateness > 0 { counts[bin].late += 1 }
    }
    let most = counts.reduce(1) { max($0, $1.all) }
    var top10 = 10
    while top10 < most { top10 *= 10 }
    let decades = "\(top10)".count - 1
    let base = top + Self.plotHeight
    // One frame is a little above the line.
    let unit = Double(Self.plotHeight) / (Double(decades) + 0.3)
    func y(_ count: Int) -> Int64 {
      count == 0 ? 0 : Int64((Self.log10(Double(count)) + 0.3) * unit * 100)
    }
    var power = 1
    for _ in 0...decades {
      let line = base - Int(y(power) / 100)
      svg.raw(
        "<path class=\"grid\" d=\"M\(Self.histogramLeft) \(line)h\(Self.histogramWidth)\"/>\n")
      svg.label(Figure.count(power), x: Self.histogramLeft - 6, y: line + 4, "sub end")
      power *= 10
    }
    let step = Int64(Self.histogramWidth) * 100 / Int64(Self.bins)
    for (bin, count) in counts.enumerated() where count.all > 0 {
      let x = Int64(Self.histogramLeft) * 100 + Int64(bin) * step
      let lateHeight = y(count.late)
      for (colour, from, to) in [("ok", lateHeight, y(count.all)), ("late", 0, lateHeight)]
      where to > from {
        svg.raw(
          "<rect class=\"\(colour)\" x=\"\(Self.pixels(x))\" "
            + "y=\"\(Self.pixels(Int64(base) * 100 - to))\" width=\"\(Self.pixels(step - 100))\" "
            + "height=\"\(Self.pixels(to - from))\"/>\n")
      }
    }
    let ticks = Ticks(upTo: Double(height) / 1e6, most: 4)
    for tick in ticks.values {
      let x =
        Self.histogramLeft
        + Int(tick * 1e6 / Double(height) * Double(step * Int64(Self.bins)) / 100)
      svg.raw("<path class=\"grid\" d=\"M\(x) \(base)v4\"/>\n")
      svg.label("\(ticks.text(tick))", x: x, y: base + 20, "sub mid")
    }
    svg.label(
      "frames by frame time in ms, the last bar and more; heights are logarithms",
      x: Self.histogramLeft - 150, y: base + 48, "sub")
  }

  /// The decimal logarithm of a number from 1 on, to four decimals: there is no library of mathematics here.
  private static func log10(_ value: Double) -> Double {
    var value = value
    var result = 0.0
    while value >= 10 {
      value /= 10
      result += 1
    }
    // Each time the square is 10 or more, half of what is left belongs to the logarithm.
    var part = 0.5
    while part > 0.0001 {
      value *= value
      if value >= 10 {
        value /= 10
        result += part
      }
      part /= 2
    }
    return result
  }

  static func pixels(_ hundredths: Int64) -> String { Figure.decimal(hundredths, decimals: 2) }
}

/// Round numbers for an axis from 0 on.
struct Ticks {
  let values: [Double]
  private let decimals: Int

  /// At most so many above 0, the largest of which is not above the limit.
  init(upTo limit: Double, most: Int) {
    var step = 0.001
    var decimals = 3
    guard limit > 0, limit.isFinite else {
      values = [0]
      self.decimals = 0
      return
    }
    while limit / step > Double(most) {
      // 1, 2, 5, 10 …
      for factor in [2.0, 2.5, 2.0] where limit / step > Double(most) { step *= factor }
      decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3
    }
    values = (0...Int(limit / step)).map { Double($0) * step }
    self.decimals = decimals
  }

  func text(_ value: Double) -> String {
    let scale = [1.0, 10, 100, 1000][decimals]
    guard let whole = Int64(exactly: (value * scale).rounded()) else { return "?" }
    return Figure.decimal(whole, decimals: decimals)
  }
}
