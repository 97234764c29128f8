/// The 64 bytes in front of each chunk. Chunks begin at multiples of 8.
///
///     0  8  magic
///     8  2  kind               1 events of a thread, 2 definitions, 3 packed events (from
///                          version 1.1); others are skipped
///    10  2  0
///    12  4  CRC-32C of bytes 16 ..< 64 and the payload
///    16  4  payload bytes, a multiple of 8
///    20  4  0
///    24  4  thread key         counted by the recorder, since the system reuses its ids; 0: none
///    28  4  sequence           within the thread key, from 1; a gap is a lost chunk
///    32  8  tick when the chunk was begun: its records were written from then on
///    40  8  tick when the chunk was sealed
///    48  8  anchor: tick       read together with
///    56  8  anchor: CLOCK_MONOTONIC, ns
package struct ChunkHeader: Equatable, Sendable {
  package enum Kind: UInt16, Sendable {
    case events = 1
    case definitions = 2
    case packedEvents = 3
  }

  package static let byteCount = 64
  /// "\u{89}LARK\r\n\u{1A}": no text file holds it, and a transfer as text breaks it.
  package static let magic: UInt64 = 0x1A0A_0D4B_5241_4C89
  /// No chunk is longer: a greater length is damage.
  package static let maximumPayload = 1 << 26

  package var kind: UInt16
  package var payloadByteCount: UInt32
  package var threadKey: UInt32
  package var sequence: UInt32
  package var firstTick: UInt64
  package var lastTick: UInt64
  package var anchor: ClockAnchor

  package init(
    kind: UInt16, payloadByteCount: UInt32, threadKey: UInt32, sequence: UInt32, firstTick: UInt64,
    lastTick: UInt64, anchor: ClockAnchor
  ) {
    self.kind = kind
    self.payloadByteCount = payloadByteCount
    self.threadKey = threadKey
    self.sequence = sequence
    self.firstTick = firstTick
    self.lastTick = lastTick
    self.anchor = anchor
  }

  /// Writes the header in front of its payload: `bytes` is the header's room and the payload.
  package func encode(sealing bytes: UnsafeMutableRawBufferPointer) {
    precondition(bytes.count == Self.byteCount + Int(payloadByteCount))
    unsafe bytes.store(integer: Self.magic, at: 0)
    unsafe bytes.store(integer: kind, at: 8)
    unsafe bytes.store(integer: UInt16(0), at: 10)
    unsafe bytes.store(integer: payloadByteCount, at: 16)
    unsafe bytes.store(integer: UInt32(0), at: 20)
    unsafe bytes.store(integer: threadKey, at: 24)
    unsafe bytes.store(integer: sequence, at: 28)
    unsafe bytes.store(integer: firstTick, at: 32)
    unsafe bytes.store(integer: lastTick, at: 40)
    unsafe bytes.store(integer: anchor.tick, at: 48)
    unsafe bytes.store(integer: anchor.monotonic, at: 56)
    let crc = unsafe Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes[16...]))
    unsafe bytes.store(integer: crc, at: 12)
  }

  /// The header at the start of `bytes`, if there is one and its payload is whole.
  ///
  /// - Returns: nil when the magic is missing, the length is impossible, the bytes end too early
  ///   or the checksum differs.
  package init?(checking bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.byteCount,
      unsafe bytes.integer(at: 0, as: UInt64.self) == Self.magic
    else { return nil }
    let payload = unsafe Int(bytes.integer(at: 16, as: UInt32.self))
    guard payload <= Self.maximumPayload, payload % 8 == 0,
      bytes.count >= Self.byteCount + payload
    else { return nil }
    let covered = unsafe UnsafeRawBufferPointer(rebasing: bytes[16..<Self.byteCount + payload])
    guard unsafe Checksum.crc32c(covered) == bytes.integer(at: 12, as: UInt32.self) else {
      return nil
    }
    self.init(
      kind: unsafe bytes.integer(at: 8, as: UInt16.self),
      payloadByteCount: UInt32(payload),
      threadKey: unsafe bytes.integer(at: 24, as: UInt32.self),
      sequence: unsafe bytes.integer(at: 28, as: UInt32.self),
      firstTick: unsafe bytes.integer(at: 32, as: UInt64.self),
      lastTick: unsafe bytes.integer(at: 40, as: UInt64.self),
      anchor: unsafe ClockAnchor(
        tick: bytes.integer(at: 48, as: UInt64.self),
        monotonic: bytes.integer(at: 56, as: Int64.self)))
  }
}
