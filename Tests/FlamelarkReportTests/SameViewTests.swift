import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@testable import FlamelarkAnalysis
@testable import FlamelarkReport

/// The commands that reports suggest.
@Suite struct SameViewTests {
  private let asked: [SameView.Option: String] = [
    .frames: "Run Loop", .refresh: "120", .from: "f2", .to: "1.5s", .activity: "it's", .skip: "3",
  ]

  /// The commands of a text, each on one line.
  private func commands(in text: String) -> [String] {
    text.replacing(#/ \\\n +/#, with: " ").matches(of: #/flamelark [a-z].*?(?=\n|     )/#)
      .map { String($0.0) }
  }

  @Test(arguments: [80, 100, 300])
  func commandsOfBlameHaveWhatWasAskedFor(_ width: Int) throws {
    let view = SameView(of: "-my feed.lark", values: asked)
    let text = try BlameByHand.everything.report(view: view).text(width: width)
    let flame =
      #"flamelark flame --of blame --frames 'Run Loop' --refresh 120 --from f2 --to 1.5s "#
      + #"--activity 'it'\''s' --skip 3 './-my feed.lark'"#
    #expect(
      commands(in: text) == [
        "flamelark hitch --frames 'Run Loop' --refresh 120 './-my feed.lark' 20", flame,
        "flamelark hitch --frames 'Run Loop' --refresh 120 './-my feed.lark' 90",
        "flamelark hitch --frames 'Run Loop' --refresh 120 './-my feed.lark' 130",
      ], "\(text)")
  }

  @Test func commandsOfAHitchHaveWhatWasAskedFor() throws {
    let view = SameView(of: "feed.lark", values: [.series: "feed", .refresh: "59.94"])
    let text = try HitchReportTests().report(view: view).text()
    #expect(
      commands(in: text) == [
        "flamelark spans --series feed --refresh 59.94 --from f130 --to f130 feed.lark",
        "flamelark export --as speedscope --series feed --refresh 59.94 --from f130 --to f130 "
          + "-o f130.speedscope.json feed.lark",
      ], "\(text)")
  }

  @Test func aSeriesIsNamedWhereThereAreSeveral() {
    let view = SameView(of: "a.lark")
    #expect(view.only("feed", among: 1) == view)
    #expect(
      view.only("feed 2", among: 2).words("info", .whichFrames)
        == ["flamelark info", "--series 'feed 2'", "a.lark"])
    let named = SameView(of: "a.lark", values: [.frames: "Loop"])
    #expect(named.only("feed", among: 2) == named)
  }
}
