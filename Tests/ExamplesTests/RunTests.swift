import FlamelarkTrace
import Foundation
import Testing

/// The examples as a newcomer runs them, and what the command says of their traces.
@Suite struct RunTests {
  @Test func theTenLinesRecordTheirLateFrames() throws {
    try withTemporaryFolder { place in
      let run = try Program("TenLines", in: place)
      #expect(run.status == 0, "\(run.errors)")
      let series = try #require(try BlameReport(of: "ten-lines.lark", in: place).series.first)
      #expect(series.name == "loop")
      #expect(series.mode == "marks")
      #expect(series.frames == 120)
      // A frame begins with the mark before it, so pass 40 is frame 38.
      let late = series.hitches.map(\.frame)
      #expect(Set(late).isSuperset(of: [38, 78, 118]))
      for hitch in series.hitches where [38, 78, 118].contains(hitch.frame) {
        #expect(hitch.causes.first?.path == ["describe"])
      }
    }
  }

  @Test func aSecondRunOverwritesNothing() throws {
    try withTemporaryFolder { place in
      _ = try Program("TenLines", in: place)
      let first = try Data(contentsOf: place.appending(path: "ten-lines.lark"))
      let second = try Program("TenLines", in: place)
      #expect(second.status == 0)
      #expect(second.errors.contains("ten-lines.2.lark"))
      #expect(try Data(contentsOf: place.appending(path: "ten-lines.lark")) == first)
      #expect(try BlameReport(of: "ten-lines.2.lark", in: place).series.first?.frames == 120)
    }
  }

  @Test func swiftCAndCPlusPlusAreInOneTrace() throws {
    try withTemporaryFolder { place in
      let run = try Program("MixedC", in: place)
      #expect(run.status == 0, "\(run.errors)")
      let all = try BlameReport(of: "mixed-c.lark", in: place).series
      let series = try #require(all.first { $0.name == "loop" })
      let late = series.hitches.filter { [18, 38, 58].contains($0.frame) }
      #expect(late.count == 3)
      // A span of Swift, with one of C in it that begins and ends, and one that is a scope.
      #expect(late.allSatisfy { $0.causes.first?.path == ["frame", "sort", "insert"] })
      // The loop in C++ has frames of its own, which its display shows, and one of them late.
      let shown = try #require(all.first { $0.name == "simulation" })
      #expect(shown.mode == "presented")
      #expect(shown.frames == 20)
      #expect(shown.hitches.map(\.frame) == [10])
      let trace = try Trace(contentsOf: place.appending(path: "mixed-c.lark").path)
      #expect(trace.flows.count == 20)
      #expect(trace.flows.allSatisfy { $0.begin != nil && $0.ends.count == 1 })
      #expect(trace.flows.allSatisfy { $0.begin?.track != $0.ends.first?.track })
      #expect(trace.values.map(\.value) == Array(repeating: 10_000, count: 60))
    }
  }

  /// The feed counts late frames from its display link's timestamps alone.
  @Test(arguments: [1, 2])
  func theFeedAndTheCommandCountTheSame(seed: Int) throws {
    try withTemporaryFolder { place in
      let run = try Program(
        "Feed", "--seconds", "1.5", "--seed", "\(seed)", "-o", "f.lark", in: place)
      #expect(run.status == 0, "\(run.errors)")
      let numbers = try #require(
        try /feed: (\d+) frames, (\d+) late, (\d+\.\d\d) ms\/s/.firstMatch(in: run.output))
      let series = try #require(try BlameReport(of: "f.lark", in: place).series.first)
      #expect(series.name == "feed")
      #expect(series.mode == "display-link")
      #expect(series.frames == Int(numbers.1))
      #expect(series.hitches.count == Int(numbers.2))
      let ratio = try #require(Double(numbers.3))
      #expect(abs(series.hitch_ratio_ms_per_s - ratio) < 0.0051)
      // To the nanosecond, hitch by hitch and over the series.
      for hitch in series.hitches {
        #expect(hitch.causes.reduce(0) { $0 + $1.blame_ns } == hitch.lateness_ns)
      }
      #expect(series.causes.reduce(0) { $0 + $1.blame_ns } == series.hitch_ns)
    }
  }

  /// A run of the feed, whose counts don't depend on how fast it is.
  private struct FeedRun {
    let trace: Trace

    init(fixing slowness: String?) throws {
      let fixes = slowness.map { ["--fix", $0] } ?? ["--seed", "1"]
      var trace: Trace?
      try withTemporaryFolder { place in
        let run = try Program(
          "Feed", fixes[0], fixes[1], "--seconds", "1.5", "-o", "f.lark", in: place)
        #expect(run.status == 0, "\(run.errors)")
        trace = try Trace(contentsOf: place.appending(path: "f.lark").path)
      }
      self.trace = try #require(trace)
    }

    /// How many spans of this name the loop has.
    subscript(name: String) -> Int { spans(name, of: trace.tracks[0]).count }

    func spans(_ name: String, of track: Trace.Track) -> [Int] {
      track.spans.filter { trace.name(ofSpan: $0) == name }
    }
  }

  @Test func eachMistakeIsWorkThatIsDone() throws {
    let mended = try FeedRun(fixing: "all")
    let cells = mended["cell.configure"]
    #expect(cells > 12 && mended["reload"] > 0)
    #expect(mended["text.parse"] == cells)
    // Once for each cell that comes in, and perhaps for each post that is liked.
    #expect(mended["constraints.solve"] <= cells + mended["reload"])
    for name in ["image.decode", "transparency.draw", "header.build", "tag.create"] {
      #expect(mended[name] == 0, "\(name)")
    }
    // The cutouts are drawn in the background, before the feed is seen.
    let drawn = mended.trace.tracks.flatMap { mended.spans("transparency.draw", of: $0) }
    #expect(drawn.count == 6)
    let first = try #require(mended.trace.frameSeries.first?.frames.first)
    #expect(drawn.allSatisfy { mended.trace.spans.end[$0] < first.begin })

    let slow = try FeedRun(fixing: nil)
    #expect(slow["text.parse"] == 3 * slow["cell.configure"])
    #expect(slow["constraints.solve"] > 2 * (slow["cell.configure"] + slow["reload"]))
    #expect(slow["image.decode"] > 0)
    #expect(slow["transparency.draw"] > 0)
    #expect(slow["reload"] > 0 && slow["header.build"] == slow["reload"])
    #expect(slow["tag.create"] >= 3 * slow["cell.configure"])
  }

  @Test func theFeedSaysWhatIsWrongWithItsArguments() throws {
    try withTemporaryFolder { place in
      let run = try Program("Feed", "--fix", "fonts", in: place)
      #expect(run.status == 2)
      #expect(run.errors.hasPrefix("feed: there is no slowness 'fonts'"))
    }
  }

  @Test func theReadmeShowsTheTenLines() throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    let example = try String(
      contentsOf: root.appending(path: "Examples/TenLines/main.swift"), encoding: .utf8)
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(example)```"))
    let statements = example.split(separator: "\n")
    #expect(statements.count == 10)
  }
}
