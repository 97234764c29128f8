import FlamelarkFormat
import FlamelarkTrace
import Foundation

/// Builds the live file of a recording of ``RecordingBytes``, slot by slot.
struct LiveBytes {
  private(set) var bytes: [UInt8]

  init() {
    bytes = Array(repeating: 0, count: FileHeader.byteCount)
    var header = FileHeader(
      kind: .live, recordingID: Identifier128(low: 1, high: 2), processID: 77,
      clock: .monotonicNanoseconds,
      start: ClockAnchor(tick: 1_000_000_000, monotonic: 1_000_000_000),
      ticksPerSecond: 1_000_000_000, bootID: Identifier128(low: 3, high: 4), maximumDepth: 255,
      minimumDuration: 0)
    header.live = .standard
    unsafe bytes.withUnsafeMutableBytes { unsafe header.encode(into: $0) }
  }

  mutating func add(_ slot: SlotBytes) { bytes += slot.bytes }

  mutating func flip(bit: Int, at place: Int) { bytes[place] ^= 1 << UInt8(bit) }

  /// Reads a trace file with this one beside it, and what recovery makes of the two.
  func read(with trace: [UInt8]) throws -> (left: Trace, recovered: Trace) {
    let path = NSTemporaryDirectory() + "/flamelark-live-\(UUID().uuidString).lark"
    let copyPath = NSTemporaryDirectory() + "/flamelark-live-\(UUID().uuidString).lark"
    try Data(trace).write(to: URL(fileURLWithPath: path))
    try Data(bytes).write(to: URL(fileURLWithPath: path + ".live"))
    defer {
      for path in [path, path + ".live", copyPath] {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
    var copy: [UInt8] = []
    _ = try unsafe RecordingCopy(of: path).write(packed: false) {
      unsafe copy.append(contentsOf: $0)
    }
    try Data(copy).write(to: URL(fileURLWithPath: copyPath))
    let left = try Trace(contentsOf: path)
    let recovered = try Trace(contentsOf: copyPath)
    try left.checkInvariants()
    try recovered.checkInvariants()
    return (left, recovered)
  }
}

/// One slot, word by word, as `LiveLayout.swift` says.
struct SlotBytes {
  private(set) var bytes = Array(repeating: UInt8(0), count: Slot.byteCount)

  init(thread: UInt32, sequence: UInt32, state: UInt32 = 1) {
    set(state, at: Slot.state)
    set(thread, at: Slot.threadKey)
    set(sequence, at: Slot.sequence)
  }

  mutating func set<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at offset: Int) {
    unsafe bytes.withUnsafeMutableBytes { unsafe $0.store(integer: value, at: offset) }
  }

  mutating func set(records words: [UInt64], at offset: Int = Slot.records) {
    for (index, word) in words.enumerated() { set(word, at: offset + index * 8) }
  }

  /// A span that is open since so many ticks after the start, with spans over depth in it.
  mutating func set(open site: UInt32, since start: UInt64, depth: Int, passedOver: UInt32 = 0) {
    let place = Slot.openSpans + depth * Slot.openSpanByteCount
    set(1_000_000_000 + start, at: place)
    set(site, at: place + 8)
    set(passedOver, at: place + 12)
  }

  /// A sum of spans that were left out.
  mutating func set(
    sum index: Int, of site: UInt32, count: UInt64, total: UInt64, since start: UInt64, depth: Int
  ) {
    let words = [
      1_000_000_000 + start, UInt64(depth << 4), total, 0, total, UInt64(site), count, 0,
    ]
    for (offset, word) in words.enumerated() {
      set(word, at: Slot.folds + index * Slot.foldByteCount + offset * 8)
    }
  }

  /// A change that was being made: what is at `target` is what it was before.
  mutating func set(
    step state: UInt32, target: Int, source: Int, record: Int = 0, of sequence: UInt32 = 2,
    value: UInt64 = 0
  ) {
    set(state, at: Slot.step)
    set(UInt32(target), at: Slot.step + 4)
    set(UInt32(source), at: Slot.step + 8)
    set(UInt32(record), at: Slot.step + 12)
    set(sequence, at: Slot.step + 16)
    set(value, at: Slot.step + 24)
    bytes.replaceSubrange(Slot.step + 32..<Slot.step + 96, with: bytes[target..<target + 64])
  }
}
