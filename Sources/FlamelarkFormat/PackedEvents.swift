/// The payload of a chunk of packed events: the records of an events chunk in a third of the bytes.
///
///     0  4  bytes of the records, as an events chunk has them
///     4  4  controls, a byte each
///     8  4  bytes of the data
///    12  4  0
///    16     controls, then data, then zeros: at least 16, to a multiple of 8
///
/// A control byte announces what follows in the data. The two stand apart so that a reader needs no
/// number to know where the next control is. Numbers have their little end first.
///
///     bits 0…2  0 the span is one less deep than the last one (mostly: it is around it),
///               1…6 it is 0…5 deeper, 7 something else
///     bit  3    bytes of the call site: 1, 2
///     bits 4…5  bytes of the gap: 1, 2, 4, 7
///     bits 6…7  bytes of the duration: 1, 2, 3, 4
///
/// The data are call site, gap, duration in ticks. The gap goes from the end of the last span to the
/// end of one around it, to the beginning of any other. Ticks count modulo 2^56, as in records. In
/// front of the first span the last one has depth 0 and ends at the chunk's first tick.
///
/// Something else, with n in bits 3…7: 16 n bytes of records are data as they are; with n = 0 all that
/// is left. The last span stays what it was. So any bytes can be packed and come back the same.
package enum PackedEvents {
  static let headerByteCount = 16
  static let padding = 16
  private static let tickMask: UInt64 = (1 << EventRecord.tickBits) - 1
  private static let verbatim: UInt8 = 7

  /// Packs the payload of an events chunk.
  package static func pack(_ records: UnsafeRawBufferPointer, firstTick: UInt64) -> [UInt8] {
    var controls: [UInt8] = []
    var data: [UInt8] = []
    controls.reserveCapacity(records.count / 16)
    data.reserveCapacity(records.count / 4)
    var lastEnd = firstTick & tickMask
    var lastDepth = 0
    var place = 0
    // Bytes from here on are taken over as they are.
    var pending = 0
    while place + 16 <= records.count {
      let word0 = unsafe records.integer(at: place, as: UInt64.self)
      let word1 = unsafe records.integer(at: place + 8, as: UInt64.self)
      if word1 & EventRecord.extendedBit != 0 {
        let byteCount = Int(word1 >> 40 & 0xFF) * 16
        guard byteCount > 0, place + byteCount <= records.count else { break }
        place += byteCount
        continue
      }
      let depth = Int(word0 & 0xFF)
      let site = word1 & EventRecord.identifierMask
      let deeper = depth - lastDepth
      guard word1 != 0, site <= 0xFFFF, (-1...5).contains(deeper) else {
        if word1 == 0 { break }
        place += 16
        continue
      }
      unsafe takeOver(records, pending..<place, to: &controls, &data)
      place += 16
      pending = place
      let duration = word1 >> 32
      let start = word0 >> 8
      let end = (start + duration) & tickMask
      let gap = ((deeper < 0 ? end : start) &- lastEnd) & tickMask
      let siteLong: UInt8 = site > 0xFF ? 1 : 0
      let gapCode: UInt8 = gap < 1 << 8 ? 0 : gap < 1 << 16 ? 1 : gap < 1 << 32 ? 2 : 3
      let durationCode = UInt8(max(0, (71 - duration.leadingZeroBitCount) / 8 - 1))
      controls.append(UInt8(deeper + 1) | siteLong << 3 | gapCode << 4 | durationCode << 6)
      data.append(low: site, byteCount: Int(siteLong) + 1)
      data.append(low: gap, byteCount: gapCode == 3 ? 7 : 1 << gapCode)
      data.append(low: duration, byteCount: Int(durationCode) + 1)
      lastEnd = end
      lastDepth = depth
    }
    unsafe takeOver(records, pending..<place, to: &controls, &data)
    if place < records.count {
      controls.append(verbatim)
      unsafe data.append(contentsOf: records[place...])
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headerByteCount + controls.count + data.count + padding + 8)
    for field in [records.count, controls.count, data.count, 0] {
      bytes.append(integer: UInt32(field))
    }
    bytes += controls
    bytes += data
    bytes.append(contentsOf: repeatElement(0, count: padding + (8 - bytes.count % 8) % 8))
    return bytes
  }

  private static func takeOver(
    _ records: UnsafeRawBufferPointer, _ range: Range<Int>, to controls: inout [UInt8],
    _ data: inout [UInt8]
  ) {
    var place = range.lowerBound
    while place < range.upperBound {
      let units = min(31, (range.upperBound - place) / 16)
      controls.append(verbatim | UInt8(units) << 3)
      unsafe data.append(contentsOf: records[place..<place + units * 16])
      place += units * 16
    }
  }
}

extension [UInt8] {
  /// Appends the low bytes of a number, little end first.
  fileprivate mutating func append(low value: UInt64, byteCount: Int) {
    for byte in 0..<byteCount { append(UInt8(truncatingIfNeeded: value >> UInt64(byte * 8))) }
  }
}
