import FlamelarkFormat

/// Builds the bytes of a recording record by record, as `Documentation/TraceFormat.md` says: ticks
/// are nanoseconds unless said otherwise.
struct RecordingBytes {
  private(set) var bytes: [UInt8]
  private var sequences: [UInt32: UInt32] = [:]
  let start: UInt64 = 1_000_000_000

  init(minor: UInt16 = 0, ticksPerSecond: UInt64 = 1_000_000_000) {
    bytes = Array(repeating: 0, count: FileHeader.byteCount)
    var header = FileHeader(
      kind: .trace, recordingID: Identifier128(low: 1, high: 2), processID: 77,
      clock: ticksPerSecond == 1_000_000_000 ? .monotonicNanoseconds : .timeStampCounter,
      start: ClockAnchor(tick: start, monotonic: Int64(start), realtime: 1_700_000_000_000_000_000),
      ticksPerSecond: ticksPerSecond, bootID: Identifier128(low: 3, high: 4), maximumDepth: 255,
      minimumDuration: 0)
    header.minor = minor
    unsafe bytes.withUnsafeMutableBytes { unsafe header.encode(into: $0) }
  }

  mutating func add(
    chunkOf words: [UInt64], thread: UInt32, kind: UInt16 = ChunkHeader.Kind.events.rawValue,
    sequence: UInt32? = nil
  ) {
    var payload: [UInt8] = []
    for word in words { payload.append(integer: word) }
    add(chunk: payload, thread: thread, kind: kind, sequence: sequence)
  }

  mutating func add(chunk payload: [UInt8], thread: UInt32, kind: UInt16, sequence: UInt32? = nil) {
    let next = sequence ?? sequences[thread, default: 0] + 1
    sequences[thread] = next
    var chunk = Array(repeating: UInt8(0), count: ChunkHeader.byteCount) + payload
    let header = ChunkHeader(
      kind: kind, payloadByteCount: UInt32(payload.count), threadKey: thread, sequence: next,
      firstTick: start, lastTick: start + 10_000_000_000,
      anchor: ClockAnchor(tick: start, monotonic: Int64(start)))
    unsafe chunk.withUnsafeMutableBytes { unsafe header.encode(sealing: $0) }
    bytes += chunk
  }

  /// Names a thread and call sites 1… of these names.
  mutating func add(thread key: UInt32, names: [String]) {
    var records: [UInt8] = []
    for (index, name) in (["main", "File.swift"] + names).enumerated() {
      var body: [UInt8] = []
      body.append(integer: UInt32(index + 1))
      body.append(integer: UInt32(name.utf8.count))
      records += DefinitionRecord.encoded(.string, body + Array(name.utf8))
    }
    for index in names.indices {
      var body: [UInt8] = []
      for field in [UInt32(index + 1), UInt32(index + 3), 2, UInt32(index + 10)] {
        body.append(integer: field)
      }
      records += DefinitionRecord.encoded(.callSite, body)
    }
    var body: [UInt8] = []
    for field in [key, 77, 1, 0] as [UInt32] { body.append(integer: field) }
    body.append(integer: start)
    records += DefinitionRecord.encoded(.thread, body)
    add(chunk: records, thread: 0, kind: ChunkHeader.Kind.definitions.rawValue)
  }

  /// Leaves so many bytes.
  mutating func cut(_ byteCount: Int) { bytes.removeLast(bytes.count - byteCount) }

  mutating func add(bytes more: some Sequence<UInt8>) { bytes += more }

  mutating func add(zeros count: Int) { bytes += Array(repeating: 0, count: count) }

  mutating func addEnd() {
    var body: [UInt8] = []
    body.append(integer: start + 10_000_000_000)
    add(
      chunk: DefinitionRecord.encoded(.end, body), thread: 0,
      kind: ChunkHeader.Kind.definitions.rawValue)
  }

  /// A span's two words; times are nanoseconds after the start.
  func span(_ site: UInt32, _ range: Range<UInt64>, depth: UInt64) -> [UInt64] {
    [
      (start + range.lowerBound) << 8 | depth,
      (range.upperBound - range.lowerBound) << 32 | UInt64(site),
    ]
  }
}
