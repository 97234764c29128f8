import FlamelarkFormat

/// The bytes of a trace file.
struct LarkFile {
  private(set) var bytes: [UInt8]
  private var sequences: [UInt32: UInt32] = [:]
  private let start: UInt64 = 1_000_000_000

  /// The file of a run.
  init(of log: LarkLog, plan: Plan) {
    bytes = Array(repeating: 0, count: FileHeader.byteCount)
    let header = FileHeader(
      kind: .trace, recordingID: Identifier128(low: plan.seed, high: 1), processID: 77,
      clock: .monotonicNanoseconds,
      start: ClockAnchor(tick: start, monotonic: Int64(start), realtime: 1_700_000_000_000_000_000),
      ticksPerSecond: 1_000_000_000, bootID: Identifier128(low: 3, high: 4), maximumDepth: 255,
      minimumDuration: 0)
    unsafe bytes.withUnsafeMutableBytes { unsafe header.encode(into: $0) }
    add(
      Self.definitions(plan.names), kind: .definitions, thread: 0, ticks: start...start)
    for thread in Thread.allCases {
      add(log.words[thread.rawValue], of: thread, until: log.lastTick)
    }
    var end: [UInt8] = []
    end.append(integer: log.lastTick)
    add(
      DefinitionRecord.encoded(.end, end), kind: .definitions, thread: 0,
      ticks: log.lastTick...log.lastTick)
  }

  /// The records of a thread, in chunks as full as the recorder's.
  private mutating func add(_ words: [UInt64], of thread: Thread, until lastTick: UInt64) {
    var first = 0
    while first < words.count {
      var end = first
      while end < words.count, end - first < 8000 {
        let word1 = words[end + 1]
        end += word1.isOfExtendedRecord ? Int(word1 >> 40 & 0xFF) * 2 : 2
      }
      var payload: [UInt8] = []
      payload.reserveCapacity((end - first) * 8)
      for word in words[first..<end] { payload.append(integer: word) }
      add(
        payload, kind: .events, thread: UInt32(LarkLog.key(thread)),
        ticks: words[first] >> 8...lastTick)
      first = end
    }
  }

  private mutating func add(
    _ payload: [UInt8], kind: ChunkHeader.Kind, thread: UInt32, ticks: ClosedRange<UInt64>
  ) {
    let sequence = sequences[thread, default: 0] + 1
    sequences[thread] = sequence
    let header = ChunkHeader(
      kind: kind.rawValue, payloadByteCount: UInt32(payload.count), threadKey: thread,
      sequence: sequence, firstTick: ticks.lowerBound, lastTick: ticks.upperBound,
      anchor: ClockAnchor(tick: ticks.upperBound, monotonic: Int64(ticks.upperBound)))
    var chunk = Array(repeating: UInt8(0), count: ChunkHeader.byteCount) + payload
    unsafe chunk.withUnsafeMutableBytes { unsafe header.encode(sealing: $0) }
    bytes += chunk
  }

  private static func definitions(_ names: Names) -> [UInt8] {
    var strings: UInt32 = 0
    var records: [UInt8] = []
    func string(_ text: String) -> UInt32 {
      strings += 1
      var body: [UInt8] = []
      body.append(integer: strings)
      body.append(integer: UInt32(text.utf8.count))
      records += DefinitionRecord.encoded(.string, body + Array(text.utf8))
      return strings
    }
    func add(_ kind: DefinitionRecord.Kind, _ fields: [UInt32], _ last: UInt64? = nil) {
      var body: [UInt8] = []
      for field in fields { body.append(integer: field) }
      if let last { body.append(integer: last) }
      records += DefinitionRecord.encoded(kind, body)
    }
    let file = string("Program.swift")
    for role in Role.allCases {
      add(.callSite, [LarkLog.site(role), string(names[role]), file, LarkLog.site(role) * 10, 0])
    }
    for thread in Thread.allCases {
      let key = UInt32(LarkLog.key(thread))
      add(.thread, [key, 76 + key, string(names[thread]), 0], 1_000_000_000)
    }
    add(.series, [LarkLog.series, string(names.series)], 0)
    add(.series, [LarkLog.otherSeries, string(names.otherSeries)], 0)
    return records
  }
}
