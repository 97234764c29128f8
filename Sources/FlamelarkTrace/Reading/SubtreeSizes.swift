/// The sizes of the subtrees that the spans of a thread end, and the depths of the spans, in the order
/// of their ends: five bytes a span.
///
/// Sizes and depths make the tree. Who places the spans takes both from here, since the bytes of a file
/// may change until they are read again: then it is some other tree, but one.
///
/// A span takes in those before it that are deeper and did not begin earlier. O(1) a span, over all.
@safe final class SubtreeSizes {
  private let room: UnsafeMutableBufferPointer<UInt32>
  private let depthRoom: UnsafeMutableBufferPointer<UInt8>
  /// The last end of spans that have a record, 0 if there are none.
  let lastTick: UInt64

  /// Finds the sizes of a thread's spans, with those that had not ended behind all others.
  init(of thread: ThreadRecords, with unpacker: Unpacker) {
    unsafe room = UnsafeMutableBufferPointer.allocate(capacity: max(1, thread.count))
    unsafe depthRoom = UnsafeMutableBufferPointer.allocate(capacity: max(1, thread.count))
    unsafe LargePages.advise(UnsafeMutableRawBufferPointer(room))
    unsafe LargePages.advise(UnsafeMutableRawBufferPointer(depthRoom))
    // In locals, which need no check of who else uses them.
    var subtrees = unsafe Subtrees(room, depthRoom)
    var last: UInt64 = 0
    for index in thread.chunks.indices {
      thread.forEachSpan(ofChunk: index, with: unpacker) { span in
        subtrees.add(start: span.start, depth: span.depth)
        last = max(last, span.end)
      }
    }
    for span in thread.open { subtrees.add(start: span.start, depth: span.depth) }
    subtrees.fill()
    lastTick = last
  }

  deinit {
    unsafe room.deallocate()
    unsafe depthRoom.deallocate()
  }

  /// The sizes. No subtree is larger than what lies in front of its end.
  var sizes: UnsafeBufferPointer<UInt32> { unsafe UnsafeBufferPointer(room) }
  var depths: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(depthRoom) }
}

/// The sizes that are known, and the subtrees that have no span around them so far.
@safe private struct Subtrees {
  private struct Subtree {
    var start: UInt64
    var size: UInt32
    var depth: UInt8
  }

  private let room: UnsafeMutableBufferPointer<UInt32>
  private let depths: UnsafeMutableBufferPointer<UInt8>
  private var known = 0
  private var roots: [Subtree] = []

  init(_ room: UnsafeMutableBufferPointer<UInt32>, _ depths: UnsafeMutableBufferPointer<UInt8>) {
    unsafe self.room = room
    unsafe self.depths = depths
  }

  @inline(__always)
  mutating func add(start: UInt64, depth: UInt8) {
    // A file that changes while it is read could give more spans than there is room for.
    guard unsafe known < room.count else { return }
    var size: UInt32 = 1
    while let last = roots.last, last.depth > depth, last.start >= start {
      size += last.size
      roots.removeLast()
    }
    // Nothing takes in a span at the top, nor what lies in front of it.
    if depth == 0 { roots.removeAll(keepingCapacity: true) }
    roots.append(Subtree(start: start, size: size, depth: depth))
    unsafe room.initializeElement(at: known, to: size)
    unsafe depths.initializeElement(at: known, to: depth)
    known += 1
  }

  /// Gives what is missing a size: a file that changes while it is read could give fewer spans.
  func fill() {
    unsafe room[known...].initialize(repeating: 1)
    unsafe depths[known...].initialize(repeating: 0)
  }
}
