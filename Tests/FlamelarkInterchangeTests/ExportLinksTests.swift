import FlamelarkInterchange
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

/// How tasks, links, hitches, stages and values stand in Trace Event JSON.
@Suite struct ExportLinksTests {
  private func lines(_ trace: Trace, _ options: ExportOptions = ExportOptions()) -> [String] {
    String(decoding: exported(trace, options).bytes, as: UTF8.self).split(separator: "\n").map {
      $0.hasSuffix(",") ? String($0.dropLast()) : String($0)
    }
  }

  private func events(_ trace: Trace, _ options: ExportOptions = ExportOptions()) throws
    -> [[String: Any]]
  {
    let json = try JSONSerialization.jsonObject(with: Data(exported(trace, options).bytes))
    return try #require((json as? [String: Any])?["traceEvents"] as? [[String: Any]])
  }

  /// Two threads and a task that went from one to the other while it waited for the first.
  private func trace() throws -> Trace {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("work", from: 0, to: 20_000)
    builder.track("pool")
    builder.span("decode", from: 5000, to: 9000)
    builder.task("task 17, load", id: 17)
    builder.span("load", from: 1000, to: 9000) {
      $0.hop(from: 0, to: 1)
      $0.span("parse", from: 2000, to: 6000)
      $0.wait(.await, endedBy: 0, at: 5500)
      $0.hop(from: 0, to: 1)
    }
    builder.category("network", ofSpans: "load")
    builder.flow("job", from: (3000, 0), to: [(5000, 1), (6000, 0), (7000, 1)])
    return try builder.build()
  }

  @Test func aTaskIsAsynchronousUnderOneIdOnTheThreadsItWasOn() throws {
    let lines = lines(try trace())
    #expect(
      lines.filter { $0.contains(#""cat":"task""#) } == [
        #"{"ph":"b","cat":"task","name":"load","id":"0x3","pid":1,"tid":1,"ts":1.000,"#
          + #""args":{"row":"task 17, load","task":"17","category":"network"}}"#,
        #"{"ph":"b","cat":"task","name":"parse","id":"0x3","pid":1,"tid":1,"ts":2.000}"#,
        #"{"ph":"e","cat":"task","name":"parse","id":"0x3","pid":1,"tid":2,"ts":6.000}"#,
        #"{"ph":"e","cat":"task","name":"load","id":"0x3","pid":1,"tid":2,"ts":9.000}"#,
      ])
    // It is no thread: no name of one, no begin or end of one.
    #expect(lines.filter { $0.contains("thread_name") }.count == 2)
    #expect(lines.filter { $0.contains(#""ph":"B""#) }.count == 2)
  }

  @Test func aFlowGoesFromItsBeginToEachEnd() throws {
    let lines = lines(try trace())
    #expect(
      lines.filter { $0.contains(#""cat":"flow""#) } == [
        #"{"ph":"s","cat":"flow","name":"job","id":"0x1","pid":1,"tid":1,"ts":3.000}"#,
        #"{"ph":"t","cat":"flow","name":"job","id":"0x1","pid":1,"tid":2,"ts":5.000}"#,
        #"{"ph":"t","cat":"flow","name":"job","id":"0x1","pid":1,"tid":1,"ts":6.000}"#,
        #"{"ph":"f","bp":"e","cat":"flow","name":"job","id":"0x1","pid":1,"tid":2,"ts":7.000}"#,
      ])
  }

  @Test func aWaitHasAnArrowFromWhoEndedIt() throws {
    let (bytes, summary) = exported(try trace())
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(
      lines.filter { $0.contains(#""cat":"wait""#) } == [
        #"{"ph":"s","cat":"wait","name":"await","id":"0x2","pid":1,"tid":1,"ts":5.500},"#,
        #"{"ph":"f","bp":"e","cat":"wait","name":"await","id":"0x2","pid":1,"tid":2,"ts":5.998,"#
          + #""args":{"row":"0x3"}}"#,
      ])
    #expect(summary.links == 2)
    #expect(summary.partialLinks == 0)
  }

  @Test func linksWithoutBothEndsAreLeftOutAndCounted() throws {
    var trace = try trace()
    let site = trace.flows[0].begin?.site ?? CallSiteID(0)
    let point = Trace.Flow.Point(time: 4000, track: 0, site: site)
    trace.flows += [
      Trace.Flow(number: 7, begin: point), Trace.Flow(number: 8, begin: nil, ends: [point]),
      // It ends before it begins.
      Trace.Flow(
        number: 9, begin: point, ends: [Trace.Flow.Point(time: 3999, track: 1, site: site)]),
    ]
    let (bytes, summary) = exported(trace)
    #expect(summary.partialLinks == 3)
    #expect(summary.notices.contains { $0.hasPrefix("3 links left out") })
    #expect(try read(bytes).flows.count == 1)
    // Outside of what is exported.
    var options = ExportOptions()
    options.range = 2500..<6500
    let part = exported(trace, options)
    let flow = try #require(try read(part.bytes).flows.first)
    #expect(flow.ends.count == 2)
    options.range = 3500..<6500
    #expect(exported(trace, options).summary.links == 1)
  }

  @Test func aTimeFarAwayMovesNoOther() throws {
    var trace = try trace()
    let spans = lines(trace).filter { $0.contains(#""ph":"B""#) }
    trace.waits[0].endedAt = -1 << 60
    trace.flows[0].begin?.time = -1 << 60
    let (_, summary) = exported(trace)
    #expect(summary.partialLinks == 2)
    #expect(lines(trace).filter { $0.contains(#""ph":"B""#) } == spans)
  }

  @Test func flowsOfOneNumberGetTwoIds() throws {
    var trace = try trace()
    trace.flows.append(trace.flows[0])
    trace.flows[1].begin?.time = 3500
    #expect(try read(exported(trace).bytes).flows.map(\.number) == [1, 2])
    trace.flows[1].number = 0
    trace.flows[0].number = .max
    #expect(try read(exported(trace).bytes).flows.map(\.number) == [.max, 1])
  }

  @Test func whatIsAsynchronousCanBeLeftOut() throws {
    var trace = try trace()
    trace.frameSeries = [lateSeries()]
    var options = ExportOptions()
    options.hasTasks = false
    options.hasHitches = false
    let phases = Set(try events(trace, options).compactMap { $0["ph"] as? String })
    #expect(phases.isDisjoint(with: ["b", "e", "n"]))
    #expect(exported(trace, options).summary.hitches == 0)
    let all = Set(try events(trace).compactMap { $0["ph"] as? String })
    #expect(all.isSuperset(of: ["b", "e"]))
  }

  /// Frames of 5 µs, the second and third of which are late.
  private func lateSeries() -> Trace.FrameSeries {
    var series = Trace.FrameSeries(name: "game", mode: .marks, refresh: 5_000_000)
    for time in [0, 5_000_000, 18_000_000, 30_000_000, 35_000_000] as [Int64] {
      var frame = Trace.Frame(number: series.frames.count, timestamp: time, track: 0)
      frame.target = time + 5_000_000
      frame.interval = 5_000_000
      series.frames.append(frame)
    }
    return series
  }

  @Test func eachHitchHasAnIdOfItsOwnFromDueToThere() throws {
    var trace = try trace()
    trace.frameSeries = [lateSeries()]
    #expect(
      lines(trace).filter { $0.contains(#""cat":"hitch""#) } == [
        #"{"ph":"b","cat":"hitch","name":"hitch","id":"0x4","pid":1,"tid":1,"ts":10000.000,"#
          + #""args":{"series":"game","frame":1,"late_ms":8.000000}}"#,
        #"{"ph":"e","cat":"hitch","name":"hitch","id":"0x4","pid":1,"tid":1,"ts":18000.000}"#,
        #"{"ph":"b","cat":"hitch","name":"hitch","id":"0x5","pid":1,"tid":1,"ts":23000.000,"#
          + #""args":{"series":"game","frame":2,"late_ms":7.000000}}"#,
        #"{"ph":"e","cat":"hitch","name":"hitch","id":"0x5","pid":1,"tid":1,"ts":30000.000}"#,
      ])
    #expect(exported(trace).summary.hitches == 2)
    var options = ExportOptions()
    options.refresh = 12_500_000
    #expect(exported(trace, options).summary.hitches == 1)
    options.range = 16_000_000..<17_500_000
    let times = try events(trace, options).filter { $0["cat"] as? String == "hitch" }
      .compactMap { $0["ts"] as? Double }
    #expect(times.isEmpty)
    options.refresh = nil
    let cut = try events(trace, options).filter { $0["cat"] as? String == "hitch" }
      .compactMap { $0["ts"] as? Double }
    #expect(cut == [0, 1500].map { $0 + 16_000 })
  }

  @Test func whatBecameOfFramesIsTold() throws {
    var trace = try trace()
    var series = lateSeries()
    series.frames[1].presented = 17_000_000
    series.frames[2].isDiscarded = true
    series.frames[3].presented = .max
    trace.frameSeries = [series]
    let told = lines(trace).filter { $0.contains("presented") || $0.contains("discarded") }
    #expect(
      told == [
        #"{"ph":"i","s":"p","cat":"frame","name":"presented","pid":1,"tid":1,"ts":17000.000,"#
          + #""args":{"index":1}}"#,
        #"{"ph":"i","s":"p","cat":"frame","name":"Frame","pid":1,"tid":1,"ts":18000.000,"#
          + #""args":{"index":2,"discarded":true}}"#,
      ])
  }

  @Test func stagesAndValuesAreInstantsSoThatSlicesStayAlike() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("render", from: 100, to: 400)
    builder.value("bytes", 12)
    builder.stage(ofFrame: 1)
    builder.span("render", from: 500, to: 900)
    builder.value("bytes", -7)
    builder.task("task 3, load", id: 3)
    builder.span("load", from: 200, to: 800)
    builder.value("rows", 5)
    builder.marks("game", at: [0, 450], refresh: 500)
    builder.category("gpu", ofSpans: "render")
    let trace = try builder.build()
    let lines = lines(trace)
    #expect(
      lines.filter { $0.contains(#""value""#) || $0.contains("stage") } == [
        #"{"ph":"i","s":"t","cat":"stage","name":"render","pid":1,"tid":1,"ts":0.100,"#
          + #""args":{"series":"game","index":1}}"#,
        #"{"ph":"i","s":"t","cat":"value","name":"bytes","pid":1,"tid":1,"ts":0.100,"#
          + #""args":{"value":12}}"#,
        #"{"ph":"i","s":"t","cat":"value","name":"bytes","pid":1,"tid":1,"ts":0.500,"#
          + #""args":{"value":-7}}"#,
        #"{"ph":"n","cat":"task","name":"rows","id":"0x2","pid":1,"tid":2,"ts":0.200,"#
          + #""args":{"value":5}}"#,
      ])
    // The category of a slice is its span's; no slice has arguments.
    #expect(lines.filter { $0.contains(#""cat":"gpu""#) }.count == 4)
    let slices = try events(trace).filter { ["B", "E"].contains($0["ph"] as? String ?? "") }
    #expect(slices.allSatisfy { $0["args"] == nil })
    var options = ExportOptions()
    options.range = 450..<700
    let part = try events(trace, options).filter { $0["cat"] as? String == "value" }
    #expect(part.count == 1)
  }

  @Test func whatADeviceDidIsARowWithANumberOfItsOwn() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("work", lasting: 10)
    builder.track("GPU", kind: .track)
    builder.span("pass", lasting: 7)
    var trace = try builder.build()
    trace.tracks[1].threadID = 1
    let names = try events(trace).filter { $0["name"] as? String == "thread_name" }
    #expect(names.compactMap { $0["tid"] as? Int } == [1, 2])
    let model = try SpeedscopeModel(exported(trace).bytes)
    #expect(model.profiles.map(\.name) == ["main", "GPU"])
    #expect(model.profiles[1].spans == trace.treeSpans(ofTrack: 1))
  }
}
