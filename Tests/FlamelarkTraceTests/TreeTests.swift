import FlamelarkFormat
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

/// Call trees of any shape come out as they ran, whichever way the reader takes.
@Suite struct TreeTests {
  /// A span as it should come out, in ticks after the start; `parent` counts within its thread.
  private struct Row: Equatable {
    var start: UInt64
    var end: UInt64
    var site: UInt32
    var parent: Int?
  }

  /// A sum of left-out spans, in ticks; `parent` as of a row.
  private struct Sum: Equatable {
    var range: Range<UInt64>
    var parent: Int
  }

  /// One thread: its spans in the order of their beginnings, its records in that of their ends, each
  /// with the sums in front of it.
  private struct Thread {
    var rows: [Row] = []
    var records: [[UInt64]] = []
    var sums: [Sum] = []
  }

  private let names = (0..<300).map { "function \($0)" }

  private func call(
    depth: UInt64, at start: UInt64, in parent: Int?, most: Int, _ thread: inout Thread,
    _ random: inout SeededGenerator
  ) -> UInt64 {
    let place = thread.rows.count
    let site = UInt32.random(in: 1...300, using: &random)
    thread.rows.append(Row(start: start, end: 0, site: site, parent: parent))
    var tick = start + UInt64.random(in: 0...3, using: &random)
    let calls = depth < 30 ? Int.random(in: 0...4, using: &random) : 0
    for _ in 0..<calls where thread.rows.count < most {
      tick = call(depth: depth + 1, at: tick, in: place, most: most, &thread, &random)
      tick += UInt64.random(in: 0...2, using: &random)
    }
    // Now and then beyond what one line of the clock reaches.
    let isLong = UInt8.random(in: 0..<100, using: &random) == 0
    tick += UInt64.random(in: 0...(isLong ? 6_000_000_000 : 9), using: &random)
    thread.rows[place].end = tick
    let file = RecordingBytes()
    if UInt8.random(in: 0..<20, using: &random) == 0 {
      let first = (file.start + start) << 8 | depth + 1
      // Its low half has the mark of an extended record and nothing else.
      let overDepth = EventRecord.word1(.overDepth, id: 0, byteCount: 32)
      let folded = EventRecord.word1(.folded, id: 1, byteCount: 64)
      if Bool.random(using: &random) {
        thread.sums.append(Sum(range: start..<start, parent: place))
        thread.records.append([first, overDepth, 5, 0])
      } else {
        // It ends where the span around it does, if that is earlier.
        let extent = UInt64.random(in: 0...(tick - start) + 3, using: &random)
        thread.sums.append(Sum(range: start..<min(tick, start + extent), parent: place))
        let count: UInt64 = Bool.random(using: &random) ? 3 : 1 << 40
        thread.records.append([first, folded, extent, count, 3, 2, 1, 0])
      }
    }
    let duration = tick - start
    thread.records.append(
      duration < 1 << 32
        ? file.span(site, start..<tick, depth: depth)
        : [
          (file.start + start) << 8 | depth,
          EventRecord.word1(.longSpan, id: site, byteCount: 32), duration, 0,
        ])
    return tick
  }

  private func thread(isRooted: Bool, _ random: inout SeededGenerator) -> Thread {
    var thread = Thread()
    let most = Int.random(in: 1...400, using: &random)
    var tick: UInt64 = UInt64.random(in: 0...50, using: &random)
    while thread.rows.count < most {
      tick = call(depth: 0, at: tick, in: nil, most: most, &thread, &random)
      tick += UInt64.random(in: 0...2, using: &random)
    }
    guard isRooted else { return thread }
    // All of it in one span, which ends last.
    let file = RecordingBytes()
    var rooted = Thread()
    rooted.rows = [Row(start: thread.rows[0].start, end: tick, site: 1, parent: nil)]
    rooted.rows += thread.rows.map { row in
      var row = row
      row.parent = (row.parent ?? -1) + 1
      return row
    }
    rooted.sums = thread.sums.map { Sum(range: $0.range, parent: $0.parent + 1) }
    rooted.records = thread.records.map { [$0[0] + 1] + $0[1...] }
    rooted.records.append([
      (file.start + thread.rows[0].start) << 8,
      EventRecord.word1(.longSpan, id: 1, byteCount: 32), tick - thread.rows[0].start, 0,
    ])
    return rooted
  }

  /// A recording of threads, with `extra` records behind those of the first.
  private func recording(
    of threads: [Thread], extra: [UInt64], _ random: inout SeededGenerator
  ) -> RecordingBytes {
    var file = RecordingBytes()
    for key in 1...UInt32(threads.count) { file.add(thread: key, names: names) }
    let most = [1, 7, 100].randomElement(using: &random) ?? 1
    for (index, thread) in threads.enumerated() {
      var left = thread.records[...]
      while !left.isEmpty {
        let some = left.prefix(Int.random(in: 1...most, using: &random))
        file.add(chunkOf: Array(some.joined()), thread: UInt32(index + 1))
        left = left.dropFirst(some.count)
      }
    }
    if !extra.isEmpty { file.add(chunkOf: extra, thread: 1) }
    file.addEnd()
    return file
  }

  private func read(_ file: RecordingBytes, packed: Bool) throws -> Trace {
    let path = NSTemporaryDirectory() + "/flamelark-tree-\(UUID().uuidString).lark"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(file.bytes).write(to: URL(fileURLWithPath: path))
    if packed {
      var bytes: [UInt8] = []
      let copy = try RecordingCopy(of: path)
      _ = unsafe copy.write(packed: true) { unsafe bytes.append(contentsOf: $0) }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    return trace
  }

  /// The rows of a trace's track, in ticks after the start.
  private func rows(_ trace: Trace, _ track: Int, zero: UInt64) -> [Row] {
    let range = trace.tracks[track].spans
    return range.map { place in
      let parent = trace.spans.parent[place]
      return Row(
        start: UInt64(bitPattern: trace.spans.start[place]) + zero,
        end: UInt64(bitPattern: trace.spans.end[place]) + zero,
        site: UInt32(names.firstIndex(of: trace.name(ofSpan: place)) ?? -1) + 1,
        parent: parent == Trace.Spans.none ? nil : Int(parent) - range.lowerBound)
    }
  }

  @Test(arguments: [false, true]) func treesComeOutAsTheyRan(_ isPacked: Bool) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for round in 0..<60 {
      let threads = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        thread(isRooted: Bool.random(using: &random), &random)
      }
      let file = recording(of: threads, extra: [], &random)
      let trace = try read(file, packed: isPacked)
      let zero = threads.map { $0.rows[0].start }.min() ?? 0
      #expect(trace.issues.isEmpty)
      #expect(trace.spans.count == threads.reduce(0) { $0 + $1.rows.count })
      for (track, thread) in threads.enumerated() {
        guard rows(trace, track, zero: zero) == thread.rows else {
          Issue.record("seed \(seed) round \(round): thread \(track) differs")
          return
        }
        let base = trace.tracks[track].spans.lowerBound
        let sums = trace.folded.filter { $0.track == track }.map { sum in
          Sum(
            range: UInt64(sum.range.lowerBound) + zero..<UInt64(sum.range.upperBound) + zero,
            parent: Int(sum.parent) - base)
        }
        #expect(sums == thread.sums, "seed \(seed) round \(round)")
      }
    }
  }

  /// A span whose parent is missing makes a thread unsound: it is read another way.
  @Test(arguments: [false, true]) func bothWaysAgree(_ isPacked: Bool) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for round in 0..<60 {
      let threads = [
        thread(isRooted: Bool.random(using: &random), &random), thread(isRooted: false, &random),
      ]
      let end = threads[0].rows.map(\.end).max() ?? 0
      let orphan = RecordingBytes().span(2, end..<end + 5, depth: 1)
      let sound = try read(recording(of: threads, extra: [], &random), packed: isPacked)
      let other = try read(recording(of: threads, extra: orphan, &random), packed: isPacked)
      let zero = threads.map { $0.rows[0].start }.min() ?? 0
      let expected = [threads[0].rows + [Row(start: end, end: end + 5, site: 2)], threads[1].rows]
      for track in 0..<2 {
        guard rows(other, track, zero: zero) == expected[track] else {
          Issue.record("seed \(seed) round \(round): thread \(track) differs")
          return
        }
      }
      #expect(other.folded.map(\.range) == sound.folded.map(\.range), "seed \(seed) \(round)")
      #expect(other.folded.map(\.total) == sound.folded.map(\.total), "seed \(seed) \(round)")
    }
  }
}
