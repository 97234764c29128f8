extension EventRecord {
  /// How many records a payload holds if all are spans; nil if any is something else or not written.
  /// What is left behind the last is no record.
  package static func spanCount(of records: UnsafeRawBufferPointer) -> Int? {
    let count = records.count / 16
    // Of a span at any call site but 0 the low half of the second word is above 0. This is asked of
    // each record: four instructions.
    var lows: UInt32 = 0
    for index in 0..<count {
      let low = unsafe records.integer(at: index &* 16 &+ 8, as: UInt32.self)
      lows |= low | (low &- 1)
    }
    if lows >> 31 == 0 { return count }
    for index in 0..<count {
      let word1 = unsafe records.integer(at: index &* 16 &+ 8, as: UInt64.self)
      if word1 == 0 || word1.isOfExtendedRecord { return nil }
    }
    return count
  }
}
