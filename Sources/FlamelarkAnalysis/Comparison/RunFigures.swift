public import FlamelarkTrace

/// What a comparison needs of one trace: its frames, what made them late, and where the time went.
///
/// Whole traces need not be kept: this has as many values as the trace has frames, names and places of
/// lateness.
public struct RunFigures: Sendable {
  /// A part of the run, or all of it.
  package struct Block: Sendable {
    /// In nanoseconds.
    package var activeTime: Int64 = 0
    /// In nanoseconds.
    package var hitchTime: Int64 = 0
    /// What each place in the program bears itself, in nanoseconds. Adds up to ``hitchTime``.
    package var blame: [CauseSignature: Int64] = [:]

    package init() {}
  }

  /// Under which conditions it was recorded.
  public let conditions: RunConditions
  /// The run in one piece.
  package var whole: Block
  /// The run in parts of at least a second of active time, of a tenth of it below ten seconds, but at
  /// least half a second; none where it is too short for two.
  package var blocks: [Block]
  /// The causes that its blame names.
  package let causes: Set<CauseSignature>
  /// The frames that can be late.
  public let overruns: Overruns
  /// The self time of spans by name, in nanoseconds.
  package let spanTimes: [String: Int64]
  /// How many frames it speaks of.
  public let frameCount: Int
  /// How many of them were late.
  public let hitchCount: Int
  /// The hitch ratio of each activity that was asked for, in ms/s; none if none was.
  public let activityRatios: [Double]

  /// More parts say nothing more.
  private static let mostBlocks = 200
  private static let blockLength: Int64 = 1_000_000_000
  /// Hitches come in groups: shorter parts would not be independent of each other.
  private static let leastLength: Int64 = 500_000_000

  /// The hitch ratio, in ms/s.
  public var hitchRatio: Double {
    whole.activeTime > 0 ? Double(whole.hitchTime) / Double(whole.activeTime) * 1000 : 0
  }
  /// The time in which frames were asked for, in nanoseconds.
  public var activeTime: Int64 { whole.activeTime }
  /// The sum of all lateness, in nanoseconds.
  public var hitchTime: Int64 { whole.hitchTime }

  /// Takes the figures of a series. `ranges` are those in which frames begin that count, ascending and
  /// apart; nil: all. `activities` are those whose ratios are asked for. Time as for a ``Blame``.
  public init(
    of trace: Trace, series: Trace.FrameSeries, refresh: Int64? = nil,
    ranges: [Range<Int64>]? = nil, activities: [Range<Int64>] = []
  ) {
    let all = JudgedFrames(of: series, in: trace, refresh: refresh)
    let frames = ranges.map { all.within($0) } ?? all
    let ledger = BlameLedger(of: all, in: trace)
    let found = ledger.causes { index in
      ranges.map { $0.index(holding: all.frames[index].window.lowerBound) != nil } ?? true
    }
    var named: Set<CauseSignature> = []
    for line in found.lines {
      for cause in line.causes where cause.blame > 0 { named.insert(CauseSignature(cause)) }
    }
    causes = named
    conditions = RunConditions(of: trace, frames)
    overruns = Overruns(of: frames)
    frameCount = frames.frames.count
    hitchCount = found.lines.count
    activityRatios = Self.ratios(of: activities, all.frames)
    whole = Self.block(frames.frames, found.lines, ledger)
    blocks = Self.parts(of: frames).map { Self.block($0, found.lines, ledger) }
    let first = frames.frames.map(\.window.lowerBound).min() ?? 0
    let end = frames.frames.map(\.window.upperBound).max() ?? 0
    let span = first..<max(first, end)
    spanTimes =
      SpanTimes(of: trace, within: ranges?.map { $0.clamped(to: span) } ?? [span]).byName
  }

  /// The hitch ratio within each of some ranges, which are ascending and apart, in ms/s.
  private static func ratios(
    of ranges: [Range<Int64>], _ frames: [JudgedFrames.Frame]
  ) -> [Double] {
    var sums = Array(repeating: (active: Int64(0), late: Int64(0)), count: ranges.count)
    for frame in frames {
      guard let index = ranges.index(holding: frame.window.lowerBound) else { continue }
      sums[index].active = sums[index].active.plus(frame.activeTime)
      sums[index].late = sums[index].late.plus(frame.lateness)
    }
    // Where nothing ran, nothing was judged.
    return sums.filter { $0.active > 0 }.map { Double($0.late) / Double($0.active) * 1000 }
  }

  /// Frames one after the other, a part of active time each; what is left at the end belongs to the last.
  private static func parts(of judged: JudgedFrames) -> [ArraySlice<JudgedFrames.Frame>] {
    let frames = judged.frames
    let time = judged.activeTime
    let length = max(
      min(blockLength, time / 10), leastLength, time / Int64(mostBlocks))
    var parts: [ArraySlice<JudgedFrames.Frame>] = []
    var first = 0
    var sum: Int64 = 0
    for index in frames.indices {
      sum = sum.plus(frames[index].activeTime)
      guard sum >= length else { continue }
      parts.append(frames[first...index])
      (first, sum) = (index + 1, 0)
    }
    if let last = parts.last, first < frames.count {
      parts[parts.count - 1] = frames[last.startIndex...]
    }
    return parts.count > 1 ? parts : []
  }

  private static func block(
    _ frames: some Collection<JudgedFrames.Frame>, _ lines: [BlameLedger.Line],
    _ ledger: BlameLedger
  ) -> Block {
    var block = Block()
    var numbers: Set<Int> = []
    for frame in frames {
      block.activeTime = block.activeTime.plus(frame.activeTime)
      block.hitchTime = block.hitchTime.plus(frame.lateness)
      if frame.lateness > 0 { numbers.insert(frame.number) }
    }
    let late = lines.filter { numbers.contains(ledger.judged.frames[$0.frame].number) }
    guard !late.isEmpty else { return block }
    block.blame = CauseSignature.blame(of: ledger.nodes(of: late))
    return block
  }
}
