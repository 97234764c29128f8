extension PackedEvents {
  /// How many bytes the records of a payload have; nil if it can't be one.
  package static func recordByteCount(of payload: UnsafeRawBufferPointer) -> Int? {
    guard let fields = unsafe Fields(payload) else { return nil }
    // No record takes less than a quarter: what a damaged file claims is bounded by what it has.
    guard fields.records <= (fields.controls + fields.data) * 4,
      fields.records <= ChunkHeader.maximumPayload
    else { return nil }
    return fields.records
  }

  /// Unpacks a payload into room for ``recordByteCount(of:)`` bytes. The result is how many bytes were
  /// written: fewer where the controls make no sense.
  package static func unpack(
    _ payload: UnsafeRawBufferPointer, firstTick: UInt64,
    into records: UnsafeMutableRawBufferPointer
  ) -> Int {
    guard let byteCount = unsafe recordByteCount(of: payload), byteCount <= records.count,
      let fields = unsafe Fields(payload), let base = payload.baseAddress,
      let room = records.baseAddress
    else { return 0 }
    let controls = unsafe base + headerByteCount
    let data = unsafe controls + fields.controls
    var steps = PackedSteps(firstTick: firstTick)
    var place = 0
    var written = 0
    for index in 0..<fields.controls {
      let control = unsafe controls.load(fromByteOffset: index, as: UInt8.self)
      // In front of each step the place is within the data, so that what it loads is within the
      // payload: the padding is as long as a step's loads.
      guard place <= fields.data else { break }
      if control & 7 == 7 {
        let units = Int(control >> 3)
        let count = units > 0 ? units * 16 : byteCount - written
        guard place + count <= fields.data, written + count <= byteCount else { break }
        unsafe (room + written).copyMemory(from: data + place, byteCount: count)
        place += count
        written += count
        continue
      }
      guard written &+ 16 <= byteCount else { break }
      let (word0, word1) = unsafe steps.next(control, data, &place)
      unsafe (room + written).storeBytes(of: word0.littleEndian, as: UInt64.self)
      unsafe (room + written).storeBytes(of: word1.littleEndian, toByteOffset: 8, as: UInt64.self)
      written &+= 16
    }
    return place <= fields.data ? written : 0
  }

  /// How many records a payload holds if all are spans; nil if any is something else, is not written
  /// or lacks data.
  package static func spanCount(of payload: UnsafeRawBufferPointer) -> Int? {
    guard let byteCount = unsafe recordByteCount(of: payload),
      let fields = unsafe Fields(payload)
    else { return nil }
    let ones: UInt64 = 0x0101_0101_0101_0101
    let threes: UInt64 = 0x0303_0303_0303_0303
    let data = headerByteCount + fields.controls
    var count = 0
    var length = 0
    var place = headerByteCount
    while place < data {
      // Eight controls at a time: it costs a tenth of reading otherwise.
      if place + 8 <= data {
        let word = unsafe payload.integer(at: place, as: UInt64.self)
        if word & word &>> 1 & word &>> 2 & ones == 0 {
          let (site, gap, farGap) = (word &>> 3 & ones, word &>> 4 & ones, word &>> 5 & ones)
          // In each byte: 1 and the site's bit; 1, 2, 4 or 7; 1 and the duration's two bits.
          let each =
            threes &+ site &+ gap &+ 3 &* farGap &+ 2 &* (gap & farGap) &+ (word &>> 6 & threes)
          // At most 13 each, so the sum of the eight fits the highest byte.
          length &+= Int((each &* ones) &>> 56)
          count &+= 8
          place &+= 8
          continue
        }
      }
      let control = unsafe payload[place]
      place += 1
      guard control & 7 == 7 else {
        length += Int(PackedSteps.byteCount(of: control))
        count += 1
        continue
      }
      let units = Int(control >> 3)
      let bytes = units > 0 ? units * 16 : byteCount - count * 16
      guard bytes >= 0, bytes % 16 == 0, length + bytes <= fields.data,
        let spans = unsafe EventRecord.spanCount(
          of: UnsafeRawBufferPointer(rebasing: payload[data + length..<data + length + bytes]))
      else { return nil }
      count += spans
      length += bytes
    }
    return count * 16 == byteCount && length <= fields.data ? count : nil
  }

  /// The header of a payload that has room for what it announces, and for the padding.
  struct Fields {
    var records: Int
    var controls: Int
    var data: Int

    init?(_ payload: UnsafeRawBufferPointer) {
      guard payload.count >= headerByteCount + padding else { return nil }
      records = unsafe Int(payload.integer(at: 0, as: UInt32.self))
      controls = unsafe Int(payload.integer(at: 4, as: UInt32.self))
      data = unsafe Int(payload.integer(at: 8, as: UInt32.self))
      guard controls + data <= payload.count - headerByteCount - padding else { return nil }
    }
  }
}
