import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@Suite struct TrackSelectionTests {
  /// Three rows, each with a span in a span, sums of left-out spans, a marker and a series of its own.
  private func trace() throws -> Trace {
    var builder = TraceBuilder()
    for name in ["a", "b", "c"] {
      builder.track(name)
      builder.span("outer \(name)") { builder in
        builder.pass(10)
        builder.span("inner \(name)") { $0.foldedSpans("tiny \(name)", count: 5, lasting: 2) }
      }
      builder.foldedSpans("small \(name)", count: 1, lasting: 1)
    }
    var trace = try builder.build()
    for track in 0..<3 {
      trace.markers.append(Trace.Marker(time: 1, site: CallSiteID(UInt32(track * 4)), track: track))
      var series = Trace.FrameSeries(name: trace.tracks[track].name, mode: .spans)
      var frame = Trace.Frame(number: 0, timestamp: 0, track: track)
      frame.span = trace.tracks[track].spans.lowerBound
      series.frames = [frame]
      trace.frameSeries.append(series)
      trace.activities.append(
        Trace.Activity(name: trace.names.intern("scroll"), range: 0..<5, series: track))
    }
    trace.markers.append(Trace.Marker(time: 2, site: CallSiteID(0), track: nil))
    trace.spans.unfinished = [1, 3, 4]
    return trace
  }

  @Test func everyChoiceOfRowsIsATraceOfThem() throws {
    let whole = try trace()
    for choice in 0..<8 {
      let names = ["a", "b", "c"].enumerated().filter { choice >> $0.offset & 1 == 1 }.map(
        \.element)
      let part = whole.keeping { names.contains($0.name) }
      try part.checkInvariants()
      #expect(part.tracks.map(\.name) == names)
      #expect(
        (0..<part.spans.count).map { part.name(ofSpan: $0) }
          == names.flatMap { ["outer \($0)", "inner \($0)"] })
      #expect(part.markers.map(\.track) == names.indices.map { $0 } + [nil])
      #expect(part.frameSeries.map(\.name) == names)
      for (index, series) in part.frameSeries.enumerated() {
        #expect(series.frames[0].track == index)
        #expect(series.frames[0].span == index * 2)
      }
      #expect(part.activities.map(\.series) == names.indices.map { $0 })
      #expect(
        part.folded.map { sum in
          let around = sum.parent == Trace.Spans.none ? "-" : part.name(ofSpan: Int(sum.parent))
          return "\(part.tracks[sum.track].name) \(around) \(sum.count)"
        } == names.flatMap { ["\($0) inner \($0) 5", "\($0) - 1"] })
      let unfinished = part.spans.unfinished.map { part.name(ofSpan: $0) }
      #expect(
        unfinished
          == ["inner a", "inner b", "outer c"].filter { names.contains(String($0.suffix(1))) })
    }
  }
}
