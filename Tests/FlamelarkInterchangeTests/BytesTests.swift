import FlamelarkInterchange
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@Suite struct BytesTests {
  @Test(arguments: [
    ("FLAMELRK\u{1}", InputKind.flamelark), ("FLAMELIV", .flamelarkLive), ("FLAMEL", .unknown),
    ("[", .json), (" \n\t{", .json), ("\u{FEFF}[{", .json), ("\u{FEFF}", .unknown), ("", .empty),
    ("  ", .unknown), ("# tracer: nop", .unknown), ("<html>", .unknown),
  ])
  func theFirstBytesTellTheKind(text: String, kind: InputKind) {
    #expect(unsafe Array(text.utf8).withUnsafeBytes { unsafe InputKind.detect($0) } == kind)
  }

  @Test(arguments: [([0x1F, 0x8B, 8], InputKind.gzip), ([0xFF, 0xFE, 0x5B, 0], .utf16)])
  func binaryKindsToo(bytes: [UInt8], kind: InputKind) {
    #expect(unsafe bytes.withUnsafeBytes { unsafe InputKind.detect($0) } == kind)
  }

  @Test(arguments: [true, false]) func utf16IsRead(isLittle: Bool) throws {
    let json = #"[{"name":"é😀\#u{FFFD}","ph":"X","ts":0,"dur":1,"pid":1,"tid":1}]"#
    var bytes: [UInt8] = []
    for unit in [0xFEFF] + Array(json.utf16) {
      let pair = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      bytes += isLittle ? pair : pair.reversed()
    }
    let trace = try unsafe bytes.withUnsafeBytes { bytes in
      Result { () throws(ImportError) in
        try unsafe Trace(traceEvents: PaddedBytes(utf16: bytes))
      }
    }.get()
    #expect(trace.name(ofSpan: 0) == "é😀\u{FFFD}")
  }

  /// What a compressed form of some bytes gives when it is decompressed, and the issues.
  private func decompress(_ bytes: [UInt8], limit: Int = 1 << 24) throws(ImportError) -> (
    [UInt8], [Trace.Issue]
  ) {
    try unsafe bytes.withUnsafeBytes { bytes in
      Result { () throws(ImportError) in
        let padded = try unsafe PaddedBytes(decompressing: bytes, limit: limit)
        return unsafe (Array(padded.bytes), padded.issues)
      }
    }.get()
  }

  private func compress(_ bytes: [UInt8]) throws -> [UInt8] {
    var result: [UInt8] = []
    var gzip = GzipStream(level: 9)
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe gzip.write(bytes) { unsafe result.append(contentsOf: $0) }
    }
    unsafe gzip.finish { unsafe result.append(contentsOf: $0) }
    return result
  }

  @Test(arguments: [0, 1, 100, 65_535, 65_536, 65_537, 131_072, 1_000_000])
  func whatWasCompressedComesBack(count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    for variety in [0...0, 0...255] as [ClosedRange<UInt8>] {
      let bytes = (0..<count).map { _ in UInt8.random(in: variety, using: &random) }
      let (back, issues) = try decompress(compress(bytes))
      #expect(back == bytes)
      #expect(issues.isEmpty)
    }
  }

  @Test func membersOneAfterAnotherAreOneText() throws {
    let (back, issues) = try decompress(
      compress(Array("[".utf8)) + compress(Array("]".utf8)) + [0, 0, 0, 0])
    #expect(back == Array("[]".utf8))
    #expect(issues.isEmpty)
  }

  @Test func aCutGzipFileGivesItsBeginning() throws {
    let events = (0..<2000).map {
      #"{"name":"e\#($0 % 7)","ph":"X","ts":\#($0 * 3),"dur":2,"pid":1,"tid":1}"#
    }
    let compressed = try compress(Array("[\(events.joined(separator: ",\n"))]".utf8))
    for part in [3, 2] {
      let cut = Array(compressed[..<(compressed.count * (part - 1) / part)])
      let trace = try unsafe cut.withUnsafeBytes { bytes in
        Result { () throws(ImportError) in
          try unsafe Trace(traceEvents: PaddedBytes(decompressing: bytes))
        }
      }.get()
      try trace.checkInvariants()
      #expect(trace.spans.count > 500 && trace.spans.count < 2000)
      #expect(trace.count(of: "gzip files cut") == 1)
      #expect(trace.count(of: "files cut") == 1)
    }
  }

  @Test func moreThanTheLimitIsRefused() throws {
    let bomb = try compress([UInt8](repeating: 0x20, count: 1_000_000))
    #expect(bomb.count < 2000)
    let error = #expect(throws: ImportError.self) { try decompress(bomb, limit: 999_999) }
    #expect(error?.reason == .tooLarge(limit: 999_999))
    #expect(try decompress(bomb, limit: 1_000_000).0.count == 1_000_000)
  }

  @Test(arguments: 0..<8) func changedGzipBytesGiveABeginningOrAnError(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let plain = Array(String(repeating: "[{\"name\":\"a\"}]\n", count: 3000).utf8)
    let compressed = try compress(plain)
    for _ in 0..<200 {
      var bytes = compressed
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(
          in: 1...255, using: &random)
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      do throws(ImportError) {
        let (back, issues) = try decompress(bytes)
        #expect(back == plain || !issues.isEmpty, "seed \(seed)")
      } catch {
        #expect(error.offset <= bytes.count, "seed \(seed)")
      }
    }
  }

  @Test func damagedGzipIsSaid() throws {
    let error = #expect(throws: ImportError.self) { try decompress([0x1F, 0x8B, 9, 9, 9, 9]) }
    #expect(error?.reason == .damagedGzip)
    var bytes = try compress(Array(String(repeating: "hello world", count: 5000).utf8))
    bytes[bytes.count - 6] ^= 0xFF
    let (back, issues) = try decompress(bytes)
    #expect(back.count == 55_000)
    #expect(issues.map(\.count) == [1])
  }
}
