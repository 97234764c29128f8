internal import FlamelarkFormat

/// What a killed program left besides records: open spans, sums and counts, as chunks that say so.
struct Leftover {
  private(set) var chunks: [ChunkToWrite] = []

  /// Of the slots of a live file. Sequence numbers count on from those of the chunks that are
  /// written already.
  init(
    slots: [LiveSlot], openTaskSpans: [RecordedEvents.OpenTaskSpan], chunks known: Chunks,
    header: FileHeader,
    summary: inout RecordingCopy.Summary
  ) {
    var sequences: [UInt32: UInt32] = [:]
    for chunk in known.events + known.definitions {
      sequences[chunk.threadKey] = max(sequences[chunk.threadKey] ?? 0, chunk.sequence)
    }
    let last = Self.lastTick(slots: slots, chunks: known, header: header)
    var definitions: [UInt8] = []
    var counts: [UInt32: [UInt64]] = [:]
    for slot in slots where slot.threadKey != 0 {
      let open = slot.openSpans
      var words: [UInt64] = []
      for fold in slot.folds { words += Self.record(of: fold) }
      // The innermost first, as their records would have come.
      for span in open.reversed() {
        words.append(span.start << 8 | UInt64(span.depth))
        words.append(EventRecord.word1(.openSpan, id: span.site, byteCount: 16))
      }
      if !words.isEmpty {
        let sequence = (sequences[slot.threadKey] ?? 0) + 1
        sequences[slot.threadKey] = sequence
        var payload: [UInt8] = []
        for word in words { payload.append(integer: word) }
        chunks.append(
          ChunkToWrite(
            kind: .events, threadKey: slot.threadKey, sequence: sequence, lastTick: last,
            payload: payload))
      }
      summary.openSpans += open.count
      summary.recoveredRecords += slot.folds.count
      // A thread may have several; one of them counts.
      counts[slot.threadKey] = zip(counts[slot.threadKey] ?? [0, 0, 0, 0, 0], slot.counts).map {
        $0 &+ $1
      }
    }
    for (key, counts) in counts.sorted(by: { $0.key < $1.key }) {
      definitions += Self.record(of: counts, thread: key, tick: last)
    }
    for span in openTaskSpans {
      var body: [UInt8] = []
      body.append(integer: span.start)
      body.append(integer: span.task)
      body.append(integer: UInt64(span.site))
      definitions += DefinitionRecord.encoded(.openTaskSpan, body)
    }
    summary.openSpans += openTaskSpans.count
    var body: [UInt8] = []
    body.append(integer: last)
    definitions += DefinitionRecord.encoded(.recovered, body)
    chunks.append(
      ChunkToWrite(
        kind: .definitions, threadKey: 0, sequence: (sequences[0] ?? 0) + 1, lastTick: last,
        payload: definitions))
    summary.chunks += chunks.count
  }

  /// The last tick that anything says: where open spans end.
  private static func lastTick(
    slots: [LiveSlot], chunks: Chunks, header: FileHeader
  ) -> UInt64 {
    Reading(header: header).lastTick(chunks, slots: slots)
  }

  private static func record(of fold: FoldRecord) -> [UInt64] {
    let place = fold.start << 8 | UInt64(fold.depth)
    switch fold.reason {
    case .overDepth:
      return [place, EventRecord.word1(.overDepth, id: 0, byteCount: 32), fold.count, 0]
    case .belowMinimum:
      return [
        place, EventRecord.word1(.folded, id: fold.site, byteCount: 64), fold.extent, fold.count,
        fold.total, fold.own, fold.longest, 0,
      ]
    }
  }

  private static func record(of counts: [UInt64], thread key: UInt32, tick: UInt64) -> [UInt8] {
    var body: [UInt8] = []
    body.append(integer: key)
    body.append(integer: UInt32(0))
    body.append(integer: tick)
    for count in counts { body.append(integer: count) }
    return DefinitionRecord.encoded(.threadCounts, body)
  }
}
