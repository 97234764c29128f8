import FlamelarkTrace
import Foundation
import Testing

/// Copies of recordings.
@Suite struct CopyTests {
  private func sample() -> RecordingBytes {
    var file = RecordingBytes()
    file.add(thread: 1, names: ["a", "b"])
    for round in 0..<50 as Range<UInt64> {
      var words: [UInt64] = []
      for call in 0..<40 as Range<UInt64> {
        let start = round * 100_000 + call * 1000
        words += file.span(2, start + 10..<start + 100, depth: 1)
        words += file.span(1, start..<start + 500, depth: 0)
      }
      file.add(chunkOf: words, thread: 1)
    }
    file.addEnd()
    return file
  }

  private func read(_ bytes: [UInt8]) throws -> (trace: Trace, packed: [UInt8], again: [UInt8]) {
    let path = NSTemporaryDirectory() + "/flamelark-copy-\(UUID().uuidString).lark"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    var packed: [UInt8] = []
    var again: [UInt8] = []
    let copy = try RecordingCopy(of: path)
    _ = unsafe copy.write(packed: true) { unsafe packed.append(contentsOf: $0) }
    _ = unsafe copy.write(packed: false) { unsafe again.append(contentsOf: $0) }
    return (trace, packed, again)
  }

  @Test func aPackedTraceReadsTheSame() throws {
    let bytes = sample().bytes
    let whole = try read(bytes)
    let packed = try read(whole.packed)
    #expect(whole.packed.count < bytes.count * 2 / 3)
    #expect(packed.trace.spans.start == whole.trace.spans.start)
    #expect(packed.trace.spans.end == whole.trace.spans.end)
    #expect(packed.trace.spans.site == whole.trace.spans.site)
    #expect(packed.trace.spans.parent == whole.trace.spans.parent)
    #expect(packed.trace.callSites == whole.trace.callSites)
    #expect(packed.trace.source == whole.trace.source)
    #expect(packed.trace.range == whole.trace.range)
    #expect(packed.trace.wallClockZero == whole.trace.wallClockZero)
    #expect(packed.trace.issues.isEmpty)
    // Packing what is packed changes nothing.
    #expect(packed.packed == whole.packed)
    // Unpacked it has the chunks of the beginning, byte for byte, in the order of a copy.
    #expect(packed.again.dropFirst(4096).elementsEqual(whole.again.dropFirst(4096)))
  }

  @Test func aPackedChunkThatMakesNoSenseIsCounted() throws {
    var file = RecordingBytes(minor: 1)
    file.add(thread: 1, names: ["a"])
    file.add(chunkOf: file.span(1, 10..<20, depth: 0), thread: 1)
    // More records than the controls have, and no room for any.
    file.add(chunkOf: [32 | 1 << 32, 40, 47, 0, 0, 0, 0, 0, 0, 0], thread: 1, kind: 3)
    file.add(chunkOf: [99], thread: 1, kind: 3)
    file.addEnd()
    let trace = try read(file.bytes).trace
    #expect(trace.spans.count >= 1)
    #expect(
      trace.issues.map(\.text) == ["packed chunks read up to where they make no sense"])
    #expect(trace.issues.first?.count == 2)
  }
}
