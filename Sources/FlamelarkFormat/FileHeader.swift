/// The first 4 KiB of a trace file, and of the live file beside it.
///
///     0  8  magic "FLAMELRK" (the live file: "FLAMELIV")
///     8  2  major version      a reader refuses a greater one
///    10  2  minor version      a reader skips what it doesn't know
///    12  4  bytes of this header, 4096
///    16 16  recording id       random; the same in the trace file and its live file
///    32  4  process id
///    36  4  clock              0 CLOCK_MONOTONIC in ns, 1 the processor's time-stamp counter
///    40  8  tick at the start
///    48  8  CLOCK_MONOTONIC at the start, ns
///    56  8  CLOCK_REALTIME at the start, ns since 1970
///    64  8  ticks a second, as calibrated at the start (good to about 0.01 %; anchors are better)
///    72 16  boot id            two traces of one boot share CLOCK_MONOTONIC
///    88  4  greatest depth recorded, 1…255
///    92  4  0
///    96  8  least duration recorded, ns
///   104 24  the live file: bytes of a slot, slots a block, blocks (8 each); else 0
///  4088  4  0
///  4092  4  CRC-32C of bytes 0 ..< 4092
package struct FileHeader: Equatable, Sendable {
  package enum Kind: UInt64, Sendable {
    case trace = 0x4B52_4C45_4D41_4C46
    case live = 0x5649_4C45_4D41_4C46
  }

  package enum Clock: UInt32, Sendable {
    case monotonicNanoseconds = 0
    case timeStampCounter = 1
  }

  package static let byteCount = 4096
  package static let major: UInt16 = 1
  package static let minor: UInt16 = 3
  /// The minor version that packed events came with.
  package static let packedMinor: UInt16 = 1

  package var kind: Kind
  package var major = Self.major
  package var minor = Self.minor
  package var recordingID: Identifier128
  package var processID: UInt32
  package var clock: Clock
  package var start: ClockAnchor
  package var ticksPerSecond: UInt64
  package var bootID: Identifier128
  package var maximumDepth: UInt32
  package var minimumDuration: UInt64
  package var live: LiveLayout?

  package init(
    kind: Kind, recordingID: Identifier128, processID: UInt32, clock: Clock, start: ClockAnchor,
    ticksPerSecond: UInt64, bootID: Identifier128, maximumDepth: UInt32, minimumDuration: UInt64,
    live: LiveLayout? = nil
  ) {
    self.kind = kind
    self.recordingID = recordingID
    self.processID = processID
    self.clock = clock
    self.start = start
    self.ticksPerSecond = ticksPerSecond
    self.bootID = bootID
    self.maximumDepth = maximumDepth
    self.minimumDuration = minimumDuration
    self.live = live
  }
}

/// Sixteen bytes that name a recording or a boot.
package struct Identifier128: Equatable, Sendable {
  package var low: UInt64
  package var high: UInt64

  package init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }
}

/// One moment read from every clock.
package struct ClockAnchor: Equatable, Sendable {
  package var tick: UInt64
  /// CLOCK_MONOTONIC in nanoseconds.
  package var monotonic: Int64
  /// CLOCK_REALTIME in nanoseconds since 1970; 0 where it was not read.
  package var realtime: Int64

  package init(tick: UInt64, monotonic: Int64, realtime: Int64 = 0) {
    self.tick = tick
    self.monotonic = monotonic
    self.realtime = realtime
  }
}

/// Why bytes are not a header that this version can read.
package enum FileHeaderError: Error, Equatable, Sendable {
  case tooShort
  case wrongMagic
  case unsupportedVersion(UInt16)
  case badChecksum
  case badField(offset: Int)
}

extension FileHeader {
  /// Writes the header over the first 4 KiB of `bytes`.
  package func encode(into bytes: UnsafeMutableRawBufferPointer) {
    precondition(bytes.count >= Self.byteCount)
    let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<Self.byteCount])
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
    unsafe bytes.store(integer: kind.rawValue, at: 0)
    unsafe bytes.store(integer: major, at: 8)
    unsafe bytes.store(integer: minor, at: 10)
    unsafe bytes.store(integer: UInt32(Self.byteCount), at: 12)
    unsafe bytes.store(integer: recordingID.low, at: 16)
    unsafe bytes.store(integer: recordingID.high, at: 24)
    unsafe bytes.store(integer: processID, at: 32)
    unsafe bytes.store(integer: clock.rawValue, at: 36)
    unsafe bytes.store(integer: start.tick, at: 40)
    unsafe bytes.store(integer: start.monotonic, at: 48)
    unsafe bytes.store(integer: start.realtime, at: 56)
    unsafe bytes.store(integer: ticksPerSecond, at: 64)
    unsafe bytes.store(integer: bootID.low, at: 72)
    unsafe bytes.store(integer: bootID.high, at: 80)
    unsafe bytes.store(integer: maximumDepth, at: 88)
    unsafe bytes.store(integer: minimumDuration, at: 96)
    if let live {
      unsafe bytes.store(integer: UInt64(live.slotByteCount), at: 104)
      unsafe bytes.store(integer: UInt64(live.slotsPerBlock), at: 112)
      unsafe bytes.store(integer: UInt64(live.blockCount), at: 120)
    }
    let crc = unsafe Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes[..<4092]))
    unsafe bytes.store(integer: crc, at: 4092)
  }

  /// Reads and checks a header at the start of `bytes`.
  package init(decoding bytes: UnsafeRawBufferPointer) throws(FileHeaderError) {
    guard bytes.count >= 8 else { throw .tooShort }
    guard let kind = unsafe Kind(rawValue: bytes.integer(at: 0, as: UInt64.self)) else {
      throw .wrongMagic
    }
    guard bytes.count >= Self.byteCount else { throw .tooShort }
    let major = unsafe bytes.integer(at: 8, as: UInt16.self)
    guard major == Self.major else { throw .unsupportedVersion(major) }
    let crc = unsafe Checksum.crc32c(UnsafeRawBufferPointer(rebasing: bytes[..<4092]))
    guard unsafe crc == bytes.integer(at: 4092, as: UInt32.self) else { throw .badChecksum }
    guard unsafe bytes.integer(at: 12, as: UInt32.self) == Self.byteCount else {
      throw .badField(offset: 12)
    }
    guard let clock = unsafe Clock(rawValue: bytes.integer(at: 36, as: UInt32.self)) else {
      throw .badField(offset: 36)
    }
    let ticksPerSecond = unsafe bytes.integer(at: 64, as: UInt64.self)
    guard (1_000...1_000_000_000_000).contains(ticksPerSecond) else { throw .badField(offset: 64) }
    let depth = unsafe bytes.integer(at: 88, as: UInt32.self)
    guard (1...255).contains(depth) else { throw .badField(offset: 88) }

    self.init(
      kind: kind,
      recordingID: unsafe Identifier128(
        low: bytes.integer(at: 16, as: UInt64.self), high: bytes.integer(at: 24, as: UInt64.self)),
      processID: unsafe bytes.integer(at: 32, as: UInt32.self),
      clock: clock,
      start: unsafe ClockAnchor(
        tick: bytes.integer(at: 40, as: UInt64.self),
        monotonic: bytes.integer(at: 48, as: Int64.self),
        realtime: bytes.integer(at: 56, as: Int64.self)),
      ticksPerSecond: ticksPerSecond,
      bootID: unsafe Identifier128(
        low: bytes.integer(at: 72, as: UInt64.self), high: bytes.integer(at: 80, as: UInt64.self)),
      maximumDepth: depth,
      minimumDuration: unsafe bytes.integer(at: 96, as: UInt64.self))
    self.minor = unsafe bytes.integer(at: 10, as: UInt16.self)
    if kind == .live {
      let layout = unsafe LiveLayout(
        slotByteCount: Int(truncatingIfNeeded: bytes.integer(at: 104, as: UInt64.self)),
        slotsPerBlock: Int(truncatingIfNeeded: bytes.integer(at: 112, as: UInt64.self)),
        blockCount: Int(truncatingIfNeeded: bytes.integer(at: 120, as: UInt64.self)))
      guard layout.isPlausible else { throw .badField(offset: 104) }
      self.live = layout
    }
  }
}
