internal import FlamelarkFormat

/// Completes ticks of records from 56 to 64 bits: the nearest to when their chunk was sealed.
struct TickCompletion {
  private let high: UInt64
  private let last: UInt64
  private let wrap: UInt64

  init(_ chunk: borrowing Chunk) {
    last = chunk.lastTick
    high = last & ~((1 << EventRecord.tickBits) - 1)
    wrap = high > 0 ? 1 << EventRecord.tickBits : 0
  }

  /// Whether the ticks of records are complete as they are.
  var areComplete: Bool { high == 0 }

  @inline(__always)
  func tick(_ word0: UInt64) -> UInt64 {
    let tick = high | word0 >> 8
    return tick > last ? tick &- wrap : tick
  }
}
