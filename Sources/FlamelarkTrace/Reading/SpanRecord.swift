internal import FlamelarkFormat

/// A record that is a span on its thread's stack.
struct SpanRecord {
  var start: UInt64
  var end: UInt64
  var depth: UInt8
  var site: UInt32

  init(start: UInt64, end: UInt64, depth: UInt8, site: UInt32) {
    self.start = start
    self.end = end
    self.depth = depth
    self.site = site
  }

  /// A record that is a plain span.
  @inline(__always)
  init(plain records: UnsafeRawBufferPointer, at place: Int, _ ticks: TickCompletion) {
    let word0 = unsafe records.integer(at: place, as: UInt64.self)
    let word1 = unsafe records.integer(at: place &+ 8, as: UInt64.self)
    let start = ticks.tick(word0)
    self.init(
      start: start, end: start &+ word1 >> 32, depth: UInt8(truncatingIfNeeded: word0),
      site: UInt32(truncatingIfNeeded: word1))
  }

  /// The record that the cursor is at, nil if it is no span.
  @inline(__always)
  init?(_ record: EventCursor, start: UInt64) {
    guard record.isSpan else {
      self.init(extended: record, start: start)
      return
    }
    self.init(
      start: start, end: start &+ record.word1 >> 32,
      depth: UInt8(truncatingIfNeeded: record.word0), site: record.identifier)
  }

  /// A span that had not ended. What ends with the recording ends after all else: its end is .max.
  init(open span: RecordedEvents.OpenSpan) {
    self.init(
      start: span.start, end: span.end == 0 ? .max : max(span.start, span.end), depth: span.depth,
      site: span.site)
  }

  /// An extended record as a span, nil if it isn't one on its thread's stack: its fourth
  /// word then says where it is.
  init?(extended record: EventCursor, start: UInt64) {
    guard record.kind?.isSpan == true, record.word(3) == 0 else { return nil }
    self.init(
      start: start, end: start &+ record.word(2), depth: UInt8(truncatingIfNeeded: record.word0),
      site: record.identifier)
  }
}
