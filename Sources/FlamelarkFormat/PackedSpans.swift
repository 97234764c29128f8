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
  /// 43 instructions each. What bytes say that changed is some record, loaded from the payload.
  package mutating func unpack(into records: UnsafeMutableRawBufferPointer) {
    self = unsafe unpacking(into: records)
  }

  /// The state goes in and out as a value: then the loop keeps it in registers.
  @inline(never)
  private func unpacking(into records: UnsafeMutableRawBufferPointer) -> PackedSpans {
    var spans = self
    guard var room = records.baseAddress else { return spans }
    let end = unsafe room + (records.count & ~15)
    while unsafe room < end {
      unsafe room = spans.step(room, end)
      guard unsafe room < end else { break }
      unsafe spans.take(into: room)
      unsafe room += 16
    }
    return spans
  }

  /// Unpacks until room ends or a control is verbatim.
  @inline(__always)
  private mutating func step(
    _ first: UnsafeMutableRawPointer, _ end: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var (room, steps, place) = unsafe (first, self.steps, self.place)
    var control = unsafe self.control
    while unsafe room < end {
      let code = unsafe control.load(as: UInt8.self)
      if code & 7 == 7 { break }
      // The padding behind the data is as long as what is loaded from a place in them.
      place = min(place, dataByteCount)
      let (word0, word1) = unsafe steps.next(code, data, &place)
      unsafe room.storeBytes(of: word0.littleEndian, as: UInt64.self)
      unsafe room.storeBytes(of: word1.littleEndian, toByteOffset: 8, as: UInt64.self)
      unsafe control += 1
      unsafe room += 16
    }
    (self.steps, self.place) = (steps, place)
    unsafe self.control = control
    return unsafe room
  }

  /// Takes over a record that is data as it is.
  @inline(never)
  private mutating func take(into room: UnsafeMutableRawPointer) {
    let code = unsafe control.load(as: UInt8.self)
    place = min(place, dataByteCount)
    // A control of 0 units means all that is left.
    if verbatim == 0 { verbatim = code &>> 3 == 0 ? .max : Int(code &>> 3) }
    verbatim &-= 1
    if verbatim == 0 { unsafe control += 1 }
    unsafe room.copyMemory(from: data + place, byteCount: 16)
    place &+= 16
  }
}
