import FlamelarkAnalysis
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@Suite struct FrameCandidateTests {
  /// `count` loops of 10 ms on a track, `busy` of each in a span.
  func addLoop(
    _ name: String, count: Int, busy: Double, track: String = "main", to builder: inout TraceBuilder
  ) {
    builder.track(track)
    for pass in 0..<count {
      builder.advance(to: .ms(Double(pass) * 10))
      builder.span(name) { $0.span("update", lasting: .ms(busy)) }
    }
  }

  func chosen(_ trace: Trace) -> String? {
    if case .series(let series) = trace.chooseFrames() { return series.name }
    return nil
  }

  @Test func anEmptyTraceHasNoFrames() throws {
    let trace = Trace()
    #expect(trace.frameCandidates().isEmpty)
    #expect(trace.frames(named: "loop", refresh: nil) == nil)
    guard case .none = trace.chooseFrames() else {
      Issue.record("chose frames of nothing")
      return
    }
  }

  @Test(arguments: [(19, 9.0), (20, 9.0), (40, 7.0)])
  func twentyTopLevelSpansThatCoverTheirThreadAreFrames(count: Int, busy: Double) throws {
    var builder = TraceBuilder()
    addLoop("loop", count: count, busy: busy, to: &builder)
    let trace = try builder.build()
    #expect(chosen(trace) == (count >= 20 && busy > 8 ? "loop" : nil))
    #expect(trace.frames(named: "no such name", refresh: nil) == nil)
  }

  @Test func theChosenFramesAreTheSpans() throws {
    var builder = TraceBuilder()
    addLoop("loop", count: 25, busy: 9, to: &builder)
    let trace = try builder.build()
    guard case .series(let series) = trace.chooseFrames() else {
      Issue.record("the loop was not chosen")
      return
    }
    #expect(series.mode == .spans)
    #expect(series.frames.count == 25)
    #expect(series.frames.map(\.number) == Array(0..<25))
    // Without a refresh the median from start to start is what a frame may take.
    #expect(series.frames[3].target == .ms(40))
    #expect(series.frames.allSatisfy { $0.targetIsEstimated && $0.span != nil })
    let known = try #require(trace.frames(named: "loop", refresh: .ms(8)))
    #expect(known.frames[3].target == .ms(38))
    #expect(known.frames.allSatisfy { !$0.targetIsEstimated })
  }

  @Test func twoNamesThatCouldBeFramesAreAQuestion() throws {
    var builder = TraceBuilder()
    addLoop("game", count: 30, busy: 9, to: &builder)
    addLoop("audio", count: 30, busy: 9.5, track: "audio", to: &builder)
    let trace = try builder.build()
    guard case .ambiguous(let candidates) = trace.chooseFrames() else {
      Issue.record("chose one of two")
      return
    }
    #expect(candidates.prefix(2).map(\.name) == ["audio", "game"])
    #expect(candidates[0].count == 30)
    #expect(candidates[0].track == "audio")
  }

  @Test func oneSpanAroundEverythingIsNoFrameButWhatRepeatsInItIsACandidate() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("run") { run in
      for _ in 0..<30 { run.span("loop") { $0.span("update", lasting: .ms(9)) } }
    }
    let trace = try builder.build()
    guard case .ambiguous(let candidates) = trace.chooseFrames() else {
      Issue.record("chose a nested span without asking")
      return
    }
    #expect(candidates.map(\.name) == ["loop", "update"])
    #expect(try #require(trace.frames(named: "loop", refresh: nil)).frames.count == 30)
  }

  @Test func aSpanWithinOneOfItsNameIsNotAFrame() throws {
    var builder = TraceBuilder()
    builder.track("main")
    for _ in 0..<25 {
      builder.span("loop") { loop in
        loop.span("nested") { $0.span("loop", lasting: .ms(3)) }
        loop.pass(.ms(6))
      }
    }
    let trace = try builder.build()
    #expect(chosen(trace) == "loop")
    #expect(try #require(trace.frames(named: "loop", refresh: nil)).frames.count == 25)
  }

  @Test func instantsCalledFrameAreFrames() throws {
    var builder = TraceBuilder()
    builder.track("main")
    builder.span("all", lasting: .ms(100))
    for pass in 0..<5 { builder.marker("Frame", at: .ms(Double(pass) * 20), track: 0) }
    for pass in 0..<5 { builder.marker("tick", at: .ms(Double(pass) * 20 + 1), track: 0) }
    let trace = try builder.build()
    guard case .series(let series) = trace.chooseFrames() else {
      Issue.record("instants called Frame were not taken")
      return
    }
    #expect(series.frames.map(\.timestamp) == [0, 20, 40, 60, 80].map(Int64.ms))
    let judged = JudgedFrames(of: series, in: trace)
    // The last instant begins a frame that never ends.
    #expect(judged.frames.map(\.isCountable) == [true, true, true, true, false])
    #expect(judged.frames[1].window == .ms(20)..<Int64.ms(40))
    #expect(trace.frames(named: "tick", refresh: nil)?.frames.count == 5)
  }

  @Test func ofTwoThreadsTheBusierOneHasTheFrames() throws {
    var builder = TraceBuilder()
    addLoop("loop", count: 30, busy: 2, to: &builder)
    addLoop("loop", count: 25, busy: 9, track: "render", to: &builder)
    let trace = try builder.build()
    #expect(try #require(trace.frames(named: "loop", refresh: nil)).frames.count == 25)
  }
}
