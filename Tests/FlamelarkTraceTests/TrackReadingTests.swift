import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

/// Reading what the clocks of devices say.
@Suite struct TrackReadingTests {
  /// A thousand ticks a second, from 1,000,000 on when the recording starts.
  private func device(_ milliseconds: Double) -> UInt64 { UInt64(1_000_000 + milliseconds) }

  private func file(
    spans: [Range<UInt64>], relations: [(ticks: UInt64, seconds: Double)], rate: UInt64 = 1000
  ) -> RecordingBytes {
    var file = RecordingBytes()
    file.add(thread: 1, names: ["pass", "device"])
    var words: [UInt64] = []
    for span in spans {
      words += [file.start << 8, word1(19, id: 1), 2, span.lowerBound, span.upperBound, rate]
    }
    for relation in relations {
      let time = Int64(file.start) + Int64(relation.seconds * 1e9)
      words += [
        file.start << 8, word1(20, id: 0), 2, relation.ticks, UInt64(bitPattern: time), rate,
      ]
    }
    file.add(chunkOf: words + file.span(1, 0..<500_000_000, depth: 0), thread: 1)
    file.addEnd()
    return file
  }

  private func word1(_ kind: UInt64, id: UInt64) -> UInt64 { id | 1 << 31 | kind << 32 | 3 << 40 }

  private func read(_ file: RecordingBytes) throws -> Trace {
    let path = NSTemporaryDirectory() + "/flamelark-track-\(UUID().uuidString).lark"
    try Data(file.bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let trace = try Trace(contentsOf: path)
    try trace.checkInvariants()
    return trace
  }

  /// Milliseconds after the recording's start at which the spans of the track begin and end.
  private func times(_ trace: Trace) throws -> [[Double]] {
    // The span of the thread begins with it.
    let zero = trace.spans.start[try #require(trace.tracks.first).spans.lowerBound]
    return trace.tracks.filter { $0.kind == .track }.flatMap { track in
      track.spans.map { span in
        [trace.spans.start[span], trace.spans.end[span]].map { Double($0 - zero) / 1e6 }
      }
    }
  }

  @Test func betweenRelationsTimesLieOnStraightLines() throws {
    let trace = try read(
      file(
        spans: [device(500)..<device(1000), device(1500)..<device(2500)],
        relations: [(device(2000), 2.012), (device(1000), 1.002), (device(0), 0)]))
    #expect(try times(trace) == [[501, 1002], [1507, 2517]])
    #expect(trace.deviceClocks.map(\.relations) == [3])
    #expect(abs((trace.deviceClocks.first?.drift ?? 0) - 6000) < 1e-6)
    #expect(trace.issues.isEmpty)
  }

  @Test func aRelationThatContradictsTheRateIsLeftOutAndCounted() throws {
    for wrong in [(device(500), 1.5), (device(1), 9.0), (device(900), 0.001), (0, 0.1)] {
      let trace = try read(
        file(
          spans: [device(100)..<device(200)],
          relations: [(device(0), 0), (device(1000), 1), (device(2000), 2), wrong]))
      #expect(try times(trace) == [[100, 200]])
      #expect(trace.deviceClocks.map(\.relations) == [3])
      #expect(
        trace.issues.map(\.text) == ["relations of the clock of device that contradict its rate"])
      #expect(trace.issues.map(\.count) == [1])
    }
  }

  @Test func nearRelationsDontBendTheLine() throws {
    // Ten microseconds wrong at a distance of 10 ms would be a second in a thousand.
    let trace = try read(
      file(
        spans: [device(2000)..<device(3000)],
        relations: [(device(0), 0), (device(10), 0.010_01), (device(20), 0.020_005)]))
    #expect(try times(trace) == [[2000, 3000]])
    #expect(trace.deviceClocks.map(\.relations) == [3])
    #expect(trace.deviceClocks.map(\.drift) == [nil])
  }

  @Test func relatedTicksGetTheTimesThatWereRelated() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var relations: [(ticks: UInt64, seconds: Double)] = []
      var (ticks, seconds) = (UInt64.random(in: 0...UInt64.max, using: &generator), 0.0)
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        relations.append((ticks, seconds))
        let step = Double.random(in: 0.11...0.7, using: &generator)
        let error = Double.random(in: 0.996...1.004, using: &generator)
        // The clock may go over the greatest number.
        ticks &+= UInt64(step * 1e6)
        seconds += (step * 1e9 * error).rounded() / 1e9 + 1e-4
      }
      let trace = try read(
        file(
          spans: relations.map { $0.ticks..<$0.ticks },
          relations: relations.shuffled(using: &generator),
          rate: 1_000_000))
      let found = try times(trace).map { $0[0] }.sorted()
      #expect(found.count == relations.count)
      for (time, relation) in zip(found, relations) {
        #expect(abs(time - relation.seconds * 1000) < 1e-5)
      }
      #expect(trace.issues.isEmpty)
    }
  }

  @Test func anyWordsAtAllAreReadToAnEnd() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let edges: [UInt64] = [
      0, 1, 2, 1000, .max, .max / 2, .max / 2 + 1, 1_000_000_000, 1_000_000_000 << 8,
    ]
    var kept = 0
    for _ in 0..<300 {
      var file = RecordingBytes()
      file.add(thread: 1, names: ["pass", "device"])
      var words: [UInt64] = []
      for _ in 0..<20 {
        func word() -> UInt64 {
          Bool.random(using: &generator)
            ? edges.randomElement(using: &generator) ?? 0
            : .random(in: 0...UInt64.max, using: &generator)
        }
        let kind = UInt64.random(in: 18...20, using: &generator)
        let id = UInt64.random(in: 0...3, using: &generator)
        words += [word(), word1(kind, id: id), id, word(), word(), word()]
      }
      file.add(chunkOf: words + file.span(1, 0..<100, depth: 0), thread: 1)
      file.addEnd()
      let trace = try read(file)
      kept += trace.spans.count
      #expect(trace.range.lowerBound == 0)
    }
    #expect(kept >= 300)
  }
}

/// What rows say of themselves.
@Suite struct RoleTests {
  @Test(arguments: [
    ("worker 3", "worker"), ("worker-12", "worker"), ("worker", "worker"), ("worker (3)", "worker"),
    ("pool-1-thread-7", "pool-1-thread"), ("C++", "C++"), ("3", "3"), ("", ""), ("#4", "#4"),
    ("Arbeiter é 5", "Arbeiter é"), ("tick!", "tick!"), ("a1b2", "a1b"),
  ])
  func theRoleOfAThreadIsItsNameWithoutItsNumber(name: String, role: String) {
    let track = Trace.Track(kind: .thread, name: name, processID: 1, threadID: 1)
    #expect(track.role == role)
  }

  @Test func rowsThatAreNoThreadsHaveNoRole() {
    for kind in [Trace.Track.Kind.lane, .task, .track] {
      #expect(Trace.Track(kind: kind, name: "worker 3", processID: 1, threadID: 1).role == nil)
    }
  }
}
