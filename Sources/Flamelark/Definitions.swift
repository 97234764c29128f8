internal import CFlamelark
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
  /// Records for which there was no room after it.
  private(set) var lostCount: UInt64 = 0

  init(slot: UnsafeMutableRawPointer, file: TraceFile) {
    writer = unsafe SlotWriter(slot: slot, kind: .definitions)
    self.file = file
  }

  /// Adds a record whose body has this many bytes and is filled in by `fill`, zeroed before.
  ///
  /// Its length is stored last: a reader stops at length 0.
  private func add(
    _ kind: DefinitionRecord.Kind, bodyByteCount: Int,
    fill: (UnsafeMutableRawBufferPointer) -> Void
  ) {
    let byteCount = (DefinitionRecord.headerByteCount + bodyByteCount + 7) / 8 * 8
    // How the recording ended has room of its own: it must be told where nothing can be written.
    let limit = kind.isOfTheEnd ? Slot.byteCount : Slot.recordsLimit - 64
    if Slot.records + used + byteCount > limit { seal() }
    guard Slot.records + used + byteCount <= limit else {
      lostCount += 1
      return
    }
    let record = unsafe UnsafeMutableRawBufferPointer(
      start: writer.records + used, count: byteCount)
    unsafe record.store(integer: kind.rawValue, at: 4)
    unsafe fill(
      UnsafeMutableRawBufferPointer(rebasing: record[DefinitionRecord.headerByteCount...]))
    unsafe storeRelease(UInt32(byteCount), in: writer.records + used, at: 0)
    used += byteCount
  }

  /// Writes what was added to the trace file.
  func seal() {
    let code = writer.seal(byteCount: used, into: file)
    if code == 0 { used = 0 } else if failure == 0 { failure = code }
  }
}

extension DefinitionRecord.Kind {
  /// Whether it tells how a recording ended: four losses, an anchor and the end have 176 bytes.
  fileprivate var isOfTheEnd: Bool { self == .loss || self == .anchor || self == .end }
}

extension Definitions {
  func add(string text: String, id: UInt32) {
    // A name longer than this is nobody's name; it would not fit into the slot.
    let bytes = text.utf8.prefix(4096)
    unsafe add(.string, bodyByteCount: 8 + bytes.count) { body in
      unsafe body.store(integer: id, at: 0)
      unsafe body.store(integer: UInt32(bytes.count), at: 4)
      for (index, byte) in bytes.enumerated() { unsafe body[8 + index] = byte }
    }
  }

  func add(site: Registry.Site, id: UInt32) {
    add(.callSite, fields: id, site.name, site.file, site.line, site.category)
  }

  func add(series: Registry.Series, id: UInt32) {
    unsafe add(.series, bodyByteCount: 16) { body in
      unsafe body.store(integer: id, at: 0)
      unsafe body.store(integer: series.name, at: 4)
      unsafe body.store(integer: series.refresh, at: 8)
    }
  }

  func add(thread key: UInt32, systemID: UInt32, name: UInt32, tick: UInt64) {
    unsafe add(.thread, bodyByteCount: 24) { body in
      unsafe body.store(integer: key, at: 0)
      unsafe body.store(integer: systemID, at: 4)
      unsafe body.store(integer: name, at: 8)
      unsafe body.store(integer: tick, at: 16)
    }
  }

  func add(countsOf key: UInt32, hasEnded: Bool, tick: UInt64, counts: [UInt64]) {
    unsafe add(.threadCounts, bodyByteCount: 16 + counts.count * 8) { body in
      unsafe body.store(integer: key, at: 0)
      unsafe body.store(integer: UInt32(hasEnded ? 1 : 0), at: 4)
      unsafe body.store(integer: tick, at: 8)
      for (index, count) in counts.enumerated() {
        unsafe body.store(integer: count, at: 16 + index * 8)
      }
    }
  }

  func add(anchor: ClockAnchor) {
    unsafe add(.anchor, bodyByteCount: 24) { body in
      unsafe body.store(integer: anchor.tick, at: 0)
      unsafe body.store(integer: anchor.monotonic, at: 8)
      unsafe body.store(integer: anchor.realtime, at: 16)
    }
  }

  func add(filterAt tick: UInt64, maximumDepth: UInt32, minimumDuration: UInt64) {
    unsafe add(.filter, bodyByteCount: 24) { body in
      unsafe body.store(integer: tick, at: 0)
      unsafe body.store(integer: maximumDepth, at: 8)
      unsafe body.store(integer: minimumDuration, at: 16)
    }
  }

  func add(filter: Recording.Filter, isName: Bool, text: UInt32, tick: UInt64) {
    unsafe add(.filterOfSome, bodyByteCount: 32) { body in
      unsafe body.store(integer: tick, at: 0)
      unsafe body.store(integer: UInt32(isName ? 1 : 2), at: 8)
      unsafe body.store(integer: text, at: 12)
      unsafe body.store(integer: filter.maximumDepth.map { UInt32($0) } ?? .max, at: 16)
      unsafe body.store(integer: filter.minimumDuration?.wholeNanoseconds ?? .max, at: 24)
    }
  }

  func add(module: LoadedModules.Module, path: UInt32, buildID: UInt32, tick: UInt64) {
    unsafe add(.module, bodyByteCount: 32) { body in
      unsafe body.store(integer: module.base, at: 0)
      unsafe body.store(integer: module.byteCount, at: 8)
      unsafe body.store(integer: tick, at: 16)
      unsafe body.store(integer: path, at: 24)
      unsafe body.store(integer: buildID, at: 28)
    }
  }

  func add(open span: fl_open_task_span) {
    unsafe add(.openTaskSpan, bodyByteCount: 24) { body in
      unsafe body.store(integer: span.start, at: 0)
      unsafe body.store(integer: span.task, at: 8)
      unsafe body.store(integer: span.site, at: 16)
    }
  }

  func add(endAt tick: UInt64) {
    unsafe add(.end, bodyByteCount: 8) { body in unsafe body.store(integer: tick, at: 0) }
  }

  func add(loss reason: DefinitionRecord.LossReason, errno: CInt, count: UInt64, tick: UInt64) {
    unsafe add(.loss, bodyByteCount: 24) { body in
      unsafe body.store(integer: reason.rawValue, at: 0)
      unsafe body.store(integer: errno, at: 4)
      unsafe body.store(integer: count, at: 8)
      unsafe body.store(integer: tick, at: 16)
    }
  }

  func add(_ kind: DefinitionRecord.Kind, fields: UInt32...) {
    unsafe add(kind, bodyByteCount: fields.count * 4) { body in
      for (index, field) in fields.enumerated() {
        unsafe body.store(integer: field, at: index * 4)
      }
    }
  }
}
