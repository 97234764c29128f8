/// The sizes of the subtrees that the spans of a thread end, in the order of their ends: four bytes a
/// span.
///
/// A span takes in those before it that are deeper and did not begin earlier. O(1) a span, over all.
@safe final class SubtreeSizes {
  private struct Subtree {
    var start: UInt64
    var size: UInt32
    var depth: UInt8
  }

  private let room: UnsafeMutableBufferPointer<UInt32>
  private var known = 0
  /// The last end of spans that have a record, 0 if there are none.
  private(set) var lastTick: UInt64 = 0
  /// Subtrees that have no span around them so far.
  private var roots: [Subtree] = []

  /// Finds the sizes of a thread's spans, with those that had not ended behind all others.
  init(of thread: ThreadRecords, with unpacker: Unpacker) {
    unsafe room = UnsafeMutableBufferPointer.allocate(capacity: max(1, thread.count))
    unsafe LargePages.advise(UnsafeMutableRawBufferPointer(room))
    for index in thread.chunks.indices {
      thread.forEachSpan(ofChunk: index, with: unpacker) { span in
        add(start: span.start, depth: span.depth)
        lastTick = max(lastTick, span.end)
      }
    }
    for span in thread.open { add(start: span.start, depth: span.depth) }
    // Fewer in a file that changes while it is read.
    unsafe room[known...].initialize(repeating: 1)
    roots = []
  }

  deinit { unsafe room.deallocate() }

  /// The sizes. No subtree is larger than what lies in front of its end.
  var sizes: UnsafeBufferPointer<UInt32> { unsafe UnsafeBufferPointer(room) }

  private func add(start: UInt64, depth: UInt8) {
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
    known += 1
  }
}
