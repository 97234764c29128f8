internal import CFlamelark
internal import FlamelarkFormat

/// A span that is open on a thread's stack.
struct OpenStackSpan {
  var start: UInt64
  var depth: Int
  var site: UInt32
  /// Spans inside over the greatest depth, not written yet.
  var passedOver: UInt64

  /// As a record of a span that did not end.
  var record: [UInt64] {
    [
      start << 8 | UInt64(depth), EventRecord.word1(.openSpan, id: site, byteCount: 16),
    ]
  }
}

/// What a slot holds, read by a thread that is not its owner while that one may go on.
extension SlotWriter {
  /// The open spans, outermost first.
  func openStack() -> [OpenStackSpan] {
    let stack = unsafe openSpans.assumingMemoryBound(to: fl_open_span.self)
    return (0..<255).compactMap { depth in
      unsafe Self.read(stack + depth).map { span in
        OpenStackSpan(
          start: span.start, depth: depth, site: UInt32(truncatingIfNeeded: span.site),
          passedOver: (span.site >> 32) & Slot.passedOverMask)
      }
    }
  }

  /// What stands in for the span around those that have none, if something was left out there.
  func outermost() -> OpenStackSpan? {
    let place = unsafe (openSpans - Slot.openSpanByteCount)
      .assumingMemoryBound(to: fl_open_span.self)
    return unsafe Self.read(place).map { span in
      OpenStackSpan(
        start: span.start, depth: -1, site: 0, passedOver: (span.site >> 32) & Slot.passedOverMask)
    }
  }

  /// A place on the stack; nil if no span is there. Its call site is stored before its start.
  private static func read(
    _ place: UnsafeMutablePointer<fl_open_span>
  ) -> (start: UInt64, site: UInt64)? {
    while true {
      let start = unsafe fl_load_acquire(&place.pointee.start)
      guard start != 0 else { return nil }
      let site = unsafe fl_load_acquire(&place.pointee.site)
      if unsafe fl_load_acquire(&place.pointee.start) == start { return (start, site) }
    }
  }

  /// The bytes of the records that are complete.
  func completeByteCount() -> Int {
    var place = unsafe records
    while unsafe place < recordsLimit {
      let word = unsafe fl_load_acquire((place + 8).assumingMemoryBound(to: UInt64.self))
      if word == 0 { break }
      unsafe place += Self.byteCount(ofRecord: word)
    }
    return unsafe place - records
  }

  /// The spans among the first so many bytes of records: start and depth.
  func spans(upTo end: Int) -> [(UInt64, Int)] {
    var result: [(UInt64, Int)] = []
    var place = 0
    while place < end {
      let words = unsafe (records + place).assumingMemoryBound(to: UInt64.self)
      unsafe result.append((words[0] >> 8, Int(words[0] & 0xFF)))
      unsafe place += Self.byteCount(ofRecord: words[1])
    }
    return result
  }

  private static func byteCount(ofRecord word1: UInt64) -> Int {
    let units = word1.isOfExtendedRecord ? Int(word1 >> 40 & 0xFF) : 1
    return max(1, units) * 16
  }
}
