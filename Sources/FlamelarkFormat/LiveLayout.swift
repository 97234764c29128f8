/// The layout of the live file, `NAME.lark.live`: what a killed program leaves.
///
/// After the file header come blocks of slots. A slot is memory shared with the file; one thread
/// (or, with thread key 0, the process for its definitions) fills it, and its content becomes one
/// chunk of the trace file. When the chunk was written, the slot is cleared and begins again.
///
/// The number of blocks in the header is what the file began with; how many there are now follows
/// from the file's size.
package struct LiveLayout: Equatable, Sendable {
  package var slotByteCount: Int
  package var slotsPerBlock: Int
  package var blockCount: Int

  package init(slotByteCount: Int, slotsPerBlock: Int, blockCount: Int) {
    self.slotByteCount = slotByteCount
    self.slotsPerBlock = slotsPerBlock
    self.blockCount = blockCount
  }

  package static let standard = LiveLayout(
    slotByteCount: Slot.byteCount, slotsPerBlock: 16, blockCount: 1)

  package var blockByteCount: Int { slotByteCount * slotsPerBlock }

  var isPlausible: Bool {
    slotByteCount == Slot.byteCount && (1...4096).contains(slotsPerBlock)
      && (1...65_536).contains(blockCount)
  }
}

/// One slot: a page of facts, a page of open spans, folded spans, then the chunk to be.
///
///     0  4  state              0 free, 1 in use
///     4  4  thread key         0: definitions
///     8  4  sequence           number that the content will have as a chunk
///    12  4  sealed             number of the last content that is wholly in the trace file;
///                              equal to `sequence` while the slot is being cleared
///    16  8  spans over the greatest depth: count
///    24  8  spans below the least duration: count
///    32  8  spans below the least duration: sum of their ticks
///    40  8  detached spans: ended out of order or by another thread
///    48  8  records lost because they could not be written
///    56  4  number of the thread's last chunk, which holds its open spans and sums as records;
///           0: it is not being written
///   128 96  the change that is being made of several words of the slot:
///           state (4): 0 none, 1 begun, 2 turned; target (4), source (4): offsets in the slot;
///           record (4): offset in the thread's slot with that sequence (4), 0: none; 0 (4);
///           value (8); saved (64). Begun and its record not written: the bytes at `target` are to
///           be as `saved`. Else: `source` is to be `value`
///  1000     spans around `await` that began on a thread that had the slot and have not ended, 128 of 24
///           bytes: start tick (8, 0 = none), task (8), call site (4), key of that thread (4). They
///           outlive it
///  4080     as an open span: what call sites' own depths left out where no span is open
///  4096     open spans, outermost first, 16 bytes each: start tick (8, 0 = none), call site (4),
///           spans over the greatest depth in it (29 bits), whether it is always recorded (1 bit),
///           its record is being written (1 bit), sums are in it (1 bit)
///  8192     sums of spans below the least duration that are not written yet, 256 of 64 bytes:
///           first start (8, 0 = none), place on the stack (8, bits 4…11: their depth), total (8),
///           part of it in which others that are summed up ran inside (8), longest (8), in ticks;
///           call site (8), count (8), 0 (8)
/// 24576     chunk header (64), then records until one whose second word is 0
package enum Slot {
  package static let state = 0
  package static let threadKey = 4
  package static let sequence = 8
  package static let sealed = 12
  package static let overDepthCount = 16
  package static let belowMinimumCount = 24
  package static let belowMinimumTicks = 32
  package static let detachedCount = 40
  package static let lostCount = 48
  package static let lastChunk = 56
  package static let step = 128
  package static let stepByteCount = 96

  /// All counts, in the order in which definitions of a thread's counts have them.
  package static let counts = [
    overDepthCount, belowMinimumCount, belowMinimumTicks, detachedCount, lostCount,
  ]

  package static let openTaskSpans = 1000
  package static let openTaskSpanCount = 128
  package static let openTaskSpanByteCount = 24

  package static let outermost = 4080
  /// In the upper half of an open span's call site: how many spans over the greatest depth.
  package static let passedOverMask: UInt64 = 0x1FFF_FFFF
  package static let openSpans = 4096
  package static let openSpanByteCount = 16
  package static let folds = 8192
  package static let foldCount = 256
  package static let foldByteCount = 64
  package static let chunk = 24_576
  package static let chunkByteCount = 65_536
  package static let byteCount = chunk + chunkByteCount

  /// The records of a slot begin here.
  package static let records = chunk + ChunkHeader.byteCount
  /// A record may begin before this offset only, so that the longest one fits after any check.
  package static let recordsLimit = byteCount - EventRecord.maximumByteCount
}
