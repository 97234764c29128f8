import Glibc

/// Writes a trace as `Documentation/TraceFormat.md` says, without the library's help: a random tree
/// of calls on two threads, at most 13 deep, 260 names, at 2.6 GHz.
struct TraceWriter {
  private let output: UnsafeMutablePointer<FILE>
  private var random: UInt64 = 1
  static let start: UInt64 = 1 << 40
  static let ticksPerSecond: UInt64 = 2_600_000_000
  private static let names = 260
  private let checksumTable: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0x82F6_3B78 : 0) }
  }

  /// A thread's call tree on its way: spans that are open, and records that are not in a chunk.
  struct Thread {
    var key: UInt32
    var sequence: UInt32 = 0
    var tick = TraceWriter.start
    var begun = TraceWriter.start
    var records: [UInt64] = []
  }

  init(_ output: UnsafeMutablePointer<FILE>) { self.output = output }

  mutating func write(spanCount: Int) {
    writeHeader()
    writeDefinitions()
    var threads = [Thread(key: 1), Thread(key: 2)]
    for index in threads.indices {
      var left = spanCount / threads.count
      while left > 0 { call(depth: 0, in: &threads[index], left: &left) }
      flush(&threads[index])
    }
    writeEnd(threads.map(\.tick).max() ?? Self.start)
  }

  mutating func writeEnd(_ tick: UInt64) {
    var end = Bytes()
    end.add(record: 10, [tick])
    writeChunk(kind: 2, key: 0, sequence: 2, from: Self.start, to: Self.start, end.bytes)
  }

  /// One span in eleven, with ten sums of spans that a filter left out in it.
  mutating func writeSums(count: Int) {
    writeHeader()
    writeDefinitions()
    var thread = Thread(key: 1)
    for _ in 0..<count / 11 {
      let start = thread.tick
      for _ in 0..<10 {
        let (times, time) = (next(50) + 1, next(3000) + 100)
        let site = next(UInt64(Self.names)) + 1
        thread.records += [
          thread.tick << 8 | 1, site | 1 << 31 | 11 << 32 | 4 << 40, times * time + 50, times,
          times * time, times * time / 2, time, 0,
        ]
        thread.tick += times * time + 60
      }
      thread.records += [start << 8, (thread.tick - start) << 32 | 1]
      if thread.records.count >= 8000 { flush(&thread) }
    }
    flush(&thread)
    writeEnd(thread.tick)
  }

  mutating func next(_ bound: UInt64) -> UInt64 {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (random >> 33) % bound
  }

  /// One call with those in it. Half of all take less than 50 ns.
  private mutating func call(depth: UInt64, in thread: inout Thread, left: inout Int) {
    left -= 1
    let site = next(UInt64(Self.names)) + 1
    let start = thread.tick
    thread.tick += 20 + next(30)
    let calls = depth < 12 && next(100) < 40 + (depth < 4 ? 50 : 0) ? next(5) + 1 : 0
    for _ in 0..<calls where left > 0 {
      call(depth: depth + 1, in: &thread, left: &left)
      thread.tick += 20 + next(60)
    }
    if calls == 0 { thread.tick += 1 << next(7) + next(64) }
    thread.records.append(start << 8 | depth)
    thread.records.append((thread.tick - start) << 32 | site)
    if thread.records.count == 8000 { flush(&thread) }
  }

  mutating func flush(_ thread: inout Thread) {
    guard !thread.records.isEmpty else { return }
    thread.sequence += 1
    var bytes = Bytes()
    bytes.add(words: thread.records)
    writeChunk(
      kind: 1, key: thread.key, sequence: thread.sequence, from: thread.begun, to: thread.tick,
      bytes.bytes)
    thread.begun = thread.tick
    thread.records.removeAll(keepingCapacity: true)
  }

  mutating func writeHeader() {
    var bytes = Bytes()
    bytes.add(words: [0x4B52_4C45_4D41_4C46, 1 | 4096 << 32, 1, 2, 77 | 1 << 32])
    bytes.add(words: [
      Self.start, nanoseconds(Self.start), 1_700_000_000_000_000_000, Self.ticksPerSecond,
    ])
    bytes.add(words: [3, 4, 255, 0])
    bytes.add(words: Array(repeating: 0, count: (4088 - bytes.bytes.count) / 8))
    bytes.add(UInt32(0))
    bytes.add(checksum(bytes.bytes[...]))
    put(bytes.bytes)
  }

  private mutating func writeDefinitions() {
    var bytes = Bytes()
    for name in 1...UInt32(Self.names) {
      bytes.add(string: name, "function \(name)")
      bytes.add(record: 2, [UInt64(name) | UInt64(name) << 32, UInt64(name) << 32])
    }
    for key in 1...2 as ClosedRange<UInt64> {
      bytes.add(record: 3, [key | (76 + key) << 32, 1, Self.start])
    }
    writeChunk(kind: 2, key: 0, sequence: 1, from: Self.start, to: Self.start, bytes.bytes)
  }

  mutating func writeChunk(
    kind: UInt64, key: UInt32, sequence: UInt32, from: UInt64, to: UInt64, _ payload: [UInt8]
  ) {
    var covered = Bytes()
    covered.add(words: [
      UInt64(payload.count), UInt64(key) | UInt64(sequence) << 32, from, to, to, nanoseconds(to),
    ])
    let crc = checksum((covered.bytes + payload)[...])
    var head = Bytes()
    head.add(words: [0x1A0A_0D4B_5241_4C89, kind | UInt64(crc) << 32])
    put(head.bytes + covered.bytes + payload)
  }

  func nanoseconds(_ tick: UInt64) -> UInt64 {
    tick.multipliedFullWidth(by: 1_000_000_000).high == 0
      ? tick * 1_000_000_000 / Self.ticksPerSecond
      : Self.ticksPerSecond.dividingFullWidth(tick.multipliedFullWidth(by: 1_000_000_000)).quotient
  }

  private func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { crc, byte in
      crc >> 8 ^ checksumTable[Int(UInt8(truncatingIfNeeded: crc) ^ byte)]
    }
  }

  private func put(_ bytes: [UInt8]) { fwrite(bytes, 1, bytes.count, output) }
}

/// Little-endian bytes.
struct Bytes {
  private(set) var bytes: [UInt8] = []

  mutating func add<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func add(words: [UInt64]) { for word in words { add(word) } }

  mutating func add(record kind: UInt64, _ words: [UInt64]) {
    add(UInt64(8 + words.count * 8) | kind << 32)
    add(words: words)
  }

  mutating func add(string id: UInt32, _ text: String) {
    let padded = Array(text.utf8) + Array(repeating: 0, count: (8 - text.utf8.count % 8) % 8)
    add(UInt64(16 + padded.count) | 1 << 32)
    add(UInt64(id) | UInt64(text.utf8.count) << 32)
    bytes += padded
  }
}
