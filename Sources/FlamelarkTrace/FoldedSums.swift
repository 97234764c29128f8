extension Trace {
  /// Sums of left-out spans in 36 bytes each.
  ///
  /// Numbers that four bytes don't hold, such as a range of more than four seconds, take some 150
  /// more. Access is O(log rows), since sums of a row that stand together share its number.
  public struct FoldedSums: Sendable {
    private var narrow: [Narrow] = []
    /// Those that ``Narrow`` can't hold, by index.
    private var wide: [Int: FoldedSpans] = [:]
    /// Where sums of another row begin, ascending.
    private var runs: [(first: Int, track: Int)] = []

    /// No sums.
    public init() {}

    /// Adds a sum behind all others. O(1), on average.
    public mutating func append(_ sum: FoldedSpans) {
      if runs.last?.track != sum.track { runs.append((narrow.count, sum.track)) }
      let fitting = Narrow(sum)
      if fitting == nil { wide[narrow.count] = sum }
      narrow.append(fitting ?? .elsewhere)
    }

    /// Puts a sum into a span, which ends where the sum must.
    mutating func put(_ index: Int, into span: UInt32, until end: Int64) {
      if narrow[index].isElsewhere {
        wide[index]?.parent = span
        wide[index]?.cut(at: end)
      } else {
        narrow[index].put(into: span, until: end)
      }
    }

    /// Makes room for `count` sums.
    public mutating func reserveCapacity(_ count: Int) {
      narrow.reserveCapacity(count)
      let byteCount = narrow.capacity * MemoryLayout<Narrow>.stride
      unsafe narrow.withUnsafeMutableBytes { bytes in
        // Nothing is read or written behind the elements.
        unsafe LargePages.advise(
          UnsafeMutableRawBufferPointer(start: bytes.baseAddress, count: byteCount))
      }
    }

    /// Leaves out the sums from a place on.
    mutating func removeAll(from first: Int) {
      guard first < narrow.count else { return }
      narrow.removeLast(narrow.count - first)
      if !wide.isEmpty { wide = wide.filter { $0.key < first } }
      while let last = runs.last, last.first >= first { runs.removeLast() }
    }

    private func track(at index: Int) -> Int {
      var (low, high) = (0, runs.count)
      while high - low > 1 {
        let middle = (low + high) / 2
        if runs[middle].first <= index { low = middle } else { high = middle }
      }
      return runs[low].track
    }
  }
}

extension Trace.FoldedSums: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// How many there are.
  public var endIndex: Int { narrow.count }

  /// The sum at an index. O(log rows).
  public subscript(index: Int) -> Trace.FoldedSpans {
    get {
      let sum = narrow[index]
      if sum.isElsewhere, let spans = wide[index] { return spans }
      return sum.spans(track: track(at: index))
    }
    set {
      if !wide.isEmpty { wide[index] = nil }
      guard let sum = Narrow(newValue), newValue.track == track(at: index) else {
        narrow[index] = .elsewhere
        wide[index] = newValue
        return
      }
      narrow[index] = sum
    }
  }

  /// Replaces some sums. O(sums behind them).
  public mutating func replaceSubrange(
    _ range: Range<Int>, with sums: some Collection<Trace.FoldedSpans>
  ) {
    let behind = Array(self[range.upperBound...])
    removeAll(from: range.lowerBound)
    for sum in sums { append(sum) }
    for sum in behind { append(sum) }
  }
}

extension Trace.FoldedSums: Equatable, ExpressibleByArrayLiteral {
  /// The sums of a list.
  public init(arrayLiteral elements: Trace.FoldedSpans...) { self.init(elements) }

  /// Whether two hold the same sums in the same order. O(sums).
  public static func == (a: Self, b: Self) -> Bool { a.elementsEqual(b) }
}

/// A sum but for its row, in nine times four bytes.
private struct Narrow: Sendable {
  /// The beginning in two halves: eight bytes in one would be followed by four of nothing.
  private var startLow: UInt32
  private var startHigh: UInt32
  private var duration: UInt32
  private var parent: UInt32
  private var site: UInt32
  /// The highest bit is set for those over the greatest depth.
  private var countAndReason: UInt32
  private var total: UInt32
  private var selfTime: UInt32
  private var longest: UInt32

  private static let overDepth: UInt32 = 1 << 31

  /// In place of a sum that doesn't fit.
  static let elsewhere = Narrow()

  private init() {
    (startLow, startHigh, duration, parent, site) = (0, 0, 0, 0, 0)
    (total, selfTime, longest) = (0, 0, 0)
    countAndReason = .max
  }

  /// nil if a number doesn't fit.
  init?(_ sum: Trace.FoldedSpans) {
    let (length, isTooLong) = sum.range.upperBound.subtractingReportingOverflow(
      sum.range.lowerBound)
    guard !isTooLong, let duration = UInt32(exactly: length),
      let count = UInt32(exactly: sum.count), count < Self.overDepth - 1,
      let total = UInt32(exactly: sum.total), let selfTime = UInt32(exactly: sum.selfTime),
      let longest = UInt32(exactly: sum.longest)
    else { return nil }
    startLow = UInt32(truncatingIfNeeded: sum.range.lowerBound)
    startHigh = UInt32(truncatingIfNeeded: sum.range.lowerBound >> 32)
    self.duration = duration
    parent = sum.parent
    site = sum.site.index
    countAndReason = sum.reason == .overDepth ? count | Self.overDepth : count
    self.total = total
    self.selfTime = selfTime
    self.longest = longest
  }

  var isElsewhere: Bool { countAndReason == .max }

  private var start: Int64 {
    Int64(truncatingIfNeeded: UInt64(startHigh) << 32 | UInt64(startLow))
  }

  mutating func put(into span: UInt32, until end: Int64) {
    parent = span
    if end < start + Int64(duration) { duration = end > start ? UInt32(end - start) : 0 }
  }

  func spans(track: Int) -> Trace.FoldedSpans {
    return Trace.FoldedSpans(
      reason: countAndReason & Self.overDepth == 0 ? .belowMinimum : .overDepth, track: track,
      parent: parent, site: CallSiteID(site), range: start..<start + Int64(duration),
      count: Int(countAndReason & ~Self.overDepth), total: Int64(total),
      selfTime: Int64(selfTime), longest: Int64(longest))
  }
}
