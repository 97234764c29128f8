import FlamelarkAnalysis
import FlamelarkReport
import Testing

@testable import FlamelarkTesting

/// What a failed expectation shows.
@Suite struct ReportTests {
  @Test func theReportBeginsWithTheVerdict() throws {
    var byHand = IterationsByHand(
      iterations: [
        .init(
          seconds: 1,
          parts: [
            .init(path: ["layout", "text.parse"], milliseconds: 30, line: 97, ifNormal: 2.5),
            .init(kind: .uninstrumented, path: [], milliseconds: 6),
            .init(thread: "worker", path: ["decode"], milliseconds: 3, line: 12, ifNormal: 37),
            .init(path: ["draw"], milliseconds: 1),
            .init(kind: .other, path: [], milliseconds: 1),
          ], explained: 0.4, preemptions: 12),
        .init(seconds: 1, parts: []),
      ])
    byHand.selection.activity = "scroll up"
    byHand.selection.skip = .time(1_500_000_000)
    byHand.hasOtherSeries = true
    let report = try byHand.hitches().text
    #expect(
      report == """
        CRITICAL 20.50 ms/s hitching (scroll scale: good < 5, critical > 10)
          series "feed" · 2 iterations · 120 frames in 2.0 s, 60.00 fps · 1 hitch, 41.0 ms late
          worst 41.0 ms in frame 7 of iteration 1 · by iteration 41.00 0.00: p50 0.00 p90 41.00 ms/s
            ms/s  share  if normal  cause                 at
          ------  -----  ---------  --------------------  ------------------
           15.00    73%       1.25  layout > text.parse   Feed/Feed.swift:97
            3.00    15%          -  (uninstrumented)      -
            1.50     7%      18.50  worker: decode        Feed/Feed.swift:12
            1.00     5%             2 more causes
          note: 40 % of the lateness has a cause that stands out: the command below says what to record to know more
          note: threads of this process lost their processor 12 times meanwhile
          trace: /tmp/traces/FeedTests.scroll-1.lark
          trace: /tmp/traces/FeedTests.scroll-2.lark
          why:   flamelark blame --series feed --activity 'scroll up' --skip 1.5s /tmp/traces/FeedTests.scroll-1.lark
        """)
  }

  @Test func aReportWithoutHitchesIsShort() throws {
    var byHand = IterationsByHand(iterations: [.init(seconds: 3, parts: [], preemptions: 3)])
    byHand.selection.skip = .frames(30)
    let report = try byHand.hitches().text
    #expect(
      report == """
        GOOD 0.00 ms/s, no hitches in 3.0 s
          series "feed" · 1 iteration · 180 frames in 3.0 s, 60.00 fps
          trace: /tmp/traces/FeedTests.scroll-1.lark
          why:   flamelark blame --skip 30 /tmp/traces/FeedTests.scroll-1.lark
        """)
  }

  @Test(arguments: [(4, "GOOD 4.00"), (5, "WARNING 5.00"), (10, "WARNING"), (11, "CRITICAL")])
  func theVerdictIsThatOfTheScrollScale(milliseconds: Int, verdict: String) throws {
    let byHand = IterationsByHand(iterations: [
      .init(seconds: 1, parts: [.init(path: ["a"], milliseconds: milliseconds)])
    ])
    #expect(try byHand.hitches().text.hasPrefix(verdict))
  }

  @Test func manyIterationsAndLossesAreSummedUp() throws {
    let byHand = IterationsByHand(
      iterations: (0..<12).map {
        .init(seconds: 1, parts: [.init(path: ["a"], milliseconds: $0 == 7 ? 9 : 1)], lost: 1)
      })
    let report = try byHand.hitches().text
    #expect(report.contains("12 records lost: frames may be missing"))
    #expect(report.contains("FeedTests.scroll-5.lark"))
    #expect(!report.contains("FeedTests.scroll-6.lark"))
    #expect(report.contains("… and 7 more there"))
    #expect(report.hasSuffix("flamelark blame /tmp/traces/FeedTests.scroll-8.lark"))
  }

  @Test func namesAreMadePrintable() throws {
    let byHand = IterationsByHand(iterations: [
      .init(seconds: 1, parts: [.init(path: ["a\u{1B}[31m\n"], milliseconds: 9)])
    ])
    let report = try byHand.hitches().text
    #expect(!report.contains("\u{1B}"))
    #expect(report.contains(#"a\u{1b}[31m\u{a}"#))
  }

  @Test(arguments: [
    ("AppTests/ScrollTests.swift", "isSmooth()", "ScrollTests.isSmooth"),
    ("AppTests/ScrollTests.swift", "isSmooth(speed:)", "ScrollTests.isSmooth"),
    ("ScrollTests.swift", "a scroll/up is 100% smooth()", "ScrollTests.a_scroll_up_is_100__smooth"),
    ("", "", "."),
  ])
  func tracesHaveTheNameOfTheirTest(file: String, function: String, name: String) {
    #expect(Place.traceName(file: file, function: function) == name)
  }
}
