internal import CFlamelark
internal import FlamelarkFormat

/// Writes extended records of the calling thread, inside `fl_enter_to_record`. Each costs some 20
/// instructions.
enum RecordWriter {
  /// Writes a record of two words that the kind has for itself: what they say is in
  /// `EventRecord.Kind`. Nothing when this thread can't record now.
  static func write(
    _ kind: EventRecord.Kind, id: UInt32, detail: UInt16 = 0, _ word2: UInt64, _ word3: UInt64
  ) {
    guard let place = unsafe fl_room() else { return }
    unsafe write(kind, id: id, detail: detail, word2, word3, at: place)
  }

  /// The same in room that was made for it.
  static func write(
    _ kind: EventRecord.Kind, id: UInt32, detail: UInt16 = 0, _ word2: UInt64, _ word3: UInt64,
    at place: UnsafeMutablePointer<UInt64>
  ) {
    unsafe place[0] = fl_tick() << 8
    unsafe place[2] = word2
    unsafe place[3] = word3
    unsafe fl_commit(place, EventRecord.word1(kind, id: id, byteCount: 32, detail: detail), 32)
  }

  /// Writes a frame that began at `tick`.
  static func write(_ frame: FrameRecord, tick: UInt64, at place: UnsafeMutablePointer<UInt64>) {
    unsafe place[0] = tick << 8
    let words = frame.words
    unsafe place[2] = UInt64(bitPattern: words.0)
    unsafe place[3] = UInt64(bitPattern: words.1)
    unsafe place[4] = UInt64(bitPattern: words.2)
    unsafe place[5] = UInt64(bitPattern: words.3)
    unsafe place[6] = UInt64(bitPattern: words.4)
    unsafe place[7] = UInt64(bitPattern: words.5)
    unsafe place[8] = UInt64(bitPattern: words.6)
    unsafe place[9] = words.7
    unsafe place[10] = 0
    unsafe place[11] = 0
    unsafe fl_commit(
      place, EventRecord.word1(.frame, id: frame.series, byteCount: FrameRecord.byteCount),
      FrameRecord.byteCount)
  }
}
