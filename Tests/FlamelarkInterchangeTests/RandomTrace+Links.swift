import FlamelarkTrace
import _FlamelarkTestSupport

extension RandomTrace {
  /// Rows of tasks behind the others, each of whose spans may have been on any thread.
  mutating func addTasks(count: Int, spansPerTask: Int = 12) {
    let threads = trace.tracks.indices.filter { trace.tracks[$0].kind == .thread }
    func anyThread() -> Int? { pick([nil] + threads.map { $0 }) }
    for task in 0..<count {
      let first = trace.spans.count
      fillRow(count: spansPerTask)
      if pick([true, true, false]) {
        trace.tasks.append(Trace.Task(id: UInt64(task + 100), track: trace.tracks.count))
      }
      trace.tracks.append(
        Trace.Track(
          kind: .task, name: "task \(task) of \"many\"", processID: 40, threadID: 0,
          spans: first..<trace.spans.count))
      for span in first..<trace.spans.count where pick([true, true, true, false]) {
        trace.taskSpans.append(
          Trace.TaskSpan(span: span, begin: anyThread(), end: anyThread()))
      }
    }
    trace.range = 0..<(trace.spans.end.max() ?? 0)
  }

  /// Flows between any two moments of threads.
  mutating func addFlows(count: Int) {
    let threads = trace.tracks.indices.filter { trace.tracks[$0].kind == .thread }
    let sites = trace.callSites.indices.map { CallSiteID(UInt32($0)) }
    for number in 0..<count {
      let site = pick(sites)
      func point(after time: Int64) -> Trace.Flow.Point {
        Trace.Flow.Point(
          time: time + pick([0, 1, 7, 90]), track: pick(threads), site: site)
      }
      var flow = Trace.Flow(number: UInt64(number * 3 + 1), begin: point(after: 0))
      for _ in 0..<pick([1, 1, 2, 4]) {
        flow.ends.append(point(after: flow.ends.last?.time ?? flow.begin?.time ?? 0))
      }
      trace.flows.append(flow)
    }
    trace.flows.sort { ($0.begin?.time ?? 0, $0.number) < ($1.begin?.time ?? 0, $1.number) }
  }

  /// Some spans waited, most of them for somebody who is known.
  mutating func addWaits() {
    let threads = trace.tracks.indices.filter { trace.tracks[$0].kind == .thread }
    for span in 0..<trace.spans.count where pick([true, false, false]) {
      var wait = Trace.Wait(span: span, kind: pick(Trace.Wait.Kind.allCases), resource: 5)
      wait.endedByTrack = pick([nil] + threads.map { $0 })
      wait.endedAt = pick([nil, trace.spans.start[span], trace.spans.end[span]])
      trace.waits.append(wait)
    }
  }

  /// Some spans have values.
  mutating func addValues() {
    let name = trace.names.intern("bytes")
    for span in 0..<trace.spans.count where pick([true, false, false]) {
      trace.values.append(Trace.SpanValue(span: span, name: name, value: pick([-1, 0, 7])))
    }
  }
}
