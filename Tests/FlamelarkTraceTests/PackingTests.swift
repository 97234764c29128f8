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

  @Test func noCodesMakeUnpackingTrap() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var unpacked = 0
    for _ in 0..<5000 {
      let bytes = Int.random(in: 0...100, using: &random)
      var payload: [UInt8] = []
      for most in [300, 30, 70, 0] as [UInt32] {
        payload.append(integer: UInt32.random(in: 0...most, using: &random))
      }
      for _ in 0..<bytes + 16 { payload.append(UInt8.random(in: 0...255, using: &random)) }
      unpacked += unpack(payload, firstTick: 5) == nil ? 0 : 1
    }
    #expect(unpacked > 0, "seed \(seed)")
  }
}
