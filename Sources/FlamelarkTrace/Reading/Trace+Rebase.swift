extension Int64 {
  /// A time that can be added and subtracted: damage makes any number, no clock one beyond 36 years.
  var plausibleTime: Int64 { Swift.min(Swift.max(self, -1 << 60), 1 << 60) }
}

extension Trace {
  /// Moves all times so that the first event is at 0.
  ///
  /// - Parameters:
  ///   - realtime: CLOCK_REALTIME less the clock of the times so far.
  ///   - written: What the times of spans and sums begin at already, and reach to.
  mutating func rebase(realtime: Int64?, spans written: TrackWriter.Times) {
    var first = Int64.max
    var last = Int64.min
    func see(_ time: Int64) {
      first = min(first, time)
      last = max(last, time)
    }
    if written.first <= written.last {
      see(written.first + written.zero)
      see(written.last + written.zero)
    }
    folded.forEach {
      see($0.range.lowerBound + written.zero)
      see($0.range.upperBound + written.zero)
    }
    for series in frameSeries {
      for frame in series.frames {
        see(frame.timestamp)
        see(frame.begin)
        frame.end.map(see)
      }
    }
    markers.forEach { see($0.time) }
    counters.forEach { $0.times.forEach(see) }
    taskChanges.forEach { see($0.time) }
    threadStates.forEach {
      see($0.range.lowerBound)
      see($0.range.upperBound)
    }
    flows.forEach { flow in
      flow.begin.map { see($0.time) }
      flow.ends.forEach { see($0.time) }
    }
    activities.forEach {
      see($0.range.lowerBound)
      see($0.range.upperBound)
    }
    guard first <= last else { return }

    // The spans were written with the right zero, unless something began before what was seen first.
    let rest = first - written.zero
    if rest != 0 {
      func moved(_ time: Int64) -> Int64 { (time - rest).plausibleTime }
      for index in spans.start.indices { spans.start[index] = moved(spans.start[index]) }
      for index in spans.end.indices { spans.end[index] = moved(spans.end[index]) }
      for index in folded.indices {
        let range = folded[index].range
        folded[index].range = moved(range.lowerBound)..<moved(range.upperBound)
      }
    }
    for series in frameSeries.indices {
      for frame in frameSeries[series].frames.indices {
        frameSeries[series].frames[frame].move(by: first)
      }
      for mark in frameSeries[series].markedByProgram.indices {
        frameSeries[series].markedByProgram[mark].time -= first
      }
      for rest in frameSeries[series].rests.indices {
        let range = frameSeries[series].rests[rest].range
        frameSeries[series].rests[rest].range =
          range.lowerBound - first..<range.upperBound - first
      }
    }
    for index in source.filters.indices { source.filters[index].time &-= first }
    for index in taskChanges.indices { taskChanges[index].time -= first }
    for index in waits.indices { waits[index].endedAt = waits[index].endedAt.map { $0 &- first } }
    for index in threadStates.indices {
      let range = threadStates[index].range
      threadStates[index].range = range.lowerBound - first..<range.upperBound - first
      threadStates[index].wokenAt = threadStates[index].wokenAt.map { $0 - first }
    }
    for index in flows.indices {
      flows[index].begin?.time -= first
      for end in flows[index].ends.indices { flows[index].ends[end].time -= first }
    }
    for index in modules.indices { modules[index].time &-= first }
    for index in markers.indices { markers[index].time -= first }
    for index in counters.indices {
      for time in counters[index].times.indices { counters[index].times[time] -= first }
    }
    for index in activities.indices {
      let range = activities[index].range
      activities[index].range = range.lowerBound - first..<range.upperBound - first
    }
    range = 0..<(last - first).plausibleTime
    wallClockZero = realtime.map { $0 &+ first }
  }
}

extension Trace.Frame {
  fileprivate mutating func move(by zero: Int64) {
    timestamp -= zero
    begin -= zero
    target = target.map { $0 &- zero }
    end = end.map { $0 - zero }
    presented = presented.map { $0 &- zero }
  }
}
