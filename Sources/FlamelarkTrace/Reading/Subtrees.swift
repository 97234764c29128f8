/// Finds the sizes of the subtrees of any spans that come in the order of their ends.
///
/// A span takes in those before it that are deeper and did not begin earlier. O(1) a span, over all.
struct Subtrees {
  private struct Subtree {
    var start: UInt64
    var size: UInt32
    var depth: UInt8
  }

  private var count = 0
  /// Subtrees that have no span around them so far.
  private var roots: [Subtree] = []

  /// Writes the size of the next span's subtree.
  mutating func add(start: UInt64, depth: UInt8, to sizes: UnsafeMutableBufferPointer<UInt32>) {
    // A file that changes while it is read could give more spans than there is room for.
    guard count < sizes.count else { return }
    var size: UInt32 = 1
    while let last = roots.last, last.depth > depth, last.start >= start {
      size += last.size
      roots.removeLast()
    }
    // Nothing takes in a span at the top, nor what lies in front of it.
    if depth == 0 { roots.removeAll(keepingCapacity: true) }
    roots.append(Subtree(start: start, size: size, depth: depth))
    unsafe sizes[count] = size
    count += 1
  }
}
