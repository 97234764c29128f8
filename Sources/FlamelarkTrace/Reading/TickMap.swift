internal import FlamelarkFormat

/// From ticks to CLOCK_MONOTONIC, by straight lines through moments at which both were read.
///
/// The map never decreases: spans that nest in ticks nest in nanoseconds.
struct TickMap {
  fileprivate struct Piece {
    var tick: UInt64
    var nanoseconds: Int64
    /// Nanoseconds a tick, times 2^32.
    var rate: UInt64
  }

  private var pieces: [Piece] = []
  /// Anchors nearer to each other than this would bend the line by their own error.
  private static let leastSpacing: Int64 = 100_000_000

  /// A map through `anchors`, in any order; those that contradict the rest are left out.
  init(header: FileHeader, anchors: [ClockAnchor]) {
    let usual = UInt64((4_294_967_296 * 1e9 / Double(header.ticksPerSecond)).rounded())
    var start = header.start
    start.monotonic = start.monotonic.plausibleTime
    var kept = [start]
    if header.clock == .timeStampCounter {
      let sorted = anchors.filter { $0.monotonic == $0.monotonic.plausibleTime }
        .sorted { $0.tick < $1.tick }
      for anchor in sorted where Self.agrees(anchor, with: kept[kept.count - 1], rate: usual) {
        kept.append(anchor)
      }
      // The last one bounds the trace: it may be near to the one before it, which then goes.
      if let last = sorted.last(where: { Self.rate(from: kept[0], to: $0, usual: usual) != nil }),
        last.tick > kept[kept.count - 1].tick
      {
        if kept.count > 1 { kept.removeLast() }
        kept.append(last)
      }
    }
    for (index, anchor) in kept.enumerated() {
      let rate =
        index + 1 < kept.count
        ? Self.rate(from: anchor, to: kept[index + 1], usual: usual) ?? usual
        : pieces.last?.rate ?? usual
      pieces.append(Piece(tick: anchor.tick, nanoseconds: anchor.monotonic, rate: rate))
    }
  }

  private static func agrees(_ anchor: ClockAnchor, with last: ClockAnchor, rate: UInt64) -> Bool {
    anchor.monotonic - last.monotonic >= leastSpacing
      && Self.rate(from: last, to: anchor, usual: rate) != nil
  }

  /// The rate between two anchors, nil if it differs from the usual one by over 0.2 %.
  private static func rate(from a: ClockAnchor, to b: ClockAnchor, usual: UInt64) -> UInt64? {
    guard b.tick > a.tick, b.monotonic > a.monotonic else { return nil }
    let rate = Double(b.monotonic - a.monotonic) / Double(b.tick - a.tick) * 4_294_967_296
    // Near to each other the anchors' own error of some 100 ns shows.
    let slack = Double(usual) * (0.002 + 1000 / Double(b.monotonic - a.monotonic))
    return abs(rate - Double(usual)) <= slack ? UInt64(rate) : nil
  }

  /// The time of a tick. O(1) for ticks near each other, O(log pieces) else.
  func callAsFunction(_ tick: UInt64, near hint: inout Int) -> Int64 {
    if hint >= pieces.count || tick < pieces[hint].tick && hint > 0
      || hint + 1 < pieces.count && tick >= pieces[hint + 1].tick
    {
      hint = max(0, pieces.partitionPoint { $0.tick <= tick } - 1)
    }
    let piece = pieces[hint]
    if tick >= piece.tick {
      return (piece.nanoseconds + Self.scaled(tick - piece.tick, by: piece.rate)).plausibleTime
    }
    return (piece.nanoseconds - Self.scaled(piece.tick - tick, by: piece.rate)).plausibleTime
  }

  /// The same map to times that begin at `zero`.
  func starting(at zero: Int64) -> TickMap {
    var result = self
    for index in pieces.indices { result.pieces[index].nanoseconds -= zero }
    return result
  }

  /// The part of a piece around some tick, four seconds long, in which times need no check and one
  /// multiplication.
  struct Line {
    private var tick: UInt64 = 0
    private var width: UInt64 = 0
    /// The time of `tick`, and what of it is less than a nanosecond, times 2^32.
    private var nanoseconds: Int64 = 0
    private var fraction: UInt64 = 0
    private var rate: UInt64 = 0

    /// A line on which nothing lies.
    init() {}

    /// Of a piece that ends at a tick, nil: never. `near` is not in front of the piece.
    fileprivate init(_ piece: Piece, end: UInt64?, near: UInt64) {
      // As far as products and a fraction fit 64 bits. Most of it lies behind: what is next.
      let length = (.max - 1 << 32) / max(1, piece.rate)
      let first = max(piece.tick, near - min(near, length / 4))
      let product = (first - piece.tick).multipliedFullWidth(by: piece.rate)
      // 2^59 ns are 18 years: what is added to them is far from any bound.
      guard abs(piece.nanoseconds) < 1 << 59, product.high < 1 << 27 else { return }
      tick = first
      width = min(length, (end ?? .max) - first)
      nanoseconds = piece.nanoseconds + Int64(product.high << 32 | product.low >> 32)
      fraction = product.low & 0xFFFF_FFFF
      rate = piece.rate
    }

    /// The time of a tick; nil if it doesn't lie on this line.
    @inline(__always)
    func callAsFunction(_ tick: UInt64) -> Int64? {
      let distance = tick &- self.tick
      guard distance < width else { return nil }
      return nanoseconds &+ Int64(truncatingIfNeeded: (fraction &+ distance &* rate) &>> 32)
    }
  }

  /// The time of a tick, by the line of the last one if this lies on it too.
  @inline(__always)
  func callAsFunction(_ tick: UInt64, on line: inout Line) -> Int64 {
    if let time = line(tick) { return time }
    let found = find(tick)
    line = found.line
    return found.time
  }

  /// The time of a tick, and the line that it lies on.
  @inline(never)
  private func find(_ tick: UInt64) -> (time: Int64, line: Line) {
    var hint = 0
    let time = self(tick, near: &hint)
    guard tick >= pieces[hint].tick else { return (time, Line()) }
    let end = hint + 1 < pieces.count ? pieces[hint + 1].tick : nil
    return (time, Line(pieces[hint], end: end, near: tick))
  }

  private static func scaled(_ ticks: UInt64, by rate: UInt64) -> Int64 {
    let product = ticks.multipliedFullWidth(by: rate)
    guard product.high >> 29 == 0 else { return 1 << 61 }
    return Int64(product.high << 32 | product.low >> 32)
  }
}
