/// From a node and a name to a node: open addressing over two arrays, no object an edge.
struct EdgeTable: Sendable {
  private var keys: [UInt64]
  private var values: [UInt32]
  private var count = 0
  private var shift: UInt64

  /// No node has this number.
  private static let empty = UInt64.max

  init() {
    keys = Array(repeating: Self.empty, count: 64)
    values = Array(repeating: 0, count: 64)
    shift = 58
  }

  /// What an edge leads to, nil if there is none. O(1).
  func find(_ node: UInt32, _ name: UInt32) -> UInt32? {
    let key = UInt64(node) << 32 | UInt64(name)
    var slot = slot(of: key)
    while true {
      if keys[slot] == key { return values[slot] }
      if keys[slot] == Self.empty { return nil }
      slot = (slot + 1) & (keys.count - 1)
    }
  }

  /// Adds an edge that isn't there.
  mutating func insert(_ node: UInt32, _ name: UInt32, _ value: UInt32) {
    if count * 3 >= keys.count * 2 { grow() }
    place(UInt64(node) << 32 | UInt64(name), value)
    count += 1
  }

  private mutating func place(_ key: UInt64, _ value: UInt32) {
    var slot = slot(of: key)
    while keys[slot] != Self.empty { slot = (slot + 1) & (keys.count - 1) }
    keys[slot] = key
    values[slot] = value
  }

  private mutating func grow() {
    let old = (keys, values)
    keys = Array(repeating: Self.empty, count: old.0.count * 2)
    values = Array(repeating: 0, count: old.0.count * 2)
    shift -= 1
    for (key, value) in zip(old.0, old.1) where key != Self.empty { place(key, value) }
  }

  private func slot(of key: UInt64) -> Int {
    let mixed = (key ^ key >> 29) &* 0xBF58_476D_1CE4_E5B9
    // The upper bits of a product depend on all bits of its factors.
    return Int(truncatingIfNeeded: ((mixed ^ mixed >> 32) &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }
}
