import FlamelarkInterchange
import FlamelarkTrace
import Testing

/// Complete events (X), by the rows of the importer's rules. Times in the trees are nanoseconds.
@Suite struct NestingTests {
  private func x(_ name: String, _ ts: String, _ dur: String) -> String {
    #"{"name":"\#(name)","ph":"X","ts":\#(ts),"dur":\#(dur),"pid":1,"tid":1}"#
  }

  private func trace(_ spans: (String, String, String)...) throws -> Trace {
    try read("[\(spans.map { x($0.0, $0.1, $0.2) }.joined(separator: ","))]")
  }

  @Test func spansNestByTheirTimesInAnyOrderOfTheFile() throws {
    let trace = try trace(("c", "3", "1"), ("b", "2", "4"), ("d", "20", "5"), ("a", "0", "10"))
    #expect(trace.tree == "thread 1: a@0+10000 >b@2000+4000 >>c@3000+1000 d@20000+5000")
    #expect(trace.source.kind == .traceEvent)
    #expect(trace.source.processID == 1)
    #expect(trace.range == 0..<25_000)
  }

  @Test func ofEqualBeginsTheLongerIsOutside() throws {
    #expect(
      try trace(("child", "0", "5"), ("parent", "0", "10")).tree
        == "thread 1: parent@0+10000 >child@0+5000")
  }

  @Test func ofEqualSpansTheFirstInTheFileIsOutside() throws {
    #expect(
      try trace(("a", "0", "10"), ("b", "0", "10"), ("c", "0", "10")).tree
        == "thread 1: a@0+10000 >b@0+10000 >>c@0+10000")
  }

  @Test func aWriterAtScopeExitPutsChildrenFirst() throws {
    let trace = try trace(
      ("leaf", "2", "1"), ("child", "1", "4"), ("parent", "1", "4"), ("root", "0", "10"),
      ("next", "11", "1"))
    #expect(
      trace.tree
        == "thread 1: root@0+10000 >parent@1000+4000 >>child@1000+4000 >>>leaf@2000+1000 "
        + "next@11000+1000")
    #expect(trace.count(of: "equal spans nested by the order") == 1)
  }

  @Test func siblingsThatTouchStillTouchAfterRounding() throws {
    // 0.0004 + 0.0004 is 0.0008: a sum of rounded numbers would say 0.
    let trace = try trace(
      ("a", "0.0004", "0.0004"), ("b", "0.0008", "1.0004"), ("c", "1.0012", "1"))
    #expect(trace.tree == "thread 1: a@0+1 b@1+1000 c@1001+1000")
    #expect(trace.issues.isEmpty)
  }

  @Test func touchingSiblingsOfAnEpochFileStayApart() throws {
    // At this magnitude a Double steps by a quarter of a microsecond.
    let trace = try trace(
      ("p", "1732107141551429.001", "0.998"), ("a", "1732107141551429.001", "0.499"),
      ("b", "1732107141551429.500", "0.499"))
    #expect(trace.tree == "thread 1: p@0+998 >a@0+499 >b@499+499")
    #expect(trace.issues.isEmpty)
  }

  @Test func anOverhangOfAWholeMicrosecondIsTheWritersRounding() throws {
    let trace = try trace(("p", "0.0", "10"), ("c", "2.4", "8"), ("d", "10", "3"))
    #expect(trace.tree == "thread 1: p@0+10000 >c@2400+7600 d@10000+3000")
    #expect(trace.count(of: "spans cut by up to 1 µs to end with") == 1)
  }

  @Test func aSmallOverlapWithTheNextIsRoundingToo() throws {
    let trace = try trace(("a", "0.2", "10"), ("b", "10.0", "20"))
    #expect(trace.tree == "thread 1: a@0+9800 b@9800+20000")
    #expect(trace.count(of: "spans cut by up to 1 µs to end before") == 1)
  }

  @Test func otherOverlapsGoToALane() throws {
    let trace = try trace(("outer", "0", "100"), ("inner", "50", "50.001"), ("late", "200", "10"))
    #expect(
      trace.tree
        == "thread 1: outer@0+100000 late@200000+10000 | thread 1 (overlapping): inner@50000+50001")
    #expect(trace.tracks.map(\.kind) == [.thread, .lane])
    #expect(trace.count(of: "spans that overlap another") == 1)
    #expect(trace.issues.first?.offset == x("outer", "0", "100").utf8.count + 2)
  }

  @Test func manyOverlapsGetManyLanesAndThenAreCut() throws {
    let spans = (0..<200).map { x("s", "\($0 * 10)", "5000.5") }
    let trace = try read("[\(spans.joined(separator: ","))]")
    #expect(trace.spans.count == 200)
    #expect(trace.tracks.count == 129)
    #expect(trace.count(of: "spans that overlap another") == 128)
    #expect(trace.count(of: "spans cut at the end of the one around") == 71)
  }

  @Test func aNegativeDurationIsNone() throws {
    let trace = try trace(("a", "0", "10"), ("b", "4", "-3"))
    #expect(trace.tree == "thread 1: a@0+10000 >b@4000+0")
    #expect(trace.count(of: "negative durations") == 1)
  }

  @Test func withoutADurationTheProcessorsTimeCounts() throws {
    let trace = try read(#"[{"name":"a","ph":"X","ts":1,"tdur":3,"pid":1,"tid":1}]"#)
    #expect(trace.tree == "thread 1: a@0+3000")
    #expect(trace.count(of: "spans without a duration given") == 1)
  }

  @Test func withoutAnyDurationASpanIsUnfinished() throws {
    let trace = try read(
      """
      [\(x("p", "0", "10")),{"name":"u","ph":"X","ts":2,"pid":1,"tid":1},
      {"name":"v","ph":"X","ts":12,"pid":1,"tid":1},\(x("q", "15", "5"))]
      """)
    #expect(trace.tree == "thread 1: p@0+10000 >u@2000+8000! v@12000+8000! >q@15000+5000")
    #expect(trace.count(of: "spans without a duration taken as unfinished") == 2)
  }

  @Test func aSpanWithoutDurationStaysWhereItBegins() throws {
    #expect(
      try trace(("p", "0", "10"), ("z", "5", "0"), ("y", "5", "0"), ("a", "6", "2")).tree
        == "thread 1: p@0+10000 >z@5000+0 >y@5000+0 >a@6000+2000")
    #expect(try trace(("z", "0", "0"), ("p", "0", "10")).tree == "thread 1: p@0+10000 >z@0+0")
  }

  @Test func deepNestingIsNoProblem() throws {
    let count = 50_000
    let spans = (0..<count).map { x("f", "\($0)", "\(2 * (count - $0))") }
    let trace = try read("[\(spans.joined(separator: ","))]")
    #expect(trace.depth(ofSpan: count - 1) == count - 1)
    let pairs = String(repeating: #"{"name":"f","ph":"B","ts":1,"pid":1,"tid":1},"#, count: count)
    #expect(try read("[\(pairs)]").depth(ofSpan: count - 1) == count - 1)
  }

  @Test func threadsAreToldApartByProcessAndThread() throws {
    let trace = try read(
      """
      [{"ph":"M","name":"thread_name","pid":2,"tid":1,"args":{"name":"old"}},
      {"name":"a","ph":"X","ts":0,"dur":1,"pid":2,"tid":1},
      {"name":"b","ph":"X","ts":0,"dur":1,"pid":1,"tid":1},
      {"name":"c","ph":"X","ts":5,"dur":1,"pid":"1","tid":"1"},
      {"name":"d","ph":"X","ts":0,"dur":1,"pid":1,"tid":0},
      {"name":"e","ph":"X","ts":0,"dur":1,"pid":1,"tid":140735340871680},
      {"name":"f","ph":"X","ts":0,"dur":1,"pid":1,"tid":"stream 7"},
      {"name":"g","ph":"X","ts":0,"dur":1,"pid":1,"tid":-1},
      {"ph":"M","name":"process_name","pid":2,"args":{"name":"game"}},
      {"ph":"M","name":"thread_name","pid":2,"tid":1,"args":{"name":"main\\u0000\\u0000"}}]
      """)
    #expect(
      trace.tracks.map { "\($0.processID):\($0.threadID) \($0.name)" } == [
        "1:-1 thread -1", "1:0 thread 0", "1:1 thread 1",
        "1:140735340871680 thread 140735340871680",
        "1:-2 stream 7", "2:1 main",
      ])
    #expect(trace.tree(ofTrack: 2) == "b@0+1000 c@5000+1000")
    #expect(trace.source.properties["process 2"] == "game")
  }

  @Test func aMissingThreadIsThatOfTheProcess() throws {
    let trace = try read(
      """
      [{"name":"a","ph":"X","ts":0,"dur":1,"pid":7},{"name":"b","ph":"X","ts":2,"dur":1,"pid":7,"tid":7},
      {"name":"c","ph":"X","ts":4,"dur":1},{"name":"d","ph":"X","ts":4,"dur":1,"tid":9},
      {"ph":"M","name":"thread_name","tid":9,"args":{"name":"worker"}}]
      """)
    #expect(trace.tree == "thread 7: a@0+1000 b@2000+1000 c@4000+1000 | worker: d@4000+1000")
    #expect(trace.source.processID == 7)
  }

  @Test func instantsAndCountersAreRead() throws {
    let trace = try read(
      """
      [{"name":"f","ph":"X","ts":10,"dur":5,"pid":1,"tid":1},
      {"name":"Frame","ph":"i","s":"p","ts":12,"pid":1,"tid":1},
      {"name":"boot","ph":"I","s":"g","ts":11,"pid":1,"tid":1},
      {"name":"fps","ph":"C","ts":14,"pid":1,"args":{"fps":"59.5"}},
      {"name":"fps","ph":"C","ts":13,"pid":1,"args":{"fps":60}},
      {"name":"mem","ph":"C","ts":10,"pid":1,"args":{"free":1e3,"used":-2.5,"unit":"MB"}},
      {"name":"q","ph":"C","id":"0x1","ts":10,"pid":1,"args":{"value":7}}]
      """)
    let markers = trace.markers.map {
      "\(trace.names[trace.callSites[Int($0.site.index)].name])@\($0.time) \($0.track ?? -1)"
    }
    #expect(markers == ["boot@1000 -1", "Frame@2000 0"])
    let counters = trace.counters.map { "\(trace.names[$0.name]) \($0.times) \($0.values)" }
    #expect(
      counters == [
        "fps [3000, 4000] [60.0, 59.5]", "mem free [0] [1000.0]", "mem used [0] [-2.5]",
        "q[0x1] [0] [7.0]",
      ])
    #expect(trace.count(of: "counter values") == 1)
  }

  @Test func farEventsDontStretchTheRange() throws {
    var spans = (0..<20).map { x("f", "\(1_700_000_000_000_000 + $0 * 10)", "5") }
    spans.append(x("rogue", "0", "1"))
    let trace = try read("[\(spans.joined(separator: ","))]")
    #expect(trace.range == 0..<195_000)
    #expect(trace.count(of: "events far away") == 1)
    #expect(trace.spans.start.first == -1_700_000_000_000_000_000)
    // An export has no times below 0.
    let model = try SpeedscopeModel(exported(trace).bytes)
    #expect(model.profiles[0].spans.count == 21)
  }

  @Test func timesThatDontFitAreRefused() throws {
    let trace = try trace(
      ("a", "1e300", "1"), ("b", "-99999999999999999999", "1"), ("c", "0", "1e18"),
      ("d", "4611686018427386", "4611686018427386"), ("e", "-4611686018427386", "1"),
      ("f", "1e-400", "1"), ("g", "0e99999999999999999999", "1"))
    #expect(trace.spans.count == 3)
    #expect(trace.count(of: "events whose time is beyond") == 4)
  }
}
