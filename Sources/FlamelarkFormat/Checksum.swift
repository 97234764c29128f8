internal import CFlamelarkFormat

/// CRC-32C, the checksum of headers and chunks.
package enum Checksum {
  /// The checksum of `bytes`, going on from `crc` (0 for the first bytes).
  package static func crc32c(_ bytes: UnsafeRawBufferPointer, continuing crc: UInt32 = 0) -> UInt32
  {
    guard let base = bytes.baseAddress else { return crc }
    return unsafe fl_crc32c(crc, base, bytes.count)
  }

  /// The same by table: what the processor's instruction is tested against.
  package static func crc32cByTable(
    _ bytes: UnsafeRawBufferPointer, continuing crc: UInt32 = 0
  ) -> UInt32 {
    guard let base = bytes.baseAddress else { return crc }
    return unsafe fl_crc32c_by_table(crc, base, bytes.count)
  }
}
