/// The records of a thread, in the order in which they were written.
///
/// A span, 16 bytes, written when it ends:
///
///     w0  start tick << 8 | depth          depth 0…254
///     w1  duration in ticks << 32 | call site id (31 bits, bit 31 = 0)
///
/// Everything else is an extended record of 16 × `units` bytes:
///
///     w0  tick << 8 | depth or 0
///     w1  bits 0…30 an id · bit 31 = 1 · 32…39 kind · 40…47 units · 48…63 kind's own
///     w2… as the kind says
///
/// w1 is written last and is never 0: a record whose w1 is 0 was not written. A tick has 56 bits
/// here (at 2.6 GHz 321 days of uptime); a reader completes it from the chunk's ticks.
package enum EventRecord {
  package static let maximumByteCount = 128
  package static let extendedBit: UInt64 = 1 << 31
  package static let identifierMask: UInt64 = (1 << 31) - 1
  package static let tickBits: UInt64 = 56

  /// The kinds of extended records; a reader skips others by their units.
  package enum Kind: UInt8, Sendable {
    /// A span of 2^32 ticks or more, or one that left its thread's stack.
    /// id: call site · w2 duration in ticks · w3 0, or the key of the thread whose stack it left
    case longSpan = 1
    /// A span that was open when the recording ended. id: call site
    case openSpan = 2
    /// A counter's value. id: call site of the counter · w2 the value, Int64
    case counter = 3
    /// A named moment. id: call site
    case marker = 4
    /// A frame begins. id: series · w2… as in ``FrameRecord``
    case frame = 5
    /// Something learnt later about a frame. id: series · w2 frame number · w3 value, ns
    /// · bits 48…63 which field, ``FrameFact``
    case frameFact = 6
    /// The recorder found a frame late. id: series · w2 frame number · w3 lateness, ns
    case hitch = 7
    /// The program called a frame a hitch. id: series · w2 frame number · w3 call site of the reason
    case markedHitch = 8
    /// An activity begins. id: call site · w2 activity number · w3 series, 0: all
    case activityBegin = 9
    /// An activity ends. id: 0 · w2 activity number
    case activityEnd = 10
    /// Spans below the least duration, summed up under the span around them that is recorded.
    /// id: call site · w0 tick of the first start, their depth · w2 ticks until it was written
    /// · w3 count · w4 total ticks · w5 those not in others that are summed up · w6 the longest
    /// · w7 0
    case folded = 11
    /// Spans over the greatest depth, counted under the span around them.
    /// id: 0 · w0 start tick of the span around them, their depth · w2 count · w3 0
    case overDepth = 12
  }

  /// The second word of an extended record.
  package static func word1(_ kind: Kind, id: UInt32, byteCount: Int, detail: UInt16 = 0) -> UInt64
  {
    UInt64(id) & identifierMask | extendedBit | UInt64(kind.rawValue) << 32
      | UInt64(byteCount / 16) << 40 | UInt64(detail) << 48
  }
}

extension UInt64 {
  /// Whether a record with this second word is an extended one. Inlined: readers ask it of each.
  @inlinable @inline(__always)
  package var isOfExtendedRecord: Bool { self & (1 << 31) != 0 }
}

/// What may be told of a frame after its beginning; the number stands in the record.
package enum FrameFact: UInt16, Sendable {
  /// The frame's work ended (`end()`): CLOCK_MONOTONIC, ns.
  case end = 1
  /// It was shown: CLOCK_MONOTONIC, ns.
  case presented = 2
  /// It was not shown and won't be.
  case discarded = 3
}
