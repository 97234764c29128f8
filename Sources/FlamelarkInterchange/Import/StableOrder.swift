/// Stable sorting of indices by an integer key, linear in their number.
struct StableOrder {
  private var scratch: [UInt32] = []

  /// Sorts part of an array of indices by their keys, ascending; equal keys keep their order.
  mutating func sort(
    _ indices: inout [UInt32], in range: Range<Int>, by key: (UInt32) -> UInt64
  ) {
    guard range.count > 1 else { return }
    var least = UInt64.max
    var greatest = UInt64.min
    var previous = UInt64.min
    var isSorted = true
    for position in range {
      let value = key(indices[position])
      least = min(least, value)
      greatest = max(greatest, value)
      if value < previous { isSorted = false }
      previous = value
    }
    if isSorted { return }
    if range.count <= 32 {
      insert(&indices, in: range, by: key)
    } else {
      distribute(&indices, in: range, by: key, from: least, to: greatest)
    }
  }

  private func insert(
    _ indices: inout [UInt32], in range: Range<Int>, by key: (UInt32) -> UInt64
  ) {
    for position in range.dropFirst() {
      let index = indices[position]
      let value = key(index)
      var hole = position
      while hole > range.lowerBound, key(indices[hole - 1]) > value {
        indices[hole] = indices[hole - 1]
        hole -= 1
      }
      indices[hole] = index
    }
  }

  /// Eleven bits of the key a pass, the lowest first.
  private mutating func distribute(
    _ indices: inout [UInt32], in range: Range<Int>, by key: (UInt32) -> UInt64,
    from least: UInt64, to greatest: UInt64
  ) {
    let bits = UInt64.bitWidth - (greatest - least).leadingZeroBitCount
    if scratch.count < range.count { scratch = [UInt32](repeating: 0, count: range.count) }
    var starts = [Int](repeating: 0, count: 2048)
    for shift in stride(from: 0, to: bits, by: 11) {
      for bucket in starts.indices { starts[bucket] = 0 }
      for position in range {
        starts[Int((key(indices[position]) - least) >> UInt64(shift) & 2047)] += 1
      }
      var sum = 0
      for bucket in starts.indices {
        let count = starts[bucket]
        starts[bucket] = sum
        sum += count
      }
      for position in range {
        let bucket = Int((key(indices[position]) - least) >> UInt64(shift) & 2047)
        scratch[starts[bucket]] = indices[position]
        starts[bucket] += 1
      }
      for offset in 0..<range.count { indices[range.lowerBound + offset] = scratch[offset] }
    }
  }
}

extension Int64 {
  /// A key in the same order.
  var orderKey: UInt64 { UInt64(bitPattern: self) ^ 1 << 63 }
}
