extension EventRecord {
  /// How many records a payload holds if all are spans; nil if any is something else or not written.
  /// What is left behind the last is no record.
  package static func spanCount(of records: UnsafeRawBufferPointer) -> Int? {
    let count = records.count / 16
    var others: UInt64 = 0
    for index in 0..<count {
      let word1 = unsafe records.integer(at: index &* 16 &+ 8, as: UInt64.self)
      // The highest bit of the second term is set for 0 alone.
      others |= word1 & extendedBit | (word1 &- 1) & ~word1 & 1 << 63
    }
    return others == 0 ? count : nil
  }
}
