import FlamelarkFormat
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

@Suite struct PackingTests {
  /// Records of every kind and of none, in any order.
  private func randomRecords(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    var tick = UInt64.random(in: 0..<1 << 56, using: &random)
    var depth: UInt64 = 0
    for _ in 0..<Int.random(in: 0...300, using: &random) {
      switch Int.random(in: 0..<40, using: &random) {
      case 0:
        let units = Int.random(in: 1...255, using: &random)
        bytes.append(integer: UInt64.random(in: 0...UInt64.max, using: &random))
        bytes.append(integer: 1 << 31 | UInt64(units) << 40 | UInt64(7) << 32)
        for _ in 2..<units * 2 { bytes.append(integer: UInt64.random(in: 0...9, using: &random)) }
      case 1:
        bytes.append(integer: UInt64.random(in: 0...UInt64.max, using: &random))
        bytes.append(integer: UInt64.random(in: 0...UInt64.max, using: &random))
      case 2:
        // Not written, or not a record.
        bytes.append(integer: UInt64.random(in: 0...UInt64.max, using: &random))
        bytes.append(integer: [0, 1 << 31].randomElement(using: &random) ?? 0 as UInt64)
      default:
        tick &+= UInt64.random(
          in: 0..<1 << UInt64.random(in: 1...57, using: &random), using: &random)
        depth = UInt64.random(in: 0...1, using: &random) == 0 ? depth &- 1 : depth &+ 2
        let duration = UInt64.random(
          in: 0..<1 << UInt64.random(in: 1...32, using: &random), using: &random)
        let site = UInt64.random(
          in: 0..<1 << UInt64.random(in: 1...31, using: &random), using: &random)
        bytes.append(integer: tick << 8 | depth & 0xFF)
        bytes.append(integer: duration << 32 | site)
      }
    }
    if Bool.random(using: &random) { bytes.removeLast(min(bytes.count, 8)) }
    return bytes
  }

  private func unpack(_ payload: [UInt8], firstTick: UInt64) -> [UInt8]? {
    unsafe payload.withUnsafeBytes { payload in
      guard let count = unsafe PackedEvents.recordByteCount(of: payload) else { return nil }
      var records = Array(repeating: UInt8(0xAA), count: count)
      let written = unsafe records.withUnsafeMutableBytes {
        unsafe PackedEvents.unpack(payload, firstTick: firstTick, into: $0)
      }
      return Array(records[..<written])
    }
  }

  @Test func anyBytesComeBackTheSame() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for round in 0..<2000 {
      let records = randomRecords(&random)
      let firstTick = UInt64.random(in: 0...UInt64.max, using: &random)
      let packed = unsafe records.withUnsafeBytes {
        unsafe PackedEvents.pack($0, firstTick: firstTick)
      }
      #expect(packed.count % 8 == 0)
      guard unpack(packed, firstTick: firstTick) == records else {
        Issue.record("seed \(seed) round \(round): \(records.count) bytes differ")
        return
      }
    }
  }

  @Test func spansOfACallTreeTakeAThird() {
    var file = RecordingBytes()
    var words: [UInt64] = []
    for round in 0..<1000 as Range<UInt64> {
      let start = round * 1000
      words += file.span(200, start + 20..<start + 120, depth: 1)
      words += file.span(300, start + 150..<start + 400, depth: 1)
      words += file.span(100, start..<start + 420, depth: 0)
    }
    file.add(chunkOf: words, thread: 1)
    var records: [UInt8] = []
    for word in words { records.append(integer: word) }
    let packed = unsafe records.withUnsafeBytes {
      unsafe PackedEvents.pack($0, firstTick: file.start)
    }
    #expect(packed.count < records.count / 3, "\(packed.count) of \(records.count)")
  }

  @Test func spansAloneAreToldFromOtherRecords() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let words: [UInt64] = [0, 1 << 31, 1 << 32, 1 << 63, 5, 7 << 32 | 9, 1 << 31 | 1 << 40, .max]
    for _ in 0..<2000 {
      let few = words.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
      let records = (0..<Int.random(in: 0...9, using: &random) * 2).map { _ in
        few.randomElement(using: &random) ?? 0
      }
      let areSpans = stride(from: 1, to: records.count, by: 2).allSatisfy {
        records[$0] != 0 && records[$0] & 1 << 31 == 0
      }
      let count = unsafe records.withUnsafeBytes { unsafe EventRecord.spanCount(of: $0) }
      #expect(count == (areSpans ? records.count / 2 : nil), "seed \(seed): \(records)")
    }
  }

  /// Spans as `spanCount` says, some at a time. nil if it says that there are others.
  private func unpackSpans(_ payload: UnsafeRawBufferPointer, firstTick: UInt64, most: Int)
    -> [UInt8]?
  {
    guard let count = unsafe PackedEvents.spanCount(of: payload),
      var spans = unsafe PackedSpans(payload, firstTick: firstTick, count: count)
    else { return nil }
    var records = Array(repeating: UInt8(0xAA), count: count * 16)
    unsafe records.withUnsafeMutableBytes { records in
      for first in stride(from: 0, to: records.count, by: most * 16) {
        let some = unsafe records[first..<min(records.count, first + most * 16)]
        unsafe spans.unpack(into: UnsafeMutableRawBufferPointer(rebasing: some))
      }
    }
    return records
  }

  @Test func spansAloneUnpackTheSameSomeAtATime() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var plain = 0
    for round in 0..<2000 {
      var records = randomRecords(&random)
      // In most rounds spans alone, of any numbers.
      for place in stride(from: 0, to: records.count, by: 16) where round % 4 != 0 {
        guard place + 16 <= records.count else {
          records.removeLast(records.count - place)
          break
        }
        records[place + 11] &= 0x7F
        records[place + 8] |= 1
      }
      let areSpans = stride(from: 0, to: records.count, by: 16).allSatisfy { place in
        place + 16 <= records.count && records[place + 11] & 0x80 == 0
          && records[place + 8..<place + 16].contains { $0 != 0 }
      }
      let firstTick = UInt64.random(in: 0...UInt64.max, using: &random)
      let most = Int.random(in: 1...50, using: &random)
      let packed = unsafe records.withUnsafeBytes {
        unsafe PackedEvents.pack($0, firstTick: firstTick)
      }
      let unpacked = unsafe packed.withUnsafeBytes {
        unsafe unpackSpans($0, firstTick: firstTick, most: most)
      }
      guard unpacked == (areSpans ? records : nil) else {
        Issue.record("seed \(seed) round \(round): \(records.count) bytes differ")
        return
      }
      plain += areSpans ? 1 : 0
    }
    #expect(plain > 500)
  }

  @Test func noCodesMakeUnpackingTrapOrReadFurther() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let guarded = GuardedBytes(capacity: 4096)
    var unpacked = 0
    for _ in 0..<20000 {
      let bytes = Int.random(in: 0...100, using: &random)
      var payload: [UInt8] = []
      for most in [300, 30, 70, 0] as [UInt32] {
        payload.append(integer: UInt32.random(in: 0...most, using: &random))
      }
      for _ in 0..<bytes + 16 { payload.append(UInt8.random(in: 0...255, using: &random)) }
      unsafe guarded.withBytes(payload) { payload in
        if let count = unsafe PackedEvents.recordByteCount(of: payload) {
          var records = Array(repeating: UInt8(0), count: count)
          let written = unsafe records.withUnsafeMutableBytes {
            unsafe PackedEvents.unpack(payload, firstTick: 5, into: $0)
          }
          #expect(written <= count)
          unpacked += 1
        }
        _ = unsafe unpackSpans(payload, firstTick: 5, most: 7)
        // As many as there were before the file changed.
        let count = Int.random(in: 0...200, using: &random)
        guard var spans = unsafe PackedSpans(payload, firstTick: 5, count: count) else { return }
        var room = Array(repeating: UInt8(0), count: count * 16)
        unsafe room.withUnsafeMutableBytes { unsafe spans.unpack(into: $0) }
      }
    }
    #expect(unpacked > 0, "seed \(seed)")
  }
}
