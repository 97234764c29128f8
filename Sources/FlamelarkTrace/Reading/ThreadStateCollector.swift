internal import FlamelarkFormat

/// Puts in order when threads had no processor.
struct ThreadStateCollector {
  /// From the recorder's key of a thread to its row.
  let rows: [UInt32: Int]
  private(set) var issues: [Trace.Issue] = []

  init(rows: [UInt32: Int]) { self.rows = rows }

  /// The states by row and time; no two of a row overlap. O(states · log states).
  mutating func collect(_ states: [RecordedEvents.ThreadState]) -> [Trace.ThreadState] {
    var placed = states.compactMap { state in
      rows[state.threadKey].map { placedState(state, on: $0) }
    }
    add(states.count - placed.count, "thread states on threads that are missing")
    placed.sort {
      ($0.track, $0.range.lowerBound, $0.range.upperBound)
        < ($1.track, $1.range.lowerBound, $1.range.upperBound)
    }
    var result: [Trace.ThreadState] = []
    result.reserveCapacity(placed.count)
    var overlapping = 0
    for var state in placed {
      if let last = result.last, last.track == state.track,
        state.range.lowerBound < last.range.upperBound
      {
        overlapping += 1
        guard last.range.upperBound < state.range.upperBound else { continue }
        state.range = last.range.upperBound..<state.range.upperBound
      }
      state.wokenAt = state.wokenAt.map {
        min(max($0, state.range.lowerBound), state.range.upperBound)
      }
      result.append(state)
    }
    add(overlapping, "thread states cut where they overlap the one before")
    return result
  }

  private func placedState(_ state: RecordedEvents.ThreadState, on row: Int) -> Trace.ThreadState {
    var result = Trace.ThreadState(
      track: row, kind: state.kind == .preempted ? .preempted : .blocked,
      range: state.start..<state.end)
    result.wokenBy = rows[state.wakerKey]
    result.wokenAt = state.wokenAt
    return result
  }

  private mutating func add(_ count: Int, _ text: String) {
    if count > 0 { issues.append(Trace.Issue(text, count: count)) }
  }
}
