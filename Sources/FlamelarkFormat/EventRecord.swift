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
    /// · bits 48…63 ``HitchRule``
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
    /// From here on the thread runs another task. id: 0 · w2 task, 0: none · w3 0
    case task = 13
    /// A span around `await`, on the row of its task. id: call site · w2 duration in ticks · w3 task
    /// · bits 48…63 key of the thread on which it began, 0: not known
    case taskSpan = 14
    /// A span in which its thread or task waited. id: call site · w2 duration in ticks · w3 task on
    /// whose row it lies, 0: on the thread's stack · w4 what was waited for, 0: not known · w5 key of
    /// the thread that ended it, 0: not known · w6 task that ended it, 0: none · w7 tick at which it
    /// did, 0: not known · bits 48…63 ``WaitKind``
    case wait = 15
    /// A span that is a stage of a frame. id: call site · w2 duration in ticks · w3 task as above
    /// · w4 series · w5 frame number
    case stage = 16
    /// One end of a link. id: call site · w2 number of the link · w3 task, 0: none
    /// · bits 48…63 0: it begins here, 1: it ends here
    case flow = 17
    /// A value of the innermost open span. id: call site, for its name · w0 how many spans are open
    /// on the stack · w2 the value, Int64 · w3 task on whose row the span is, 0: on the stack
    case value = 18
    /// A span whose times are of another clock. id: call site · w2 call site of its track, for its
    /// name · w3 from · w4 to · w5 ticks per second of that clock, 0: ns of CLOCK_MONOTONIC
    case trackSpan = 19
    /// How a track's clock stands to CLOCK_MONOTONIC. id: 0 · w2 call site of the track · w3 its time
    /// · w4 ns · w5 its ticks per second
    case trackRelation = 20
    /// A series begins or ceases to need frames. id: series · w2 number of its last frame
    /// · w3 CLOCK_MONOTONIC, ns · bits 48…63 ``SeriesChange``
    case seriesChange = 21
    /// A time in which the chunk's thread had no processor. id: 0 · w0 tick at which it ceased to run
    /// · w2 ticks until it ran again · w3 tick at which it was woken, 0: not known · w4 key of the
    /// thread that woke it, 0: not known · w5 0 · bits 48…63 ``ThreadStateKind``
    case threadState = 22
  }

  /// The second word of an extended record.
  package static func word1(_ kind: Kind, id: UInt32, byteCount: Int, detail: UInt16 = 0) -> UInt64
  {
    UInt64(id) & identifierMask | extendedBit | UInt64(kind.rawValue) << 32
      | UInt64(byteCount / 16) << 40 | UInt64(detail) << 48
  }
}

extension EventRecord.Kind {
  /// Whether it is a span on its thread's stack, unless its fourth word says that it is elsewhere.
  package var isSpan: Bool { self == .longSpan || self == .wait || self == .stage }

  /// Whether its third word is how long it took, in ticks.
  package var hasDuration: Bool { isSpan || self == .taskSpan || self == .threadState }
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

/// By what a frame was found late.
package enum HitchRule: UInt16, Sendable {
  /// By when it ended or the next one began.
  case ended = 0
  /// By when it was shown.
  case shown = 1
}

/// What a span waited for.
package enum WaitKind: UInt16, Sendable, CaseIterable {
  /// Something of the program's own.
  case other = 0
  /// A lock that another had.
  case lock = 1
  /// A condition to be signalled.
  case condition = 2
  /// A semaphore to be signalled.
  case semaphore = 3
  /// Work on a queue to be done.
  case queue = 4
  /// `await`.
  case await = 5
}

/// Why a thread had no processor.
package enum ThreadStateKind: UInt16, Sendable, CaseIterable {
  /// It waited for something.
  case blocked = 0
  /// It was ready to run, and another had the processor.
  case preempted = 1
}

/// How a series of frames goes on.
package enum SeriesChange: UInt16, Sendable {
  /// No frame follows until it is resumed.
  case paused = 0
  case resumed = 1
  /// No frame is asked for.
  case needsNoFrame = 2
  case needsFrame = 3
}
