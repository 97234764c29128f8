internal import FlamelarkFormat

/// What the definitions of a recording say.
struct DefinitionTable {
  struct Site {
    var name: UInt32
    var file: UInt32
    var line: UInt32
    /// 0: none.
    var category: UInt32
  }

  struct Thread {
    var systemID: UInt32 = 0
    var name: UInt32 = 0
    var counts: [UInt64] = []
  }

  struct Series {
    var name: UInt32
    var refresh: Int64
  }

  struct Module {
    var base: UInt64
    var byteCount: UInt64
    var tick: UInt64
    var path: UInt32
    /// 0: none.
    var buildID: UInt32
  }

  struct Loss {
    var reason: UInt32
    var errno: Int32
    var count: UInt64
  }

  /// As the records say it: `DefinitionRecord.Kind`.
  struct Filter {
    struct Exception {
      var subject: UInt32
      var text: UInt32
      var depth: UInt32
      var minimum: UInt64
    }

    var tick: UInt64
    var depth: UInt32
    var minimum: UInt64
    var exceptions: [Exception] = []
  }

  private(set) var strings: [UInt32: String] = [:]
  private(set) var sites: [UInt32: Site] = [:]
  private(set) var threads: [UInt32: Thread] = [:]
  private(set) var series: [UInt32: Series] = [:]
  private(set) var properties: [(name: UInt32, value: UInt32)] = []
  private(set) var anchors: [ClockAnchor] = []
  /// How what is left out was changed.
  private(set) var filters: [Filter] = []
  /// What held for some names and categories from the start on.
  private(set) var exceptionsAtStart: [Filter.Exception] = []
  private(set) var modules: [Module] = []
  /// Spans around `await` that had not ended when the recording did.
  private(set) var openTaskSpans: [RecordedEvents.OpenTaskSpan] = []
  private(set) var losses: [Loss] = []
  /// The tick at which the recording was stopped, nil if it was not.
  private(set) var end: UInt64?

  /// The last tick of a recording that was not stopped but recovered, nil of any other.
  private(set) var recovered: UInt64?

  /// Reads chunks in the order in which they were filled.
  init(_ chunks: [Chunk]) {
    chunks.forEach { chunk in
      var cursor = unsafe DefinitionCursor(chunk.bytes)
      while cursor.advance() { add(cursor) }
    }
  }

  private mutating func add(_ record: DefinitionCursor) {
    switch record.kind {
    case .string:
      strings[record.integer(at: 0)] = record.text(
        at: 8, byteCount: Int(record.integer(at: 4, as: UInt32.self)))
    case .callSite:
      sites[record.integer(at: 0)] = Site(
        name: record.integer(at: 4), file: record.integer(at: 8), line: record.integer(at: 12),
        category: record.integer(at: 16))
    case .thread:
      threads[record.integer(at: 0), default: Thread()].systemID = record.integer(at: 4)
      threads[record.integer(at: 0), default: Thread()].name = record.integer(at: 8)
    case .threadName:
      threads[record.integer(at: 0), default: Thread()].name = record.integer(at: 4)
    case .threadCounts:
      threads[record.integer(at: 0), default: Thread()].counts = (0..<5).map {
        record.integer(at: 16 + $0 * 8)
      }
    case .series:
      series[record.integer(at: 0)] = Series(
        name: record.integer(at: 4), refresh: record.integer(at: 8))
    case .property:
      properties.append((record.integer(at: 0), record.integer(at: 4)))
    case .anchor:
      anchors.append(
        ClockAnchor(
          tick: record.integer(at: 0), monotonic: record.integer(at: 8),
          realtime: record.integer(at: 16)))
    case .loss:
      losses.append(
        Loss(
          reason: record.integer(at: 0), errno: record.integer(at: 4), count: record.integer(at: 8))
      )
    case .end:
      end = record.integer(at: 0)
    case .filter:
      filters.append(
        Filter(
          tick: record.integer(at: 0), depth: record.integer(at: 8),
          minimum: record.integer(at: 16)))
    case .filterOfSome:
      let exception = Filter.Exception(
        subject: record.integer(at: 8), text: record.integer(at: 12),
        depth: record.integer(at: 16), minimum: record.integer(at: 24))
      if filters.isEmpty {
        exceptionsAtStart.append(exception)
      } else {
        filters[filters.count - 1].exceptions.append(exception)
      }
    case .module:
      modules.append(
        Module(
          base: record.integer(at: 0), byteCount: record.integer(at: 8),
          tick: record.integer(at: 16), path: record.integer(at: 24),
          buildID: record.integer(at: 28)))
    case .openTaskSpan:
      openTaskSpans.append(
        RecordedEvents.OpenTaskSpan(
          start: record.integer(at: 0), task: record.integer(at: 8), site: record.integer(at: 16)))
    case .recovered:
      recovered = record.integer(at: 0)
    case nil:
      break
    }
  }

  /// The program's code, with times on CLOCK_MONOTONIC.
  func modules(on map: TickMap) -> [Trace.Module] {
    var hint = 0
    return modules.map { module in
      Trace.Module(
        path: strings[module.path] ?? "", buildID: strings[module.buildID], base: module.base,
        byteCount: module.byteCount, time: map(module.tick, near: &hint))
    }
  }

  /// Takes in what slots of the live file count.
  mutating func add(_ slots: [LiveSlot]) {
    // A thread may have several; one of them counts.
    for (key, slots) in Dictionary(grouping: slots, by: \.threadKey) where key != 0 {
      threads[key, default: Thread()].counts = (0..<5).map { index in
        slots.reduce(0) { $0 &+ $1.counts[index] }
      }
    }
  }
}
