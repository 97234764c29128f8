internal import FlamelarkFormat

/// Writes the header and the chunks of a trace file.
struct ChunkWriter {
  private let header: FileHeader
  private let isPacked: Bool
  private let unpacker = Unpacker()
  /// How many bytes were written.
  private(set) var byteCount = 0

  init(header: FileHeader, isPacked: Bool) {
    self.header = header
    self.isPacked = isPacked
  }

  /// Writes the header of `file`, with the version that packed chunks came with.
  mutating func writeHeader<Failure: Error>(
    _ file: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    var bytes = unsafe Array(file[..<FileHeader.byteCount])
    unsafe bytes.withUnsafeMutableBytes { bytes in
      if isPacked {
        unsafe bytes.store(integer: max(header.minor, FileHeader.packedMinor), at: 10)
      }
      let covered = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<(FileHeader.byteCount - 4)])
      unsafe bytes.store(integer: Checksum.crc32c(covered), at: FileHeader.byteCount - 4)
    }
    unsafe try put(bytes, to: sink)
  }

  /// Writes a chunk of `file`, or what a slot of the live file held.
  mutating func write<Failure: Error>(
    _ chunk: Chunk, of file: UnsafeRawBufferPointer,
    to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    guard let offset = chunk.offset else {
      return try unsafe write(
        ChunkToWrite(
          kind: chunk.threadKey == 0 ? .definitions : .events, threadKey: chunk.threadKey,
          sequence: chunk.sequence, lastTick: chunk.lastTick, payload: Array(chunk.bytes)),
        to: sink)
    }
    let whole = unsafe UnsafeRawBufferPointer(
      rebasing: file[offset..<offset + ChunkHeader.byteCount + chunk.bytes.count])
    guard var old = unsafe ChunkHeader(checking: whole), isPacked != chunk.isPacked,
      old.kind != ChunkHeader.Kind.definitions.rawValue
    else {
      byteCount += whole.count
      return try unsafe sink(whole)
    }
    let records = unsafe unpacker.records(of: chunk)
    let payload =
      unsafe isPacked ? unsafe PackedEvents.pack(records, firstTick: old.firstTick) : Array(records)
    old.kind = (isPacked ? ChunkHeader.Kind.packedEvents : .events).rawValue
    old.payloadByteCount = UInt32(payload.count)
    unsafe try put(old.sealing(payload), to: sink)
  }

  /// Writes a new chunk.
  mutating func write<Failure: Error>(
    _ chunk: ChunkToWrite, to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    let packs = isPacked && chunk.kind == .events
    let payload =
      packs
      ? unsafe chunk.payload.withUnsafeBytes {
        unsafe PackedEvents.pack($0, firstTick: header.start.tick)
      } : chunk.payload
    // Nobody read the clocks then: the anchor is the one that the recording began with.
    let head = ChunkHeader(
      kind: (packs ? ChunkHeader.Kind.packedEvents : chunk.kind).rawValue,
      payloadByteCount: UInt32(payload.count), threadKey: chunk.threadKey,
      sequence: chunk.sequence, firstTick: header.start.tick, lastTick: chunk.lastTick,
      anchor: header.start)
    unsafe try put(head.sealing(payload), to: sink)
  }

  private mutating func put<Failure: Error>(
    _ bytes: [UInt8], to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    byteCount += bytes.count
    try unsafe bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try unsafe sink(UnsafeRawBufferPointer(bytes))
    }
  }
}

/// A chunk that is not in the file.
struct ChunkToWrite {
  var kind: ChunkHeader.Kind
  var threadKey: UInt32
  var sequence: UInt32
  /// A tick at or after all of its records.
  var lastTick: UInt64
  var payload: [UInt8]
}

extension ChunkHeader {
  /// The bytes of the chunk.
  fileprivate func sealing(_ payload: [UInt8]) -> [UInt8] {
    var bytes = Array(repeating: UInt8(0), count: Self.byteCount) + payload
    unsafe bytes.withUnsafeMutableBytes { unsafe encode(sealing: $0) }
    return bytes
  }
}
