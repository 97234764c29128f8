import Foundation
import Testing

/// The counter that a terminal shows.
@Suite struct CounterTests {
  @Test func aLineASecondTellsOfTheStutter() throws {
    try withTemporaryFolder { place in
      let run = try Program("Counter", "--seconds", "3.5", in: place)
      #expect(run.status == 0, "\(run.errors)")
      let lines = run.output.split(separator: "\n")
      #expect((1...3).contains(lines.count), "\(run.output)")
      var latest = 0.0
      for line in lines {
        let figures = try #require(
          try
            /^(\d+\.\d) fps  (\d+\.\d) ms\/s  (\d+) late  worst frame (\d+\.\d) ms, (\d+\.\d) of them late$/
            .wholeMatch(in: line), "\(line)")
        let rate = try #require(Double(figures.1))
        let ratio = try #require(Double(figures.2))
        let lateness = try #require(Double(figures.5))
        #expect(rate > 0 && rate < 61)
        #expect(ratio >= 0 && ratio <= 1000)
        #expect((lateness > 0) == (figures.3 != "0"))
        latest = max(latest, lateness)
      }
      // Pass 50 works for 45 ms, of which it has 16.7.
      #expect(latest >= 28)
      #expect(!run.output.contains("\u{1B}"))
    }
  }

  @Test(arguments: [["--seconds", "x"], ["--seconds"], ["--seconds", "0"], ["--frames", "3"]])
  func whatIsWrongWithItsArgumentsItSays(arguments: [String]) throws {
    try withTemporaryFolder { place in
      let run =
        try arguments.count == 2
        ? Program("Counter", arguments[0], arguments[1], in: place)
        : Program("Counter", arguments[0], in: place)
      #expect(run.status == 2)
      #expect(run.errors.hasPrefix("counter: "))
      #expect(run.errors.split(separator: "\n").count == 1)
      #expect(run.output.isEmpty)
    }
  }
}
