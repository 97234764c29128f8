package import FlamelarkTrace

/// What a trace doesn't hold, over all its threads.
package struct Unmeasured {
  var overDepth: UInt64 = 0
  var belowMinimum: UInt64 = 0
  var belowMinimumTime: Int64 = 0
  var detached: UInt64 = 0
  package var lost: UInt64 = 0

  package init(in trace: Trace) {
    // Counts come from files that anybody may have written: they wrap rather than stop us.
    for track in trace.tracks {
      overDepth &+= track.counts.overDepth
      belowMinimum &+= track.counts.belowMinimum
      belowMinimumTime &+= track.counts.belowMinimumTime
      detached &+= track.counts.detached
      lost &+= track.counts.lost
    }
  }
}
