import FlamelarkFormat
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

/// Files whose chunks were cut, changed, moved, repeated and mixed with others: all that is intact
/// comes out, once, and what isn't is counted.
@Suite struct FileFuzzTests {
  private static let threads = 3
  private static let chunks = 8

  /// The file's header with its definitions, its chunks of events, and its end.
  private func parts() -> (head: [UInt8], events: [[UInt8]], end: [UInt8]) {
    var file = RecordingBytes()
    for thread in 1...UInt32(Self.threads) { file.add(thread: thread, names: ["a", "b", "c"]) }
    let head = file.bytes
    var events: [[UInt8]] = []
    for chunk in 0..<Self.chunks as Range<Int> {
      for thread in 1...UInt32(Self.threads) {
        let start = UInt64(chunk) * 10_000 + UInt64(thread)
        let before = file.bytes.count
        file.add(
          chunkOf: file.span(2, start + 10..<start + 20, depth: 1)
            + file.span(3, start + 30..<start + 90, depth: 1)
            + file.span(1, start..<start + 100, depth: 0), thread: thread)
        events.append(Array(file.bytes[before...]))
      }
    }
    let before = file.bytes.count
    file.addEnd()
    return (head, events, Array(file.bytes[before...]))
  }

  private func read(_ bytes: [UInt8]) throws -> Trace {
    let path = NSTemporaryDirectory() + "/flamelark-fuzz-\(UUID().uuidString).lark"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    return trace
  }

  @Test(arguments: [false, true]) func everythingIntactComesOutOnce(_ isPacked: Bool) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var (head, events, end) = parts()
    if isPacked { events = events.map(Self.packed) }
    for round in 0..<300 {
      // Per chunk: left alone, left out, damaged, repeated; then all in any order, junk between.
      var intact = Set<Int>()
      var (lost, damaged, repeated, junk) = (0, 0, 0, 0)
      var pieces: [[UInt8]] = []
      for (index, chunk) in events.enumerated() {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: lost += 1
        case 1:
          var chunk = chunk
          let place = Int.random(in: 12..<chunk.count, using: &random)
          chunk[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
          pieces.append(chunk)
          damaged += 1
        case 2:
          pieces += [chunk, chunk]
          intact.insert(index)
          repeated += 1
        case 3:
          pieces.append(Array(chunk[..<(Int.random(in: 1..<chunk.count / 8, using: &random) * 8)]))
          damaged += 1
        case 4:
          let words = Int.random(in: 1...9, using: &random)
          pieces.append((0..<words * 8).map { _ in UInt8.random(in: 1...255, using: &random) })
          pieces.append(chunk)
          intact.insert(index)
          junk += 1
        default:
          pieces.append(chunk)
          intact.insert(index)
        }
      }
      pieces.shuffle(using: &random)
      let trace = try read(head + pieces.joined() + end)
      let where_ = "seed \(seed) round \(round)"
      #expect(trace.spans.count == intact.count * 3, "\(where_)")
      #expect(
        trace.spans.parent.filter { $0 == Trace.Spans.none }.count == intact.count, "\(where_)")
      func count(_ text: String) -> Int {
        trace.issues.filter { $0.text.contains(text) }.reduce(0) { $0 + $1.count }
      }
      #expect(count("chunks repeated and taken once") == repeated, "\(where_)")
      #expect((count("damaged") > 0) == (damaged + junk > 0), "\(where_)")
      // Chunks that nothing of their thread follows are not seen to be missing.
      var missing = 0
      for thread in 0..<Self.threads {
        let there = intact.filter { $0 % Self.threads == thread }.map { $0 / Self.threads }
        if let last = there.max() { missing += last + 1 - there.count }
      }
      #expect(count("chunks missing, by their numbers") == missing, "\(where_)")
    }
  }

  /// The same chunk with its events packed.
  private static func packed(_ chunk: [UInt8]) -> [UInt8] {
    unsafe chunk.withUnsafeBytes { bytes -> [UInt8] in
      guard var header = unsafe ChunkHeader(checking: bytes) else { return [] }
      let payload = unsafe PackedEvents.pack(
        UnsafeRawBufferPointer(rebasing: bytes[ChunkHeader.byteCount...]),
        firstTick: header.firstTick)
      header.kind = ChunkHeader.Kind.packedEvents.rawValue
      header.payloadByteCount = UInt32(payload.count)
      var result = Array(repeating: UInt8(0), count: ChunkHeader.byteCount) + payload
      unsafe result.withUnsafeMutableBytes { unsafe header.encode(sealing: $0) }
      return result
    }
  }
}
