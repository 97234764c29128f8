internal import CFlamelark
internal import FlamelarkFormat

/// The sums of a thread that wait for the end of the spans around them, when the recording ends.
struct FinalSums {
  private(set) var records: [UInt64] = []
  private(set) var overDepth: UInt64 = 0
  private(set) var belowMinimum: UInt64 = 0
  private(set) var belowMinimumTicks: UInt64 = 0

  init(_ home: SlotWriter, open: [OpenStackSpan], hasSums: Bool) {
    if hasSums { addFolds(of: home) }
    for span in [home.outermost()].compactMap(\.self) + open where span.passedOver > 0 {
      records += [
        span.start << 8 | UInt64(span.depth + 1),
        EventRecord.word1(.overDepth, id: 0, byteCount: 32), span.passedOver, 0,
      ]
      overDepth += span.passedOver
    }
  }

  private mutating func addFolds(of home: SlotWriter) {
    let folds = unsafe home.folds.assumingMemoryBound(to: fl_fold.self)
    for index in 0..<Int(fl_fold_count) {
      let fold = unsafe Self.read(folds + index)
      guard fold.start != 0 else { continue }
      records += [
        fold.start << 8 | fold.place >> 4 & 0xFF,
        EventRecord.word1(.folded, id: UInt32(truncatingIfNeeded: fold.site), byteCount: 64),
        fl_tick() &- fold.start, fold.count, fold.total, fold.total &- fold.nested, fold.longest, 0,
      ]
      belowMinimum += fold.count
      belowMinimumTicks += fold.total
    }
  }

  /// A sum, whose thread may go on. Its start says that the rest is there.
  private static func read(_ place: UnsafeMutablePointer<fl_fold>) -> fl_fold {
    unsafe fl_fold(
      start: fl_load_acquire(&place.pointee.start), place: fl_load_acquire(&place.pointee.place),
      total: fl_load_acquire(&place.pointee.total), nested: fl_load_acquire(&place.pointee.nested),
      longest: fl_load_acquire(&place.pointee.longest), site: fl_load_acquire(&place.pointee.site),
      count: fl_load_acquire(&place.pointee.count), minimum: 0)
  }
}
