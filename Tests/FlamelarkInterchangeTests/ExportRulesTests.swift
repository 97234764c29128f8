import FlamelarkInterchange
import FlamelarkTrace
import Foundation
import Testing

/// The rules that an export keeps for the sake of its readers, one by one.
@Suite struct ExportRulesTests {
  /// A trace of one row with these spans: name, begin, end, index of the span around.
  private func trace(_ spans: (String, Int64, Int64, UInt32?)...) -> Trace {
    var trace = Trace()
    for (name, start, end, parent) in spans {
      trace.callSites.append(Trace.CallSite(name: trace.names.intern(name)))
      trace.spans.append(
        start: start, end: end, site: CallSiteID(UInt32(trace.callSites.count - 1)),
        parent: parent ?? Trace.Spans.none)
    }
    trace.tracks = [
      Trace.Track(
        kind: .thread, name: "main", processID: 7, threadID: 7, spans: 0..<spans.count)
    ]
    trace.range = 0..<(trace.spans.end.max() ?? 0)
    return trace
  }

  private func text(_ trace: Trace, _ options: ExportOptions = ExportOptions()) -> String {
    String(decoding: exported(trace, options).bytes, as: UTF8.self)
  }

  @Test func theFileLooksAsItShould() {
    var trace = trace(("a", 0, 1_234_567, nil), ("b", 1000, 2001, 0))
    trace.wallClockZero = 1_732_107_141_551_429_000
    trace.source.properties = ["executable": "game \"1\"", "process 7": "game"]
    #expect(
      text(trace) == """
        {"displayTimeUnit":"ns","otherData":{"tool":"flamelark",\
        "wall_clock_zero_ns":"1732107141551429000","executable":"game \\"1\\""},"traceEvents":[
        {"ph":"M","name":"process_name","pid":7,"tid":7,"args":{"name":"game"}},
        {"ph":"M","name":"thread_name","pid":7,"tid":7,"args":{"name":"main"}},
        {"ph":"M","name":"thread_sort_index","pid":7,"tid":7,"args":{"sort_index":0}},
        {"ph":"B","cat":"span","name":"a","pid":7,"tid":7,"ts":0.000},
        {"ph":"B","cat":"span","name":"b","pid":7,"tid":7,"ts":1.000},
        {"ph":"E","cat":"span","name":"b","pid":7,"tid":7,"ts":2.001},
        {"ph":"E","cat":"span","name":"a","pid":7,"tid":7,"ts":1234.567}
        ]}

        """)
  }

  @Test func theWallClockComesBack() throws {
    var trace = trace(("a", 500, 900, nil))
    trace.wallClockZero = 1_732_107_141_551_429_000
    let again = try read(exported(trace).bytes)
    // Time 0 is the first event now.
    #expect(again.wallClockZero == 1_732_107_141_551_429_500)
  }

  @Test func anEndWhereAnotherBeginsIsOneNanosecondEarlier() {
    let (_, summary) = exported(
      trace(
        ("p", 0, 10, nil), ("c", 4, 10, 0), ("n", 10, 11, nil), ("z", 11, 11, nil),
        ("m", 11, 20, nil)))
    #expect(summary.tracks[0].slices == 3)
    #expect(summary.tracks[0].nudged == 2)
    #expect(summary.tracks[0].emptied == 1)
    #expect(summary.tracks[0].instants == 1)
    #expect(summary.notices.contains { $0.hasPrefix("1 spans of 1 ns left out") })
  }

  @Test func whatIsUnfinishedEndsAndIsMarked() {
    var trace = trace(("a", 0, 10, nil), ("b", 5, 10, 0))
    trace.spans.unfinished = [0, 1]
    let file = text(trace)
    #expect(file.components(separatedBy: #""ph":"E""#).count == 3)
    #expect(file.components(separatedBy: #""name":"cut""#).count == 3)
    #expect(exported(trace).summary.tracks[0].cut == 2)
  }

  @Test func numbersOfThreadsAreSmallAndUnique() throws {
    var trace = Trace()
    let given: [(Trace.Track.Kind, Int64, Int64)] = [
      (.thread, 5, 5), (.lane, 5, 5), (.thread, 6, 5), (.thread, 0, 0), (.thread, -4, 1 << 40),
      (.thread, 5, Int64(Int32.max)),
    ]
    for (kind, process, thread) in given {
      trace.tracks.append(
        Trace.Track(kind: kind, name: "\(process)", processID: process, threadID: thread))
    }
    let json = try JSONSerialization.jsonObject(with: Data(exported(trace).bytes))
    let object = try #require(json as? [String: Any])
    let events = try #require(object["traceEvents"] as? [[String: Any]])
    let names = events.filter { $0["name"] as? String == "thread_name" }
    let threads = names.compactMap { $0["tid"] as? Int }
    let processes = names.compactMap { $0["pid"] as? Int }
    #expect(Set(threads).count == 6)
    #expect(threads.allSatisfy { (1...Int(Int32.max)).contains($0) })
    #expect(threads[0] == 5 && threads[5] == Int(Int32.max))
    #expect(processes.allSatisfy { (1...Int(Int32.max)).contains($0) })
    #expect(processes[0] == 5 && processes[1] == 5 && processes[2] == 6 && processes[5] == 5)
    #expect(Set(processes).count == 4)
    #expect(events.filter { $0["ph"] as? String == "M" }.allSatisfy { $0["cat"] == nil })
  }

  @Test func aScopeCalledProfileOrNothingIsNoTrap() throws {
    let trace = trace(("Profile", 0, 10, nil), ("", 20, 30, nil), ("tab\t\u{1}é", 40, 50, nil))
    let model = try SpeedscopeModel(exported(trace).bytes)
    #expect(model.profiles[0].spans.map(\.name) == ["Profile", "(unnamed)", "tab\t\u{1}é"])
  }

  @Test func tooDeepSpansAreLeftOutAndCounted() throws {
    var deep = Trace()
    deep.callSites = [Trace.CallSite(name: deep.names.intern("f"))]
    for level in 0..<3000 {
      deep.spans.append(
        start: Int64(level), end: Int64(10_000 - level), site: CallSiteID(0),
        parent: level == 0 ? Trace.Spans.none : UInt32(level - 1))
    }
    deep.tracks = [
      Trace.Track(kind: .thread, name: "main", processID: 1, threadID: 1, spans: 0..<3000)
    ]
    let (bytes, summary) = exported(deep)
    #expect(summary.tracks[0].slices == 512)
    #expect(summary.tracks[0].tooDeep == 2488)
    #expect(summary.notices == ["2488 spans deeper than 512 left out"])
    #expect(try SpeedscopeModel(bytes).profiles[0].spans.count == 512)
    let evented = unsafe SpeedscopeExport(deep).write { _ in }
    #expect(evented.tracks[0].slices == 2000)
  }

  @Test func manySlicesGiveANotice() {
    var trace = Trace()
    trace.callSites = [Trace.CallSite(name: trace.names.intern("f"))]
    for index in 0..<50_001 {
      trace.spans.append(
        start: Int64(index * 10), end: Int64(index * 10 + 5), site: CallSiteID(0),
        parent: Trace.Spans.none)
    }
    trace.tracks = [
      Trace.Track(kind: .thread, name: "main", processID: 1, threadID: 1, spans: 0..<50_001)
    ]
    let notices = unsafe TraceEventExport(trace).write { _ in }.notices
    #expect(notices.count == 1)
    #expect(notices.first?.contains("main has 50001 slices") == true)
    #expect(notices.first?.contains("--as speedscope") == true)
    #expect(notices.first?.contains("--from and --to") == true)
    let evented = unsafe SpeedscopeExport(trace).write { _ in }
    #expect(evented.notices.isEmpty)
  }

  @Test func aFrameThatIsASpanGetsNoSecondScope() throws {
    var trace = trace(("RunLoop", 0, 10, nil), ("RunLoop", 10, 20, nil))
    var series = Trace.FrameSeries(name: "RunLoop", mode: .spans)
    for number in 0..<2 {
      var frame = Trace.Frame(number: number, timestamp: Int64(number * 10), track: 0)
      frame.end = Int64(number * 10 + 10)
      frame.span = number
      series.frames.append(frame)
    }
    trace.frameSeries = [series]
    let (bytes, summary) = exported(trace)
    #expect(summary.frameScopes == 0)
    #expect(try read(bytes).markers.count == 2)
  }

  @Test func eachSeriesHasItsInstantsAndOneHasScopes() throws {
    var trace = trace(("a", 0, 100, nil))
    for (name, count) in [("audio", 2), ("game", 5)] {
      var series = Trace.FrameSeries(name: name, mode: .marks)
      for number in 0..<count {
        var frame = Trace.Frame(number: number, timestamp: Int64(number * 200), track: 0)
        frame.end = frame.begin + 200
        series.frames.append(frame)
      }
      trace.frameSeries.append(series)
    }
    func frames(_ options: ExportOptions) throws -> [String: Int] {
      let again = try read(exported(trace, options).bytes)
      return again.markers.reduce(into: [:]) { $0[again.name(of: $1), default: 0] += 1 }
        .merging(
          again.spans.start.indices.reduce(into: [:]) { counts, span in
            counts["scope " + again.name(ofSpan: span), default: 0] += 1
          }
        ) { a, b in a + b }
    }
    var options = ExportOptions()
    #expect(
      try frames(options) == ["Frame": 5, "Frame audio": 2, "scope Frame": 5, "scope a": 1])
    options.series = 0
    #expect(
      try frames(options) == ["Frame": 2, "Frame game": 5, "scope Frame": 2, "scope a": 1])
  }

  @Test func countersAndMarkersComeBack() throws {
    var trace = trace(("a", 0, 5000, nil))
    var counter = Trace.Counter(name: trace.names.intern("entities"))
    counter.times = [100, 2000, 3000]
    counter.values = [1.5, -3, .infinity]
    trace.counters = [counter]
    trace.markers = [
      Trace.Marker(time: 10, site: CallSiteID(0), track: 0),
      Trace.Marker(time: 20, site: CallSiteID(0), track: nil),
    ]
    let (bytes, summary) = exported(trace)
    #expect(summary.notFinite == 1)
    let again = try read(bytes)
    #expect(again.counters.map { again.names[$0.name] } == ["entities"])
    #expect(again.counters[0].times == [100, 2000])
    #expect(again.counters[0].values == [1.5, -3])
    #expect(again.markers.map(\.time) == [10, 20])
    #expect(again.markers.map(\.track) == [0, nil])
  }
}
