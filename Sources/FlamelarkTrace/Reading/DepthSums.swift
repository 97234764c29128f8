/// Finds the sizes of the subtrees of sound spans that come in the order of their ends: by sums of
/// sizes at each depth, without a choice that a processor could guess wrong.
///
/// Spans are sound where each follows the spans inside it, all of which are one deeper and began
/// at or after it. ``Subtrees`` takes any others. Memory of its own: whoever holds the last copy
/// gives it back.
@safe struct DepthSums {
  private struct Level {
    /// The sizes of subtrees at this depth that no span took in so far.
    var size: UInt32 = 0
    /// The first beginning of them.
    var start = UInt64.max
  }

  private let levels: UnsafeMutablePointer<Level>
  private var lastDepth = 0
  /// How many spans were added.
  private(set) var count = 0
  /// Whether all sizes are right.
  private(set) var isSound = true

  init() {
    unsafe levels = UnsafeMutablePointer.allocate(capacity: 257)
    unsafe levels.initialize(repeating: Level(), count: 257)
  }

  func deallocate() { unsafe levels.deallocate() }

  /// Writes the size of the next span's subtree.
  @inline(__always)
  mutating func add(start: UInt64, depth: UInt8, to sizes: UnsafeMutableBufferPointer<UInt32>) {
    // A file that changes while it is read could give more spans than there is room for.
    guard count < sizes.count, let base = sizes.baseAddress else { return }
    let depth = Int(depth)
    let level = unsafe levels + depth
    let inside = unsafe level + 1
    isSound = unsafe isSound && (depth &+ 1 >= lastDepth) && (inside.pointee.start >= start)
    let size = unsafe inside.pointee.size &+ 1
    unsafe inside.pointee = Level()
    unsafe level.pointee.size &+= size
    unsafe level.pointee.start = min(level.pointee.start, start)
    unsafe base[count] = size
    count &+= 1
    lastDepth = depth
  }
}
