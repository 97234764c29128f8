import FlamelarkAnalysis
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@Suite struct ValueStatisticsTests {
  /// Ten spans `a` on each of two rows, one a millisecond, with values from 0 to 9 and from 0 to 90.
  private func trace() throws -> Trace {
    var builder = TraceBuilder()
    let (bytes, level) = (builder.name("bytes"), builder.name("level"))
    for row in 0..<2 {
      builder.track("row \(row)")
      for _ in 0..<10 { builder.span("a", line: UInt32(row + 1), lasting: .ms(1)) }
    }
    var trace = try builder.build()
    for span in 0..<20 {
      let factor: Int64 = span < 10 ? 1 : 10
      trace.values.append(
        Trace.SpanValue(span: span, name: bytes, value: Int64(span % 10) * factor))
    }
    trace.values.append(Trace.SpanValue(span: 19, name: level, value: .max))
    trace.values.append(Trace.SpanValue(span: 19, name: level, value: .max))
    return trace
  }

  private func texts(_ trace: Trace, _ options: SpanStatistics.Options) -> [String] {
    ValueStatistics(of: trace, options: options).groups.map { group in
      let site = group.site.map { ":\(trace.callSites[Int($0.index)].line)" } ?? ""
      return "\(trace.names[group.span])\(site) \(trace.names[group.name]) \(group.count) "
        + "\(group.sum) \(group.mean) \(group.least) \(group.greatest)"
    }
  }

  @Test func valuesAreAddedUpByTheNameOfTheirSpans() throws {
    let trace = try trace()
    #expect(
      texts(trace, .init()) == [
        "a bytes 20 495 24.75 0 90",
        "a level 2 \(Int64.max) \(Double(Int64.max)) \(Int64.max) \(Int64.max)",
      ])
  }

  @Test func valuesAreAddedUpByCallSite() throws {
    var options = SpanStatistics.Options()
    options.grouping = .site
    let trace = try trace()
    #expect(
      texts(trace, options).prefix(2) == ["a:1 bytes 10 45 4.5 0 9", "a:2 bytes 10 450 45.0 0 90"])
  }

  @Test func onlyWhatIsAskedForCounts() throws {
    var options = SpanStatistics.Options()
    options.tracks = [1]
    options.range = .ms(2)..<Int64.ms(5)
    let trace = try trace()
    #expect(texts(trace, options) == ["a bytes 3 90 30.0 20 40"])
    options.tracks = []
    #expect(texts(trace, options).isEmpty)
  }
}
