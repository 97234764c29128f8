import FlamelarkFormat
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

@Suite struct ReadingTests {
  /// Two chunks of a thread: a(b c(d)) and a.
  private func sample() -> RecordingBytes {
    var file = RecordingBytes()
    file.add(thread: 1, names: ["a", "b", "c", "d"])
    file.add(
      chunkOf: file.span(2, 110..<120, depth: 1) + file.span(4, 140..<150, depth: 2)
        + file.span(3, 130..<180, depth: 1) + file.span(1, 100..<200, depth: 0), thread: 1)
    file.add(chunkOf: file.span(1, 300..<400, depth: 0), thread: 1)
    file.addEnd()
    return file
  }

  private func read(_ bytes: [UInt8]) throws -> Trace {
    let path = NSTemporaryDirectory() + "/flamelark-reading-\(UUID().uuidString).lark"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    return trace
  }

  @Test func spansComeInTheOrderOfTheirBeginning() throws {
    let trace = try read(sample().bytes)
    #expect((0..<5).map { trace.name(ofSpan: $0) } == ["a", "b", "c", "d", "a"])
    #expect(trace.spans.start == [0, 10, 30, 40, 200])
    #expect(trace.spans.end == [100, 20, 80, 50, 300])
    let none = Trace.Spans.none
    #expect(trace.spans.parent == [none, 0, 0, 2, none])
    #expect(trace.tracks.map(\.name) == ["main"])
    #expect(trace.source.ending == .stopped)
    #expect(trace.issues.isEmpty)
    #expect(trace.wallClockZero == 1_700_000_000_000_000_100)
  }

  /// Also where a record was damaged, or is of a later version's kind.
  @Test func whatWasLeftOutComesWithItsTime() throws {
    var file = sample()
    func filter(at tick: UInt64, depth: UInt32, minimum: UInt64) -> [UInt8] {
      var body: [UInt8] = []
      body.append(integer: tick)
      body.append(integer: UInt64(depth))
      body.append(integer: minimum)
      return DefinitionRecord.encoded(.filter, body)
    }
    func exception(_ subject: UInt32, text: UInt32, depth: UInt32, minimum: UInt64) -> [UInt8] {
      var body: [UInt8] = []
      body.append(integer: UInt64(0))
      for field in [subject, text, depth, 0] { body.append(integer: field) }
      body.append(integer: minimum)
      return DefinitionRecord.encoded(.filterOfSome, body)
    }
    let records =
      exception(1, text: 3, depth: 4, minimum: .max)
      + filter(at: file.start + 250, depth: 9, minimum: 7_000)
      + exception(2, text: 4, depth: .max, minimum: 5) + exception(3, text: 4, depth: 1, minimum: 1)
      + filter(at: .max, depth: .max, minimum: .max)
    file.add(chunk: records, thread: 0, kind: ChunkHeader.Kind.definitions.rawValue)
    let filters = try read(file.bytes).source.filters
    try #require(filters.count == 3)
    #expect(filters.map(\.maximumDepth) == [255, 9, Int(UInt32.max)])
    #expect(filters.map(\.minimumDuration) == [0, 7_000, .max])
    // Time 0 is the first event, 100 after the start.
    #expect(filters.prefix(2).map(\.time) == [-100, 150])
    #expect(
      filters.map(\.exceptions) == [
        [.init(subject: .name, text: "a", maximumDepth: 4)],
        [.init(subject: .category, text: "b", minimumDuration: 5)], [],
      ])
  }

  @Test func lossesOfKindsThatNobodyKnowsAreCounted() throws {
    var file = sample()
    for (reason, count) in [(3, 7), (99, 0), (4, 0)] as [(UInt32, UInt64)] {
      var body: [UInt8] = []
      body.append(integer: reason)
      body.append(integer: UInt32(0))
      body.append(integer: count)
      body.append(integer: file.start)
      file.add(
        chunk: DefinitionRecord.encoded(.loss, body), thread: 0,
        kind: ChunkHeader.Kind.definitions.rawValue)
    }
    let trace = try read(file.bytes)
    #expect(trace.spans.count == 5)
    #expect(
      trace.issues == [
        .init("losses of a kind that this version doesn't know", count: 8),
        .init("recordings that ended at the size they might have", count: 1),
      ])
  }

  @Test func spansThatTouchAndSpansOfNoLengthKeepTheirOrder() throws {
    var file = RecordingBytes()
    file.add(thread: 1, names: ["a", "b"])
    // b of no length, then a beginning at the same tick, holding a b at its beginning and end.
    file.add(
      chunkOf: file.span(2, 5..<5, depth: 0) + file.span(2, 5..<5, depth: 1)
        + file.span(2, 9..<9, depth: 1) + file.span(1, 5..<9, depth: 0)
        + file.span(1, 9..<12, depth: 0), thread: 1)
    file.addEnd()
    let trace = try read(file.bytes)
    #expect((0..<5).map { trace.name(ofSpan: $0) } == ["b", "a", "b", "b", "a"])
    let none = Trace.Spans.none
    #expect(trace.spans.parent == [none, none, 1, 1, none])
  }

  @Test(arguments: [1000, 123_456_789, 2_600_000_000, 5_100_000_000] as [UInt64])
  func timesAreThoseOfTheClockToTheNanosecond(_ ticksPerSecond: UInt64) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var file = RecordingBytes(ticksPerSecond: ticksPerSecond)
    file.add(thread: 1, names: ["a"])
    // Hours, in steps of all sizes.
    var ticks: [UInt64] = [0]
    while ticks.count < 2001 {
      let step = UInt64.random(in: 0...16, using: &random)
      ticks.append(
        (ticks.last ?? 0) + UInt64.random(in: 0...ticksPerSecond * 100, using: &random) >> step)
    }
    var words: [UInt64] = []
    for (start, end) in zip(ticks, ticks.dropFirst()) {
      words += file.span(1, start..<min(end, start + 1 << 31), depth: 0)
    }
    file.add(chunkOf: words, thread: 1)
    file.addEnd()
    let trace = try read(file.bytes)
    let rate = UInt64((0x1p32 * 1e9 / Double(ticksPerSecond)).rounded())
    let expected = ticks.map { tick in
      let product = tick.multipliedFullWidth(by: rate)
      return Int64(product.high << 32 | product.low >> 32)
    }
    #expect(trace.spans.start == Array(expected.dropLast()), "seed \(seed)")
    for (place, start) in expected.dropLast().enumerated() {
      #expect(trace.spans.end[place] - start <= expected[place + 1] - start, "seed \(seed)")
    }
  }

  @Test func deepNestingNeedsNoDeepStack() throws {
    var file = RecordingBytes()
    file.add(thread: 1, names: ["a"])
    for round in 0..<100 as Range<UInt64> {
      let words = (0..<255).reversed().flatMap { depth -> [UInt64] in
        let edge = UInt64(depth)
        return file.span(1, round * 1000 + edge..<round * 1000 + 900 - edge, depth: edge)
      }
      file.add(chunkOf: words, thread: 1)
    }
    let trace = try read(file.bytes)
    #expect(trace.spans.count == 25_500)
    #expect(trace.depth(ofSpan: 25_499) == 254)
  }

  @Test func chunksOfAKindThatIsNotKnownAreSteppedOver() throws {
    var file = sample()
    file.add(chunkOf: [1, 2, 3], thread: 9, kind: 4711)
    let trace = try read(file.bytes)
    #expect(trace.spans.count == 5)
    #expect(
      trace.issues == [.init("chunks of a kind that this version doesn't know", count: 1)])
  }

  @Test func anEmptyPlaceIsNoDamage() throws {
    let whole = sample().bytes
    let chunk = FileHeader.byteCount
    let bytes = Array(whole[..<chunk]) + Array(repeating: 0, count: 65_600) + Array(whole[chunk...])
    let trace = try read(bytes)
    #expect(trace.spans.count == 5)
    #expect(trace.issues.isEmpty)
  }

  @Test func aCutFileKeepsItsWholeChunks() throws {
    let whole = sample().bytes
    for cut in FileHeader.byteCount..<whole.count {
      let trace = try read(Array(whole[..<cut]))
      #expect([0, 4, 5].contains(trace.spans.count), "cut at \(cut)")
      #expect(trace.source.ending == .killed, "cut at \(cut)")
      #expect(!trace.issues.isEmpty, "cut at \(cut)")
    }
  }

  @Test func aDamagedChunkLosesItselfAlone() throws {
    var bytes = sample().bytes
    // A byte in the first events chunk's payload.
    var file = RecordingBytes()
    file.add(thread: 1, names: ["a", "b", "c", "d"])
    bytes[file.bytes.count + ChunkHeader.byteCount + 3] ^= 0x10
    let trace = try read(bytes)
    #expect(trace.spans.count == 1)
    #expect(trace.issues.contains { $0.text.contains("with 1 chunks lost") && $0.offset != nil })
    #expect(
      trace.issues.contains { $0.text == "chunks missing, by their numbers" && $0.count == 1 })
  }

  @Test func chunksOutOfOrderAndRepeatedAreTakenOnceInOrder() throws {
    var file = RecordingBytes()
    file.add(thread: 1, names: ["a", "b"])
    file.add(chunkOf: file.span(2, 300..<400, depth: 0), thread: 1, sequence: 2)
    file.add(chunkOf: file.span(1, 100..<200, depth: 0), thread: 1, sequence: 1)
    file.add(chunkOf: file.span(2, 300..<400, depth: 0), thread: 1, sequence: 2)
    file.addEnd()
    let trace = try read(file.bytes)
    #expect((0..<trace.spans.count).map { trace.name(ofSpan: $0) } == ["a", "b"])
    #expect(trace.issues == [.init("chunks repeated and taken once", count: 1)])
  }

  @Test(arguments: [
    ("", "is not a Flamelark recording"),
    ("hello, this is text and long enough to be read", "is not a Flamelark recording"),
    ("FLAMELRK", "is cut off inside its header, at byte 8"),
    ("FLAMELIV", "is the live part of a recording"),
  ])
  func whatIsNoRecordingIsToldInOneSentence(_ text: String, _ expected: String) throws {
    #expect { try read(Array(text.utf8)) } throws: { "\($0)".contains(expected) }
  }

  @Test func aLaterVersionAndADamagedHeaderAreTold() throws {
    var later = sample().bytes
    later[8] = 9
    #expect { try read(later) } throws: { "\($0)".contains("has version 9 of the format (byte 8)") }
    var damaged = sample().bytes
    damaged[100] ^= 1
    #expect { try read(damaged) } throws: { "\($0)".contains("header of") }
    #expect(try read(RecordingBytes(minor: 7).bytes).spans.count == 0)
  }

  /// Any bytes: with checksums made right again, so that the damage reaches the records.
  @Test func noBytesMakeTheReaderTrapOrBreakItsPromises() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let whole = sample().bytes
    for round in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: FileHeader.byteCount..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default:
          bytes.replaceSubrange(
            place..<min(bytes.count, place + 8),
            with: Array(repeating: 0xFF, count: min(8, bytes.count - place)))
        }
      }
      if round % 4 != 0 { RecordingBytes.mendChecksums(&bytes) }
      do {
        _ = try read(bytes)
      } catch let error as TraceReadError {
        Issue.record("seed \(seed) round \(round): \(error)")
      }
    }
  }
}

extension RecordingBytes {
  /// Writes the checksum that each chunk would have with its present bytes.
  static func mendChecksums(_ bytes: inout [UInt8]) {
    unsafe bytes.withUnsafeMutableBytes { all in
      var place = FileHeader.byteCount
      while place + ChunkHeader.byteCount <= all.count {
        guard
          unsafe UnsafeRawBufferPointer(all).integer(at: place, as: UInt64.self)
            == ChunkHeader.magic
        else {
          place += 8
          continue
        }
        let payload = unsafe Int(
          UnsafeRawBufferPointer(all).integer(at: place + 16, as: UInt32.self))
        let end = place + ChunkHeader.byteCount + payload
        guard payload % 8 == 0, end <= all.count else {
          place += 8
          continue
        }
        let crc = unsafe Checksum.crc32c(UnsafeRawBufferPointer(rebasing: all[place + 16..<end]))
        unsafe all.store(integer: crc, at: place + 12)
        place = end
      }
    }
  }
}
