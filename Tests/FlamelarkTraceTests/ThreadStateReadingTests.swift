import FlamelarkFormat
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

/// States of threads as their bytes say them.
@Suite struct ThreadStateReadingTests {
  private func read(_ bytes: [UInt8]) throws -> (trace: Trace, packed: [UInt8]) {
    let path = NSTemporaryDirectory() + "/flamelark-states-\(UUID().uuidString).lark"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    var packed: [UInt8] = []
    _ = try unsafe RecordingCopy(of: path).write(packed: true) {
      unsafe packed.append(contentsOf: $0)
    }
    return (trace, packed)
  }

  /// Two threads; the first event of the recording is at its start.
  private func file() -> RecordingBytes {
    var file = RecordingBytes()
    file.add(thread: 1, names: ["a", "b"])
    file.add(thread: 2, names: ["a", "b"])
    file.add(chunkOf: file.span(1, 0..<1000, depth: 0), thread: 1)
    return file
  }

  private func state(
    _ range: Range<UInt64>, kind: UInt16 = ThreadStateKind.blocked.rawValue,
    wokenAt tick: UInt64? = nil, by key: UInt64 = 0
  ) -> [UInt64] {
    let start = RecordingBytes().start
    return [
      (start + range.lowerBound) << 8,
      EventRecord.word1(.threadState, id: 0, byteCount: 48, detail: kind),
      range.upperBound - range.lowerBound, tick.map { start + $0 } ?? 0, key, 0,
    ]
  }

  private let preempted = ThreadStateKind.preempted.rawValue

  private var twoThreads: RecordingBytes {
    var file = file()
    file.add(
      chunkOf: state(600..<700, kind: preempted) + state(100..<300, wokenAt: 250, by: 2),
      thread: 1)
    file.add(chunkOf: state(50..<90, wokenAt: 80) + state(90..<95, by: 9), thread: 2)
    file.addEnd()
    return file
  }

  private var expected: [Trace.ThreadState] {
    var woken = Trace.ThreadState(track: 0, kind: .blocked, range: 100..<300)
    (woken.wokenBy, woken.wokenAt) = (1, 250)
    var known = Trace.ThreadState(track: 1, kind: .blocked, range: 50..<90)
    known.wokenAt = 80
    return [
      woken, .init(track: 0, kind: .preempted, range: 600..<700), known,
      .init(track: 1, kind: .blocked, range: 90..<95),
    ]
  }

  @Test func eachFieldComesBackInTheOrderOfRowAndTime() throws {
    let (trace, packed) = try read(twoThreads.bytes)
    #expect(trace.issues == [])
    #expect(trace.spans.count == 1)
    #expect(trace.threadStates == expected)
    #expect(try read(packed).trace.threadStates == expected)
  }

  @Test func aStateOfAKilledProgramComesFromItsSlot() throws {
    var slot = SlotBytes(thread: 1, sequence: 2)
    slot.set(records: state(1100..<1300, wokenAt: 1250, by: 2))
    var live = LiveBytes()
    live.add(slot)
    let (left, recovered) = try live.read(with: file().bytes)
    #expect(left.threadStates.map(\.range) == [1100..<1300])
    #expect(left.threadStates.map(\.wokenBy) == [1])
    #expect(recovered.threadStates == left.threadStates)
    #expect(left.range.upperBound == 1300)
  }

  @Test func whatLiesInTwoIsCutAndCounted() throws {
    var file = file()
    // The second is cut, the third lies in the first, the last touches the second.
    file.add(
      chunkOf: state(200..<400, wokenAt: 210) + state(100..<300, wokenAt: 290)
        + state(150..<250) + state(400..<500), thread: 1)
    file.addEnd()
    let trace = try read(file.bytes).trace
    #expect(trace.threadStates.map(\.range) == [100..<300, 300..<400, 400..<500])
    #expect(trace.threadStates.map(\.wokenAt) == [290, 300, nil])
    #expect(
      trace.issues == [
        Trace.Issue("thread states cut where they overlap the one before", count: 2)
      ])
  }

  @Test func aWakeUpOutsideOfItsStateIsAtTheEdge() throws {
    var file = file()
    file.add(
      chunkOf: state(100..<200, wokenAt: 90) + state(300..<400, wokenAt: 500), thread: 1)
    file.addEnd()
    let trace = try read(file.bytes).trace
    #expect(trace.threadStates.map(\.wokenAt) == [100, 400])
  }

  @Test func aStateOfAnotherKindIsCounted() throws {
    var file = file()
    file.add(chunkOf: state(100..<200, kind: 2) + state(300..<400), thread: 1)
    file.addEnd()
    let trace = try read(file.bytes).trace
    #expect(trace.threadStates.map(\.range) == [300..<400])
    #expect(
      trace.issues == [
        Trace.Issue("records of kinds that this version doesn't know", count: 1)
      ])
  }

  @Test func aStateBeforeAllElseIsTheFirstEvent() throws {
    var file = RecordingBytes()
    file.add(thread: 1, names: ["a"])
    file.add(chunkOf: state(100..<200) + file.span(1, 300..<400, depth: 0), thread: 1)
    file.addEnd()
    let trace = try read(file.bytes).trace
    #expect(trace.threadStates.map(\.range) == [0..<100])
    #expect(trace.spans.start == [200])
  }

  @Test func statesMoveWithTheirRows() throws {
    let whole = try read(twoThreads.bytes).trace
    let first = whole.tracks[0].threadID
    var named = whole
    named.tracks[1].name = "other"
    let part = named.keeping { $0.name == "other" }
    try part.checkInvariants()
    #expect(part.threadStates.map(\.track) == [0, 0])
    #expect(part.threadStates.map(\.range) == [50..<90, 90..<95])
    let front = named.keeping { $0.name != "other" && $0.threadID == first }
    #expect(front.threadStates.map(\.wokenBy) == [nil, nil])
    #expect(front.threadStates.map(\.range) == [100..<300, 600..<700])
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func anyWordsAreRead(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var file = file()
    for thread in 1...3 as ClosedRange<UInt32> {
      var words: [UInt64] = []
      for _ in 0..<50 {
        func word() -> UInt64 {
          switch Int.random(in: 0..<5, using: &random) {
          case 0: 0
          case 1: UInt64.random(in: 0..<4, using: &random)
          case 2: .max
          case 3: random.next()
          default: file.start + UInt64.random(in: 0..<1000, using: &random)
          }
        }
        let isShort = Int.random(in: 0..<10, using: &random) == 0
        words += [
          Bool.random(using: &random)
            ? (file.start + UInt64.random(in: 0..<1000, using: &random)) << 8 : random.next(),
          EventRecord.word1(
            .threadState, id: UInt32.random(in: 0..<4, using: &random),
            byteCount: isShort ? 16 : 48, detail: UInt16.random(in: 0..<3, using: &random)),
        ]
        if !isShort { words += (0..<4).map { _ in word() } }
      }
      file.add(chunkOf: words, thread: thread)
    }
    file.addEnd()
    let (trace, packed) = try read(file.bytes)
    let counted = trace.issues.reduce(0) { $0 + $1.count }
    #expect(trace.threadStates.count <= 150, "seed \(seed)")
    #expect(trace.threadStates.count + counted >= 150, "seed \(seed)")
    #expect(try read(packed).trace.threadStates == trace.threadStates, "seed \(seed)")
  }
}
