import FlamelarkFormat
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

/// What a program leaves that is killed between any two of its instructions: each thing once.
@Suite struct LiveFileTests {
  private let sum = Slot.folds
  private let secondSum = Slot.folds + Slot.foldByteCount

  /// A trace file of a thread with one chunk: a(b).
  private func file() -> RecordingBytes {
    var file = RecordingBytes()
    file.add(thread: 1, names: ["a", "b", "c"])
    file.add(
      chunkOf: file.span(2, 10..<20, depth: 1) + file.span(1, 0..<100, depth: 0), thread: 1)
    return file
  }

  /// Both readings hold the same: the sums by count, whether spans were left open, and no issue.
  private func expect(
    _ slot: SlotBytes, in file: RecordingBytes, sums: [Int], unfinished: [String],
    spans: Int = 2, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var live = LiveBytes()
    live.add(slot)
    let (left, recovered) = try live.read(with: file.bytes)
    for trace in [left, recovered] {
      #expect(trace.folded.map(\.count).sorted() == sums, sourceLocation: sourceLocation)
      #expect(
        trace.spans.unfinished.map { trace.name(ofSpan: $0) } == unfinished,
        sourceLocation: sourceLocation)
      #expect(
        trace.spans.count - unfinished.count == spans, sourceLocation: sourceLocation)
      #expect(trace.source.ending == .killed, sourceLocation: sourceLocation)
      #expect(trace.issues.isEmpty, "\(trace.issues)", sourceLocation: sourceLocation)
      let counts = trace.tracks.first?.counts
      #expect(
        (counts?.belowMinimum ?? 0) + (counts?.overDepth ?? 0) == UInt64(sums.reduce(0, +)),
        sourceLocation: sourceLocation)
    }
  }

  @Test func aChunkThatIsCutOffIsTakenFromItsSlot() throws {
    var file = self.file()
    let spans = file.span(1, 200..<300, depth: 0) + file.span(1, 400..<500, depth: 0)
    file.add(chunkOf: spans, thread: 1)
    var slot = SlotBytes(thread: 1, sequence: 2)
    slot.set(records: spans)
    slot.set(open: 3, since: 600, depth: 0)
    let whole = file.bytes.count
    for cut in stride(from: 0, through: spans.count * 8, by: 8) {
      var torn = file
      torn.cut(whole - cut)
      try expect(slot, in: torn, sums: [], unfinished: ["c"], spans: 4)
    }
    // Other chunks behind it, and zeros where it was not written.
    for cut in stride(from: 8, through: spans.count * 8, by: 8) {
      var torn = file
      torn.cut(whole - cut)
      torn.add(zeros: cut)
      torn.add(thread: 2, names: [])
      try expect(slot, in: torn, sums: [], unfinished: ["c"], spans: 4)
    }
    // A header that ends with a page.
    var header = Array(file.bytes[(whole - spans.count * 8 - 64)...].prefix(64))
    for place in header.indices { slot.set(header[place], at: Slot.chunk + place) }
    for written in stride(from: 8, through: 56, by: 8) {
      for isLast in [true, false] {
        var torn = self.file()
        torn.add(zeros: (4096 - written) - torn.bytes.count % 4096)
        torn.add(bytes: header.prefix(written))
        if !isLast {
          torn.add(zeros: 4096)
          torn.add(thread: 2, names: [])
        }
        try expect(slot, in: torn, sums: [], unfinished: ["c"], spans: 4)
      }
    }
    // What is in no slot is damage.
    header[12] ^= 1
    var other = self.file()
    other.add(zeros: 4080 - other.bytes.count % 4096)
    other.add(bytes: header.prefix(16))
    var live = LiveBytes()
    live.add(slot)
    #expect(try live.read(with: other.bytes).left.issues.map(\.count) == [16])
    file.cut(whole - 8)
    let (left, _) = try LiveBytes().read(with: file.bytes)
    #expect(left.issues.map(\.text) == ["bytes of a last chunk that is cut off or damaged"])
  }

  @Test func aSumThatMovesIsInOnePlace() throws {
    // Sum 1 of two spans goes to sum 0 of five, which is older.
    var before = SlotBytes(thread: 1, sequence: 2)
    before.set(open: 3, since: 300, depth: 0)
    before.set(sum: 0, of: 1, count: 5, total: 50, since: 400, depth: 1)
    before.set(sum: 1, of: 1, count: 2, total: 20, since: 500, depth: 2)
    try expect(before, in: file(), sums: [2, 5], unfinished: ["c"])
    for added in [false, true] {
      var begun = before
      begun.set(step: 1, target: sum, source: secondSum)
      if added { begun.set(sum: 0, of: 1, count: 7, total: 70, since: 400, depth: 1) }
      try expect(begun, in: file(), sums: [2, 5], unfinished: ["c"])
    }
    for removed in [false, true] {
      var turned = before
      turned.set(step: 2, target: sum, source: secondSum)
      turned.set(sum: 0, of: 1, count: 7, total: 70, since: 400, depth: 1)
      if removed { turned.set(UInt64(0), at: secondSum) }
      try expect(turned, in: file(), sums: [7], unfinished: ["c"])
    }
  }

  @Test func aSumThatIsWrittenIsInOnePlace() throws {
    var before = SlotBytes(thread: 1, sequence: 2)
    before.set(open: 3, since: 300, depth: 0)
    before.set(sum: 0, of: 1, count: 5, total: 50, since: 400, depth: 1)
    before.set(step: 1, target: Slot.overDepthCount, source: sum, record: Slot.records)
    try expect(before, in: file(), sums: [5], unfinished: ["c"])
    before.set(UInt64(5), at: Slot.belowMinimumCount)
    try expect(before, in: file(), sums: [5], unfinished: ["c"])
    before.set(records: [
      1_000_000_400 << 8 | 1, EventRecord.word1(.folded, id: 1, byteCount: 64), 70, 5, 50, 50, 50,
      0,
    ])
    try expect(before, in: file(), sums: [5], unfinished: ["c"])
    before.set(UInt32(2), at: Slot.step)
    try expect(before, in: file(), sums: [5], unfinished: ["c"])
    before.set(UInt64(0), at: sum)
    try expect(before, in: file(), sums: [5], unfinished: ["c"])
  }

  @Test func spansOverDepthAreInOnePlace() throws {
    let inner = Slot.openSpans + Slot.openSpanByteCount
    var slot = SlotBytes(thread: 1, sequence: 2)
    slot.set(open: 3, since: 300, depth: 0)
    slot.set(open: 2, since: 400, depth: 1, passedOver: 7)
    try expect(slot, in: file(), sums: [7], unfinished: ["c", "b"])
    // They move to the span around it.
    slot.set(step: 1, target: Slot.openSpans, source: inner + 8, value: 2)
    slot.set(UInt32(7), at: Slot.openSpans + 12)
    try expect(slot, in: file(), sums: [7], unfinished: ["c", "b"])
    slot.set(UInt32(2), at: Slot.step)
    try expect(slot, in: file(), sums: [7], unfinished: ["c", "b"])
    slot.set(UInt64(2), at: inner + 8)
    try expect(slot, in: file(), sums: [7], unfinished: ["c", "b"])
  }

  @Test func aSumThatHasJustBegunIsNone() throws {
    var slot = SlotBytes(thread: 1, sequence: 2)
    slot.set(open: 3, since: 300, depth: 0)
    slot.set(sum: 0, of: 1, count: 0, total: 0, since: 400, depth: 1)
    try expect(slot, in: file(), sums: [], unfinished: ["c"])
  }

  @Test func theLastChunkOfAThreadHoldsWhatItsSlotTells() throws {
    var file = file()
    var slot = SlotBytes(thread: 1, sequence: 2)
    slot.set(UInt32(1), at: Slot.sealed)
    slot.set(open: 3, since: 300, depth: 0)
    slot.set(sum: 0, of: 1, count: 5, total: 50, since: 400, depth: 1)
    slot.set(UInt32(2), at: Slot.lastChunk)
    try expect(slot, in: file, sums: [5], unfinished: ["c"])
    let before = file.bytes.count
    file.add(
      chunkOf: [
        1_000_000_400 << 8 | 1, EventRecord.word1(.folded, id: 1, byteCount: 64), 70, 5, 50, 50,
        50, 0, 1_000_000_300 << 8, EventRecord.word1(.openSpan, id: 3, byteCount: 16),
      ], thread: 1)
    try expect(slot, in: file, sums: [5], unfinished: ["c"])
    // It is cut off.
    for byteCount in stride(from: before + 64, to: file.bytes.count, by: 8) {
      var torn = file
      torn.cut(byteCount)
      try expect(slot, in: torn, sums: [5], unfinished: ["c"])
    }
  }

  @Test func aThreadWithSeveralSlotsIsReadAsOne() throws {
    // The record of the open span is in the other slot; so is that of a sum, which turned with it.
    var home = SlotBytes(thread: 1, sequence: 2)
    home.set(open: 3, since: 300, depth: 0)
    home.set(open: 2, since: 350, depth: 1)
    home.set(sum: 0, of: 1, count: 5, total: 50, since: 400, depth: 2)
    home.set(
      step: 1, target: Slot.overDepthCount, source: sum, record: Slot.records + 16, of: 3)
    home.set(UInt64(5), at: Slot.belowMinimumCount)
    var other = SlotBytes(thread: 1, sequence: 3)
    other.set(records: file().span(2, 350..<700, depth: 1))
    other.set(
      records: [
        1_000_000_400 << 8 | 2, EventRecord.word1(.folded, id: 1, byteCount: 64), 70, 5, 50, 50,
        50, 0,
      ], at: Slot.records + 16)
    var file = self.file()
    file.add(chunkOf: file.span(1, 200..<300, depth: 0), thread: 1)
    var live = LiveBytes()
    live.add(home)
    live.add(other)
    let (left, recovered) = try live.read(with: file.bytes)
    for trace in [left, recovered] {
      #expect(trace.folded.map(\.count) == [5])
      #expect(trace.tracks[0].counts.belowMinimum == 5)
      #expect(trace.spans.unfinished.map { trace.name(ofSpan: $0) } == ["c"])
      #expect(trace.spans.count == 5)
      #expect(trace.issues.isEmpty)
    }
  }

  @Test func whatIsLeftOutAroundAllSpansIsThere() throws {
    var slot = SlotBytes(thread: 1, sequence: 2)
    slot.set(UInt64(1_000_000_250), at: Slot.outermost)
    slot.set(UInt32(4), at: Slot.outermost + 12)
    try expect(slot, in: file(), sums: [4], unfinished: [])
  }

  @Test func anyBytesAreReadWithoutACrash() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var slot = SlotBytes(thread: 1, sequence: 2)
    slot.set(records: file().span(1, 200..<300, depth: 0))
    slot.set(open: 3, since: 300, depth: 0, passedOver: 3)
    slot.set(sum: 0, of: 1, count: 5, total: 50, since: 400, depth: 1)
    slot.set(step: 1, target: sum, source: secondSum)
    let facts = FileHeader.byteCount..<FileHeader.byteCount + Slot.step + Slot.stepByteCount
    let stack = FileHeader.byteCount + Slot.openSpans
    for round in 0..<300 {
      var live = LiveBytes()
      live.add(slot)
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let place =
          Bool.random(using: &random)
          ? Int.random(in: facts, using: &random)
          : Int.random(in: stack..<live.bytes.count, using: &random)
        live.flip(bit: Int.random(in: 0..<8, using: &random), at: place)
      }
      let (left, _) = try live.read(with: file().bytes)
      #expect(left.count(of: "a") >= 1, "seed \(seed) round \(round)")
    }
  }
}

extension Trace {
  /// How many spans have a name.
  fileprivate func count(of name: String) -> Int {
    (0..<spans.count).filter { self.name(ofSpan: $0) == name }.count
  }
}
