/// The different strings of a file, by their raw bytes: each is decoded once, however often it
/// stands there.
struct RawNameTable {
  private struct Slot {
    var hash: UInt64 = 0
    var start = 0
    var length = -1
    var id: UInt32 = 0
  }

  private let text: ScanText
  private var slots = [Slot](repeating: Slot(), count: 1024)
  /// Where each string stands for the first time, without its quotes.
  private(set) var ranges: [Range<Int>] = []

  /// The id of no string.
  static let none = UInt32.max

  init(of text: ScanText) { self.text = text }

  /// The id of the string in a range, new if it has none.
  @inline(__always) mutating func intern(_ start: Int, _ end: Int) -> UInt32 {
    let length = end &- start
    let hash = hash(start, length)
    let mask = slots.count &- 1
    var index = Int(truncatingIfNeeded: hash) & mask
    while slots[index].length >= 0 {
      if slots[index].hash == hash, slots[index].length == length,
        text.areEqual(slots[index].start, start, count: length)
      {
        return slots[index].id
      }
      index = (index &+ 1) & mask
    }
    let id = UInt32(ranges.count)
    slots[index] = Slot(hash: hash, start: start, length: length, id: id)
    ranges.append(start..<end)
    if ranges.count &* 2 > slots.count { grow() }
    return id
  }

  private mutating func grow() {
    var greater = [Slot](repeating: Slot(), count: slots.count * 2)
    let mask = greater.count - 1
    for slot in slots where slot.length >= 0 {
      var index = Int(truncatingIfNeeded: slot.hash) & mask
      while greater[index].length >= 0 { index = (index + 1) & mask }
      greater[index] = slot
    }
    slots = greater
  }

  /// Multiply and fold, eight bytes a step. Constants: digits of e and of the square root of 2.
  @inline(__always) private func hash(_ start: Int, _ length: Int) -> UInt64 {
    func mix(_ a: UInt64) -> UInt64 {
      let product = a.multipliedFullWidth(by: 0xB7E1_5162_8AED_2A6B)
      return product.high ^ product.low
    }
    var hash = UInt64(truncatingIfNeeded: length) &+ 0x6A09_E667_F3BC_C908
    var offset = 0
    while offset &+ 8 <= length {
      hash = mix(hash ^ text.eight(start &+ offset)) &+ 0x9E37
      offset &+= 8
    }
    let rest = length &- offset
    if rest > 0 {
      let tail = text.eight(start &+ offset) & (1 &<< UInt64(rest &* 8) &- 1)
      hash = mix(hash ^ tail) &+ 0x79B9
    }
    return hash ^ hash &>> 32
  }
}
