internal import FlamelarkTrace

extension TraceBuilder {
  /// Makes flows of their ends, and waits of those that our own export wrote for them.
  mutating func addFlows() {
    let flows = scanner.flows
    var indices = flows.indices.map { UInt32($0) }
    // At one moment a flow begins before it ends.
    order.sort(&indices, in: indices.indices) { UInt64(flows[Int($0)].phase.rawValue) }
    order.sort(&indices, in: indices.indices) { flows[Int($0)].time.orderKey }
    var found: [(flow: Trace.Flow, id: UInt32, last: Int)] = []
    // A flow that begins anew under the id of another is one of its own.
    var current: [ScannedFlow.Key: Int] = [:]
    for index in indices {
      let flow = flows[Int(index)]
      // The wait of a task may end nobody knows on which thread.
      let thread = trackOf[Int(mapping[Int(flow.thread)])]
      guard let track = thread ?? rowsOfTasks[flow.row] else { continue }
      let point = Trace.Flow.Point(
        time: flow.time - times.zero, track: track, site: site(of: flow.key.name, offset: nil))
      if flow.phase != .begin, let known = current[flow.key] {
        found[known].flow.ends.append(point)
        found[known].last = Int(index)
        continue
      }
      current[flow.key] = found.count
      found.append(
        flow.phase == .begin
          ? (Trace.Flow(number: 0, begin: point), flow.key.id, Int(index))
          : (Trace.Flow(number: 0, begin: nil, ends: [point]), flow.key.id, Int(index)))
    }
    var waits: [Int: Trace.Wait] = [:]
    let own = found.map { number(ofIdentifier: $0.id) }
    var numbers = FlowNumbers(of: own)
    for (element, number) in zip(found, own) {
      if let wait = wait(of: element.flow, flows[element.last]), waits[wait.span] == nil {
        waits[wait.span] = wait
        continue
      }
      var flow = element.flow
      flow.number = numbers.number(for: number)
      trace.flows.append(flow)
    }
    trace.waits = waits.values.sorted { $0.span < $1.span }
  }

  /// What an id says as a number, 0 if it is none.
  private func number(ofIdentifier id: UInt32) -> UInt64 {
    guard id != RawNameTable.none else { return 0 }
    let text = text.string(scanner.names.ranges[Int(id)]).text
    return (text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : UInt64(text)) ?? 0
  }

  /// The wait that a flow stands for, if it does.
  private func wait(of flow: Trace.Flow, _ end: ScannedFlow) -> Trace.Wait? {
    guard let begin = flow.begin, flow.ends.count == 1, let last = flow.ends.first,
      end.key.category != RawNameTable.none, end.key.name != RawNameTable.none,
      text.isText(scanner.names.ranges[Int(end.key.category)], "wait"),
      let kind = Trace.Wait.Kind(
        rawValue: text.string(scanner.names.ranges[Int(end.key.name)]).text)
    else { return nil }
    var row: Int? = last.track
    if end.row != RawNameTable.none { row = rowsOfTasks[end.row] }
    guard let row, let span = trace.openSpan(on: row, at: last.time) else { return nil }
    var wait = Trace.Wait(span: span, kind: kind, resource: 0)
    wait.endedByTrack = begin.track
    wait.endedAt = begin.time
    return wait
  }
}

extension Trace {
  /// The innermost span of a row that is open at a time. O(log spans + depth).
  fileprivate func openSpan(on track: Int, at time: Int64) -> Int? {
    let row = tracks[track].spans
    var span = spans.start[row].partitionPoint { $0 <= time } - 1
    // No program nests as deep as a file may say.
    for _ in 0..<512 where row.contains(span) {
      if spans.end[span] > time { return span }
      guard spans.parent[span] != Spans.none else { return nil }
      span = Int(spans.parent[span])
    }
    return nil
  }
}
