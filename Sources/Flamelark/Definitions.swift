internal import FlamelarkFormat

/// The definitions of one recording: what the ids in its events mean.
///
/// They are written into a slot of the live file as they come up, so a killed program's trace
/// keeps its names. Not thread-safe; ``Recorder`` holds its lock.
final class Definitions {
  private var writer: SlotWriter
  private let file: TraceFile
  private var used = 0
  /// The first error of the trace file.
  private(set) var failure: CInt = 0

  init(slot: UnsafeMutableRawPointer, file: TraceFile) {
    writer = unsafe SlotWriter(slot: slot, kind: .definitions)
    self.file = file
  }

  /// Adds a record. Its length is stored last: a reader stops at length 0.
  func add(_ kind: DefinitionRecord.Kind, _ body: [UInt8]) {
    let record = DefinitionRecord.encoded(kind, body)
    if Slot.records + used + record.count > Slot.recordsLimit { seal() }
    guard failure == 0 else { return }
    let place = unsafe writer.records + used
    for index in 4..<record.count {
      unsafe place.storeBytes(of: record[index], toByteOffset: index, as: UInt8.self)
    }
    unsafe storeRelease(UInt32(record.count), in: place, at: 0)
    used += record.count
  }

  /// Writes what was added to the trace file.
  func seal() {
    guard failure == 0 else { return }
    failure = writer.seal(byteCount: used, into: file)
    if failure == 0 { used = 0 }
  }
}

extension Definitions {
  func add(string text: String, id: UInt32) {
    // A name longer than this is nobody's name; it would not fit into the slot.
    let bytes = Array(text.utf8.prefix(4096))
    var body: [UInt8] = []
    body.append(integer: id)
    body.append(integer: UInt32(bytes.count))
    body.append(contentsOf: bytes)
    add(.string, body)
  }

  func add(site: Registry.Site, id: UInt32) {
    add(.callSite, fields: id, site.name, site.file, site.line)
  }

  func add(series: Registry.Series, id: UInt32) {
    var body: [UInt8] = []
    body.append(integer: id)
    body.append(integer: series.name)
    body.append(integer: series.refresh)
    add(.series, body)
  }

  func add(thread key: UInt32, systemID: UInt32, name: UInt32, tick: UInt64) {
    var body: [UInt8] = []
    for field in [key, systemID, name, 0] { body.append(integer: field) }
    body.append(integer: tick)
    add(.thread, body)
  }

  func add(countsOf key: UInt32, hasEnded: Bool, tick: UInt64, counts: [UInt64]) {
    var body: [UInt8] = []
    body.append(integer: key)
    body.append(integer: UInt32(hasEnded ? 1 : 0))
    body.append(integer: tick)
    for count in counts { body.append(integer: count) }
    add(.threadCounts, body)
  }

  func add(anchor: ClockAnchor) {
    var body: [UInt8] = []
    body.append(integer: anchor.tick)
    body.append(integer: anchor.monotonic)
    body.append(integer: anchor.realtime)
    add(.anchor, body)
  }

  func add(filterAt tick: UInt64, maximumDepth: UInt32, minimumDuration: UInt64) {
    var body: [UInt8] = []
    body.append(integer: tick)
    body.append(integer: maximumDepth)
    body.append(integer: UInt32(0))
    body.append(integer: minimumDuration)
    add(.filter, body)
  }

  func add(endAt tick: UInt64) {
    var body: [UInt8] = []
    body.append(integer: tick)
    add(.end, body)
  }

  func add(loss reason: DefinitionRecord.LossReason, errno: CInt, count: UInt64, tick: UInt64) {
    var body: [UInt8] = []
    body.append(integer: reason.rawValue)
    body.append(integer: errno)
    body.append(integer: count)
    body.append(integer: tick)
    add(.loss, body)
  }

  func add(_ kind: DefinitionRecord.Kind, fields: UInt32...) {
    var body: [UInt8] = []
    for field in fields { body.append(integer: field) }
    add(kind, body)
  }
}
