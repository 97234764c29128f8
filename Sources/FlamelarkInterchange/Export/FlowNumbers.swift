/// The numbers of links in an export: each its own, where it has one that no other has.
struct FlowNumbers {
  private var used = Set<UInt64>()
  /// Above all numbers in use, unless there are none above.
  private var last: UInt64

  /// `known` are the numbers that links have.
  init(of known: [UInt64]) { last = known.max() ?? 0 }

  /// A number for the link that has this one.
  mutating func number(for own: UInt64) -> UInt64 {
    own != 0 && used.insert(own).inserted ? own : next()
  }

  /// A number that no link has.
  mutating func next() -> UInt64 {
    repeat { last &+= 1 } while last == 0 || !used.insert(last).inserted
    return last
  }
}
