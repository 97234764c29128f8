import FlamelarkFormat
import Testing
import _FlamelarkTestSupport

@Suite struct ChecksumTests {
  /// RFC 3720, appendix B.4.
  @Test func publishedValues() {
    func crc(_ bytes: [UInt8]) -> UInt32 {
      unsafe bytes.withUnsafeBytes { unsafe Checksum.crc32c($0) }
    }
    #expect(crc(Array(repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(crc(Array(repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    #expect(crc(Array(0..<32)) == 0x46DD_794E)
    #expect(crc(Array("123456789".utf8)) == 0xE306_9283)
  }

  @Test func theInstructionAndTheTableAgreeAtEveryLength() {
    var random = SeededGenerator(seed: 1)
    let bytes = (0..<10_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    for count in [0, 1, 7, 8, 9, 63, 3071, 3072, 3073, 6144, 6145, 9999] {
      for start in 0..<2 {
        let part = Array(bytes[start..<start + count])
        let (byInstruction, byTable) = unsafe part.withUnsafeBytes { part in
          unsafe (
            Checksum.crc32c(part, continuing: 5), Checksum.crc32cByTable(part, continuing: 5)
          )
        }
        #expect(byInstruction == byTable, "\(count) bytes from \(start)")
      }
    }
  }
}
