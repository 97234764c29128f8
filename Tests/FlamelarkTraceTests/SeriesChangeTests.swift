import FlamelarkFormat
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

/// Records of frames that say anything at all.
@Suite struct SeriesChangeTests {
  private func read(_ words: [UInt64]) throws -> Trace {
    var file = RecordingBytes()
    file.add(thread: 1, names: ["a"])
    file.add(chunkOf: words, thread: 1)
    file.addEnd()
    let path = NSTemporaryDirectory() + "/flamelark-series-\(UUID().uuidString).lark"
    try Data(file.bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    return trace
  }

  private let start = RecordingBytes().start

  private func record(
    _ kind: EventRecord.Kind, detail: UInt16, at tick: UInt64, _ word2: UInt64, _ word3: UInt64
  ) -> [UInt64] {
    [
      (start + tick) << 8, EventRecord.word1(kind, id: 1, byteCount: 32, detail: detail), word2,
      word3,
    ]
  }

  private func frame(_ number: Int64, at tick: UInt64) -> [UInt64] {
    var record = FrameRecord(series: 1, number: number, mode: .displayLink)
    record.timestamp = Int64(start + tick)
    record.target = record.timestamp + 10_000_000
    record.begin = record.timestamp
    let words = record.words
    return [
      (start + tick) << 8,
      EventRecord.word1(.frame, id: 1, byteCount: FrameRecord.byteCount),
      UInt64(bitPattern: words.0), UInt64(bitPattern: words.1), UInt64(bitPattern: words.2),
      UInt64(bitPattern: words.3), UInt64(bitPattern: words.4), UInt64(bitPattern: words.5),
      UInt64(bitPattern: words.6), words.7, 0, 0,
    ]
  }

  @Test func aRestGoesToTheEndWhereNobodyEndsIt() throws {
    let trace = try read(
      frame(0, at: 0) + frame(1, at: 10_000_000)
        + record(
          .seriesChange, detail: SeriesChange.needsNoFrame.rawValue, at: 12_000_000, 1,
          start + 12_000_000))
    let rest = try #require(trace.frameSeries.first?.rests.first)
    #expect(rest.isUnfinished)
    #expect(rest.frame == 1)
    #expect(rest.range == 12_000_000..<12_000_000)
  }

  @Test func marksOfTheOtherRuleAreLeftOut() throws {
    let marks =
      record(.hitch, detail: HitchRule.ended.rawValue, at: 1, 0, 5)
      + record(.hitch, detail: HitchRule.shown.rawValue, at: 2, 1, 7)
    let frames = frame(0, at: 0) + frame(1, at: 10_000_000)
    #expect(try read(frames + marks).frameSeries[0].markedByRecorder.map(\.lateness) == [5])
    let shown = record(
      .frameFact, detail: FrameFact.presented.rawValue, at: 3, 0, start + 10_000_000)
    let trace = try read(frames + marks + shown)
    #expect(trace.frameSeries[0].mode == .presented)
    #expect(trace.frameSeries[0].markedByRecorder.map(\.lateness) == [7])
    #expect(trace.frameSeries[0].frames[0].presented == 10_000_000)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func anyNumbersAreRead(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func word() -> UInt64 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: .max
      case 1: 1 << 63
      case 2: UInt64.random(in: 0...UInt64.max, using: &random)
      case 3: UInt64.random(in: 0...6, using: &random)
      default: start + UInt64.random(in: 0...60_000_000, using: &random)
      }
    }
    var words: [UInt64] = []
    for number in 0..<6 as Range<Int64> { words += frame(number, at: UInt64(number) * 10_000_000) }
    for _ in 0..<20 {
      let kind = [EventRecord.Kind.seriesChange, .frameFact, .hitch, .stage].randomElement(
        using: &random)!
      if kind == .stage {
        words += [
          (start + 5) << 8, EventRecord.word1(kind, id: 1, byteCount: 48), word(), 0, 1, word(),
        ]
      } else {
        words += record(
          kind, detail: UInt16.random(in: 0...5, using: &random), at: 7, word(), word())
      }
    }
    let trace = try read(words)
    #expect(trace.frameSeries.first?.frames.count == 6, "seed \(seed)")
  }
}
