/// The spans of packed events that hold nothing else, some at a time.
@safe package struct PackedSpans {
  private var control: UnsafeRawPointer
  private let data: UnsafeRawPointer
  private let dataByteCount: Int
  private var place = 0
  /// Records that are data as they are, and are still to come.
  private var verbatim = 0
  private var steps: PackedSteps

  /// Spans of a payload that had `count` of them and nothing else, as ``PackedEvents/spanCount(of:)``
  /// says. nil if it can't have: a mapped file may change.
  package init?(_ payload: UnsafeRawBufferPointer, firstTick: UInt64, count: Int) {
    // Each record goes on by a control at most, so that all controls are loaded from the payload.
    guard let fields = unsafe PackedEvents.Fields(payload), let base = payload.baseAddress,
      count <= payload.count - PackedEvents.headerByteCount
    else { return nil }
    unsafe control = base + PackedEvents.headerByteCount
    unsafe data = control + fields.controls
    dataByteCount = fields.data
    steps = PackedSteps(firstTick: firstTick)
  }

  /// Unpacks records of 16 bytes into room for as many as are asked for: `count` over all, at most.
  ///
  /// About 30 instructions each. What bytes say that changed is some record, loaded from the payload.
  package mutating func unpack(into records: UnsafeMutableRawBufferPointer) {
    self = unsafe unpacking(into: records)
  }

  /// The state goes in and out as a value: then the loop keeps it in registers.
  @inline(never)
  private func unpacking(into records: UnsafeMutableRawBufferPointer) -> PackedSpans {
    var spans = self
    guard var room = records.baseAddress else { return spans }
    var left = records.count / 16
    while left > 0 {
      let (word0, word1) = spans.next()
      unsafe room.storeBytes(of: word0.littleEndian, as: UInt64.self)
      unsafe room.storeBytes(of: word1.littleEndian, toByteOffset: 8, as: UInt64.self)
      unsafe room += 16
      left &-= 1
    }
    return spans
  }

  @inline(__always)
  private mutating func next() -> (word0: UInt64, word1: UInt64) {
    let code = unsafe control.load(as: UInt8.self)
    // The padding behind the data is as long as what is loaded from a place in them.
    place = min(place, dataByteCount)
    guard code & 7 == 7 else {
      unsafe control += 1
      return unsafe steps.next(code, data, &place)
    }
    // A control of 0 units means all that is left.
    if verbatim == 0 { verbatim = code &>> 3 == 0 ? .max : Int(code &>> 3) }
    verbatim &-= 1
    if verbatim == 0 { unsafe control += 1 }
    let word0 = unsafe (data + place).loadUnaligned(as: UInt64.self)
    let word1 = unsafe (data + place).loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    place &+= 16
    return (UInt64(littleEndian: word0), UInt64(littleEndian: word1))
  }
}
