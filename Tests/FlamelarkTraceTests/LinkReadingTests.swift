import FlamelarkFormat
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

/// Waits and links as their bytes say them.
@Suite struct LinkReadingTests {
  private func read(_ file: RecordingBytes) throws -> Trace {
    let path = NSTemporaryDirectory() + "/flamelark-links-\(UUID().uuidString).lark"
    try Data(file.bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    return trace
  }

  private func file() -> RecordingBytes {
    var file = RecordingBytes()
    file.add(thread: 1, names: ["a", "b"])
    file.add(thread: 2, names: ["a", "b"])
    return file
  }

  private func wait(
    _ file: RecordingBytes, site: UInt32, _ range: Range<UInt64>, task: UInt64 = 0,
    kind: UInt16 = WaitKind.lock.rawValue, _ rest: [UInt64]
  ) -> [UInt64] {
    [
      (file.start + range.lowerBound) << 8,
      EventRecord.word1(.wait, id: site, byteCount: 64, detail: kind),
      range.upperBound - range.lowerBound, task,
    ] + rest
  }

  private func flow(
    _ file: RecordingBytes, site: UInt32, at tick: UInt64, number: UInt64, task: UInt64, end: Bool
  ) -> [UInt64] {
    [
      (file.start + tick) << 8,
      EventRecord.word1(.flow, id: site, byteCount: 32, detail: end ? 1 : 0), number, task,
    ]
  }

  @Test func eachFieldComesBack() throws {
    var file = file()
    let start = file.start
    file.add(
      chunkOf: wait(file, site: 1, 100..<300, [7, 2, 99, start + 250])
        + wait(file, site: 2, 400..<500, kind: WaitKind.queue.rawValue, [8, 0, 0, 0])
        + flow(file, site: 1, at: 600, number: 5, task: 42, end: false), thread: 1)
    file.add(
      chunkOf: wait(
        file, site: 1, 100..<900, task: 99, kind: WaitKind.await.rawValue, [9, 1, 0, 0])
        + flow(file, site: 2, at: 700, number: 5, task: 0, end: true)
        + flow(file, site: 2, at: 650, number: 5, task: 0, end: true)
        + flow(file, site: 2, at: 800, number: 6, task: 0, end: true), thread: 2)
    file.addEnd()
    let trace = try read(file)
    #expect(trace.issues == [])
    try #require(trace.waits.count == 3)
    let times = trace.waits.map { (trace.spans.start[$0.span], trace.spans.end[$0.span]) }
    #expect(times.map { $0.1 - $0.0 } == [200, 100, 800])
    #expect(trace.waits.map(\.kind) == [.lock, .queue, .await])
    #expect(trace.waits.map(\.resource) == [7, 8, 9])
    #expect(trace.waits.map(\.endedByTrack) == [1, nil, 0])
    #expect(trace.waits.map(\.endedByTask) == [99, nil, nil])
    #expect(trace.waits.map { $0.endedAt.map { $0 - times[0].0 } } == [150, nil, nil])
    let row = try #require(trace.tracks.firstIndex { $0.spans.contains(trace.waits[2].span) })
    #expect(trace.tracks[row].kind == .task)
    #expect(trace.flows.map(\.number) == [5, 6])
    let ends = trace.flows.map { $0.ends.map { $0.time - times[0].0 } }
    #expect(ends == [[550, 600], [700]])
    #expect(trace.flows[0].begin?.task == 42 && trace.flows[0].begin?.track == 0)
    #expect(trace.flows[1].begin == nil && trace.flows[1].ends[0].track == 1)
  }

  @Test func waitsThatAreThereTwiceCountOnce() throws {
    var file = file()
    let words = wait(file, site: 1, 100..<100, [7, 2, 0, 0])
    // Of no duration and at one time: more than anybody would look through for each.
    file.add(
      chunkOf: Array(repeating: words, count: 1000).flatMap(\.self), thread: 1)
    file.addEnd()
    let trace = try read(file)
    #expect(trace.spans.count == 1000 && trace.waits.count == 1)
    #expect(trace.issues.map(\.count) == [999])
  }

  @Test(arguments: 0..<200 as Range<UInt64>) func anyWordsAreRead(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var file = file()
    for thread in 1...3 as ClosedRange<UInt32> {
      var words: [UInt64] = []
      for _ in 0..<50 {
        let isWait = Bool.random(using: &random)
        let kind: EventRecord.Kind = isWait ? .wait : .flow
        let byteCount = isWait ? 64 : 32
        func word() -> UInt64 {
          switch Int.random(in: 0..<4, using: &random) {
          case 0: 0
          case 1: UInt64.random(in: 0..<4, using: &random)
          case 2: file.start + UInt64.random(in: 0..<1000, using: &random)
          default: random.next()
          }
        }
        words += [
          (file.start + UInt64.random(in: 0..<1000, using: &random)) << 8
            | UInt64.random(in: 0..<3, using: &random),
          EventRecord.word1(
            kind, id: UInt32.random(in: 0..<4, using: &random), byteCount: byteCount,
            detail: UInt16.random(in: 0..<8, using: &random)),
        ]
        for _ in 2..<byteCount / 8 { words.append(word()) }
      }
      file.add(chunkOf: words, thread: thread)
    }
    file.addEnd()
    let trace = try read(file)
    #expect(trace.waits.count <= trace.spans.count, "seed \(seed)")
    #expect(trace.flows.reduce(0) { $0 + $1.ends.count } <= 150, "seed \(seed)")
  }
}
