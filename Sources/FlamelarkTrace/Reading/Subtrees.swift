/// Finds the sizes of the subtrees of spans that come in the order of their ends.
///
/// A span takes in those before it that are deeper and did not begin earlier. O(1) a span, over all.
/// Memory of its own, so that it can be used without checks; whoever holds the last copy gives it
/// back.
@safe struct Subtrees {
  private struct Subtree {
    var start: UInt64
    var size: UInt32
    var depth: UInt8
  }

  /// The sizes, in the order of the spans.
  let sizes: UnsafeMutablePointer<UInt32>
  private let capacity: Int
  private(set) var count = 0
  /// Subtrees that have no span around them so far.
  private var roots: UnsafeMutablePointer<Subtree>
  private var rootCount = 0
  private var rootCapacity = 1024

  /// - Parameter capacity: How many spans there are at most.
  init(capacity: Int) {
    self.capacity = capacity
    unsafe sizes = UnsafeMutablePointer.allocate(capacity: max(1, capacity))
    unsafe roots = UnsafeMutablePointer.allocate(capacity: rootCapacity)
    unsafe LargePages.advise(sizes, byteCount: capacity * 4)
  }

  func deallocate() {
    unsafe sizes.deallocate()
    unsafe roots.deallocate()
  }

  /// Adds the next span.
  @inline(__always)
  mutating func add(start: UInt64, depth: UInt8) {
    // A file that changes while it is read could give more spans than it has room for.
    guard count < capacity else { return }
    var size: UInt32 = 1
    while rootCount > 0, unsafe roots[rootCount - 1].depth > depth,
      unsafe roots[rootCount - 1].start >= start
    {
      rootCount -= 1
      size &+= unsafe roots[rootCount].size
    }
    // Nothing takes in a span at the top, nor what lies in front of it.
    if depth == 0 { rootCount = 0 }
    if rootCount == rootCapacity { grow(to: rootCapacity * 2) }
    unsafe roots[rootCount] = Subtree(start: start, size: size, depth: depth)
    rootCount += 1
    unsafe sizes[count] = size
    count += 1
  }

  /// All spans were added.
  mutating func end() {
    rootCount = 0
    grow(to: 1)
  }

  @inline(never)
  private mutating func grow(to newCapacity: Int) {
    let larger = UnsafeMutablePointer<Subtree>.allocate(capacity: newCapacity)
    unsafe larger.update(from: roots, count: rootCount)
    unsafe roots.deallocate()
    unsafe roots = larger
    rootCapacity = newCapacity
  }
}
