/// What the last span of packed events leaves to the next, and how a control and its data make one.
@safe struct PackedSteps {
  /// What follows a control in the data, and what it says of the depth.
  private struct Code {
    var gapMask: UInt64
    /// All ones if the span is around the last one, 0 if it isn't.
    var around: UInt64
    var durationMask: UInt32
    var siteMask: UInt16
    var deeper: UInt8
    /// Where the gap and the duration are behind the site, and where the next span's data are.
    var gapPlace: UInt8
    var durationPlace: UInt8
    var byteCount: UInt8

    init(_ control: UInt8) {
      let siteBytes = 1 + control >> 3 & 1
      let gapBytes = [1, 2, 4, 7][Int(control >> 4 & 3)] as UInt8
      let durationBytes = 1 + control >> 6
      gapMask = 1 << (UInt64(gapBytes) * 8) - 1
      around = control & 7 == 0 ? .max : 0
      durationMask = .max >> (32 - UInt32(durationBytes) * 8)
      siteMask = siteBytes == 1 ? 0xFF : 0xFFFF
      deeper = control & 7 &- 1
      gapPlace = siteBytes
      durationPlace = siteBytes + gapBytes
      byteCount = siteBytes + gapBytes + durationBytes
    }
  }

  /// By control; 8 KiB that stay. A pointer, since an array would be checked with each access.
  private nonisolated(unsafe) static let codes: UnsafePointer<Code> = {
    let codes = UnsafeMutablePointer<Code>.allocate(capacity: 256)
    for control in 0...UInt8.max {
      unsafe (codes + Int(control)).initialize(to: Code(control))
    }
    return unsafe UnsafePointer(codes)
  }()

  private let codes: UnsafePointer<Code>
  /// Modulo 2^56, but for its high bits.
  private var lastEnd: UInt64
  private var lastDepth: UInt8 = 0

  /// In front of the first span of a chunk that was begun at a tick.
  init(firstTick: UInt64) {
    unsafe codes = Self.codes
    lastEnd = firstTick
  }

  /// How many bytes of data follow a control.
  static func byteCount(of control: UInt8) -> UInt8 { unsafe codes[Int(control)].byteCount }

  /// A span's record from its control and the data at a place, which goes behind them: by 13 bytes at
  /// most. At most 13 bytes from the place on are loaded.
  @inline(__always)
  mutating func next(
    _ control: UInt8, _ data: UnsafeRawPointer, _ place: inout Int
  ) -> (word0: UInt64, word1: UInt64) {
    let code = unsafe codes + Int(control)
    let numbers = unsafe data + place
    let site = unsafe UInt16(littleEndian: numbers.loadUnaligned(as: UInt16.self))
    let gap = unsafe UInt64(
      littleEndian: (numbers + Int(code.pointee.gapPlace)).loadUnaligned(as: UInt64.self))
    let duration = unsafe UInt32(
      littleEndian: (numbers + Int(code.pointee.durationPlace)).loadUnaligned(as: UInt32.self))
    let ticks = unsafe UInt64(duration & code.pointee.durationMask)
    unsafe place &+= Int(code.pointee.byteCount)
    unsafe lastDepth &+= code.pointee.deeper
    // The gap leads to the end of a span that is around the last one, to the beginning of others.
    let start = unsafe lastEnd &+ (gap & code.pointee.gapMask) &- (ticks & code.pointee.around)
    lastEnd = start &+ ticks
    return unsafe (
      start << 8 | UInt64(lastDepth), ticks << 32 | UInt64(site & code.pointee.siteMask)
    )
  }
}
