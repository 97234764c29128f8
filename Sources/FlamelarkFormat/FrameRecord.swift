/// What a frame record holds: every field that the analysis of frames can use.
///
///     w2  number               from 0, per series and recording
///     w3  timestamp            when the display link says that the frame began, ns
///     w4  target               when it is due, ns
///     w5  interval             what the display link gives it, ns
///     w6  begin                CLOCK_MONOTONIC when the program began it, ns (w0: the same as tick)
///     w7  end                  when the program had it ready, ns
///     w8  presented            when it was shown, ns
///     w9  flags (32 low bits) · tag: call site id (32 high bits), 0: none
///    w10, w11                  0
///
/// Times are CLOCK_MONOTONIC; what is not known is `FrameRecord.unset`.
package struct FrameRecord: Equatable, Sendable {
  package static let byteCount = 96
  package static let unset = Int64.min

  /// Which kind of loop the record speaks of.
  package enum Mode: UInt32, Sendable {
    /// `mark()`: this frame ends where the next begins.
    case marks = 0
    /// `begin(timestamp:target:)` … `end()`.
    case displayLink = 1
  }

  package var series: UInt32
  package var number: Int64
  package var timestamp = Self.unset
  package var target = Self.unset
  package var interval = Self.unset
  package var begin = Self.unset
  package var end = Self.unset
  package var presented = Self.unset
  package var mode: Mode
  /// The target was not given, or can't be, and was made from the interval before it.
  package var targetIsEstimated = false
  /// The first frame after a break: nothing before it makes it late.
  package var beginsSegment = false
  /// A frame was asked for: false after "no frame needed". nil: not said.
  package var isRequested: Bool?
  package var isDiscarded = false
  package var tag: UInt32 = 0

  package init(series: UInt32, number: Int64, mode: Mode) {
    self.series = series
    self.number = number
    self.mode = mode
  }

  private var flags: UInt32 {
    mode.rawValue | (targetIsEstimated ? 1 << 8 : 0) | (beginsSegment ? 1 << 9 : 0)
      | (isRequested == nil ? 0 : 1 << 10) | (isRequested == true ? 1 << 11 : 0)
      | (isDiscarded ? 1 << 12 : 0)
  }

  /// The words from w2 on.
  package var words: (Int64, Int64, Int64, Int64, Int64, Int64, Int64, UInt64) {
    (
      number, timestamp, target, interval, begin, end, presented, UInt64(flags) | UInt64(tag) << 32
    )
  }

  /// Reads the words from w2 on. `bytes` is a whole frame record.
  package init?(series: UInt32, decoding bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.byteCount else { return nil }
    let word = unsafe bytes.integer(at: 72, as: UInt64.self)
    let flags = UInt32(truncatingIfNeeded: word)
    guard let mode = Mode(rawValue: flags & 0xFF) else { return nil }
    self.init(series: series, number: unsafe bytes.integer(at: 16, as: Int64.self), mode: mode)
    guard number >= 0 else { return nil }
    timestamp = unsafe bytes.integer(at: 24, as: Int64.self)
    target = unsafe bytes.integer(at: 32, as: Int64.self)
    interval = unsafe bytes.integer(at: 40, as: Int64.self)
    begin = unsafe bytes.integer(at: 48, as: Int64.self)
    end = unsafe bytes.integer(at: 56, as: Int64.self)
    presented = unsafe bytes.integer(at: 64, as: Int64.self)
    targetIsEstimated = flags & 1 << 8 != 0
    beginsSegment = flags & 1 << 9 != 0
    isRequested = flags & 1 << 10 == 0 ? nil : flags & 1 << 11 != 0
    isDiscarded = flags & 1 << 12 != 0
    tag = UInt32(truncatingIfNeeded: word >> 32)
  }
}
