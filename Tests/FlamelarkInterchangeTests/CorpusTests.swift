import FlamelarkInterchange
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

@Suite(.enabled(if: Corpus.isPresent, "FLAMELARK_CORPUS names no folder"))
struct CorpusTests {
  @Test func everyFileIsReadOrRefusedInASentence() throws {
    var readable = 0
    for name in try Corpus.files() where name.hasSuffix(".json") || name.hasSuffix(".json.gz") {
      do {
        let trace = try readCorpus(name)
        readable += 1
        #expect(trace.spans.count + trace.markers.count + trace.counters.count > 0, "\(name)")
      } catch let error as ImportError {
        let sentence = error.description
        #expect(!sentence.contains("\n") && sentence.contains("; "), "\(name): \(sentence)")
        #expect(sentence.contains("byte") || sentence.contains("empty"), "\(name): \(sentence)")
      }
    }
    #expect(readable > 180)
  }

  @Test func whatWasReadIsWrittenAndReadAgain() throws {
    var compared = 0
    for name in try Corpus.files() where name.hasSuffix(".json") || name.hasSuffix(".json.gz") {
      guard let trace = try? readCorpus(name), (1...1000).contains(trace.spans.count) else {
        continue
      }
      let again = try read(exported(trace).bytes)
      func rows(_ trace: Trace, _ tree: ([TreeSpan]) -> [TreeSpan]) -> [String] {
        trace.tracks.indices.compactMap { track in
          let spans = tree(trace.treeSpans(ofTrack: track)).rebased()
          return spans.isEmpty ? nil : "\(trace.tracks[track].name): \(spans)"
        }.sorted()
      }
      #expect(
        rows(again) { $0 } == rows(trace) { $0.afterRuleFour().filter { $0.depth < 512 } },
        "\(name)")
      compared += 1
    }
    #expect(compared > 130)
  }

  @Test func speedscopeReadsTheExportOfAGame() throws {
    let trace = try readCorpus("engine/hazel-newspace-runtime2.json.gz")
    let model = try SpeedscopeModel(exported(trace).bytes)
    #expect(model.profiles.map(\.warnings) == [0])
    #expect(model.profiles[0].spans == trace.treeSpans(ofTrack: 0).afterRuleFour().rebased())
  }

  @Test func theFramesOfAGameAreAsCounted() throws {
    let trace = try readCorpus("engine/hazel-newspace-runtime2.json.gz")
    #expect(trace.tracks.count == 1)
    #expect(trace.count(of: "empty elements") == 1)
    let frames = trace.spans.start.indices.filter { trace.name(ofSpan: $0) == "RunLoop" }
    #expect(frames.count == 268)
    // All within the one span of the whole run.
    #expect(trace.name(ofSpan: 0).contains("Application::Run"))
    #expect(frames.allSatisfy { trace.spans.parent[$0] == 0 })
    let durations = frames.map { trace.spans.end[$0] - trace.spans.start[$0] }.sorted()
    let median = (durations[133] + durations[134]) / 2
    #expect(median == 16_625_500)
    // 167.6 ms and 82.3 ms.
    #expect(durations[267] / 100_000 == 1676)
    #expect(trace.spans.end[frames[1]] - trace.spans.start[frames[1]] == durations[267])
    #expect(trace.spans.end[frames[267]] - trace.spans.start[frames[267]] == durations[266])
  }

  @Test func aFileCutBeforeItsFirstEventSaysSo() throws {
    let error = #expect(throws: ImportError.self) {
      try readCorpus("engine/hazel-robocat-empty-runtime.json")
    }
    #expect(error == ImportError(.cutBeforeFirstEvent, at: 32))
  }

  @Test(arguments: [
    "real/chrome-trace-firefox-issue-5429.json.gz",
    "other/flutter-devtools-cpu-simple_profile_2.json", "speedscope/simple-with-samples.json",
  ])
  func filesOfSamplesSaySo(name: String) throws {
    let error = #expect(throws: ImportError.self) { try readCorpus(name) }
    #expect(error?.reason == .samplesOnly)
  }

  @Test func fromSpeedscopesSamplesComeTheStacksItExpects() throws {
    // Where our rules decide otherwise: ends that fit no open span don't ruin the thread, overlaps
    // get a lane, arguments name no frames.
    let decidedOtherwise: Set = [
      "end-non-top-of-stack", "mismatched-name", "invalid-x-nesting", "simple-hermes",
      "simple-with-samples", "multi-thread-with-samples", "unbalanced-name",
      "out-of-order-unbalanced-name",
      // Equal times: the first in the file is outside, whether X or B.
      "bex-interaction",
    ]
    let json = try JSONSerialization.jsonObject(
      with: Data(Corpus.text("speedscope/EXPECTED.json").utf8))
    let expected = try #require(json as? [String: [String: Any]])
    var compared = 0
    for (file, value) in expected where file.hasPrefix("trace-event/") {
      let name = file.dropFirst("trace-event/".count).dropLast(".json".count)
      let profiles = try #require(value["profiles"] as? [[Any]])
      if decidedOtherwise.contains(String(name)) { continue }
      let trace = try readCorpus("speedscope/\(name).json")
      #expect(trace.tracks.count == profiles.count, "\(name)")
      for (track, profile) in profiles.enumerated() {
        let stacks = try #require(profile[1] as? [String]).map(Stack.init).merged()
        #expect(trace.stacks(ofTrack: track) == stacks, "\(name)")
      }
      compared += 1
    }
    #expect(compared == 20)
  }

  @Test func filesWithOneQuirkGiveTheTreeThatPerfettoBuilds() throws {
    let decidedOtherwise: Set = [
      // One span without a duration doesn't hold another.
      "zero-dur-X-in-parent",
      // All arrays are read, all lines, all threads.
      "concatenated-arrays", "jsonl", "tid-64bit", "pid-tid-numeric-strings",
      // Instants are no spans.
      "instant-at-touch", "instant-between", "instant-in-slice-same-ts-as-start",
      "instant-scope-global", "recommended-export", "recommended-export-BE",
      // The list is cut there, or a name breaks its line.
      "deep-nesting-600", "name-bmp-escape", "name-missing", "name-number", "name-raw-emoji",
      "name-surrogate-escape",
    ]
    var compared = 0
    for section in try Corpus.text("synthetic/WHAT-OTHERS-DO.txt").components(separatedBy: "### ") {
      let lines = section.split(separator: "\n")
      guard let file = lines.first.map(String.init), file.hasPrefix("synthetic/"),
        let line = lines.first(where: { $0.hasPrefix("  perfetto:   ok ") }),
        !line.contains("stats="), !line.contains("OPEN"),
        !decidedOtherwise.contains(String(file.dropFirst(10).dropLast(5)))
      else { continue }
      let theirs = line.dropFirst("  perfetto:   ok ".count).split(separator: " ")
        .compactMap { Self.withoutName(String($0)) }
      let zero = theirs.map(\.start).min() ?? 0
      let expected = theirs.map {
        String(repeating: ">", count: $0.depth) + "@\($0.start - zero)+\($0.duration)"
      }
      // What has no scope is refused.
      guard !expected.isEmpty, line.contains("/"), let trace = try? readCorpus(file) else {
        continue
      }
      let first = trace.spans.start.min() ?? 0
      let ours = trace.spans.start.indices.map { span in
        String(repeating: ">", count: trace.depth(ofSpan: span))
          + "@\(trace.spans.start[span] - first)+\(trace.spans.end[span] - trace.spans.start[span])"
      }
      #expect(ours.sorted() == expected.sorted(), "\(file)")
      compared += 1
    }
    #expect(compared >= 40)
  }

  /// `1/1:>>name@12.5+3` without its thread and name.
  private static func withoutName(_ text: String) -> (depth: Int, start: Int64, duration: Int64)? {
    guard let at = text.lastIndex(of: "@"), let colon = text.firstIndex(of: ":") else { return nil }
    let depth = text[text.index(after: colon)...].prefix { $0 == ">" }.count
    let numbers = text[text.index(after: at)...].split(separator: "+")
    guard numbers.count == 2, let start = Double(numbers[0]), let duration = Double(numbers[1])
    else {
      return nil
    }
    return (depth, Int64((start * 1000).rounded()), Int64((duration * 1000).rounded()))
  }
}

/// One stack of a profile, as snapshots of speedscope write it: `a;b 1.50ms`.
private struct Stack: Equatable, CustomStringConvertible {
  var frames: String
  var microseconds: Double

  var description: String { "\(frames) \(microseconds)µs" }

  init(frames: String, microseconds: Double) {
    self.frames = frames
    self.microseconds = microseconds
  }

  /// Without the arguments behind names.
  init(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    let value = parts.last ?? ""
    let units = [("µs", 1.0), ("ms", 1000), ("ns", 0.001)]
    let unit = units.first { value.hasSuffix($0.0) } ?? ("s", 1_000_000)
    microseconds = (Double(value.dropLast(unit.0.count)) ?? -1) * unit.1
    frames = parts.dropLast().joined(separator: " ").split(separator: ";")
      .map { $0.split(separator: " {").first.map(String.init) ?? "" }.joined(separator: ";")
  }

  /// Snapshots show two decimals.
  static func == (a: Self, b: Self) -> Bool {
    a.frames == b.frames
      && abs(a.microseconds - b.microseconds) <= max(0.006, a.microseconds * 0.0051)
  }
}

extension [Stack] {
  fileprivate func merged() -> [Stack] {
    reduce(into: []) { result, stack in
      if let last = result.last, last.frames == stack.frames {
        result[result.count - 1].microseconds += stack.microseconds
      } else {
        result.append(stack)
      }
    }
  }
}

extension Trace {
  /// What stacks stood for how long, from the first begin of a row to its last end.
  fileprivate func stacks(ofTrack track: Int) -> [Stack] {
    let range = tracks[track].spans
    let times = Set(range.flatMap { [spans.start[$0], spans.end[$0]] }).sorted()
    return zip(times, times.dropFirst()).map { start, end in
      let open = range.filter { spans.start[$0] <= start && spans.end[$0] >= end }
      return Stack(
        frames: open.map(name(ofSpan:)).joined(separator: ";"),
        microseconds: Double(end - start) / 1000)
    }.merged()
  }
}
