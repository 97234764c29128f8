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
    for index in 0..<Int(fl_fold_count) where unsafe folds[index].start != 0 {
      let fold = unsafe folds[index]
      records += [
        fold.start << 8 | fold.place >> 4 & 0xFF,
        EventRecord.word1(.folded, id: UInt32(truncatingIfNeeded: fold.site), byteCount: 64),
        fl_tick() &- fold.start, fold.count, fold.total, fold.total &- fold.nested, fold.longest, 0,
      ]
      belowMinimum += fold.count
      belowMinimumTicks += fold.total
    }
  }
}
