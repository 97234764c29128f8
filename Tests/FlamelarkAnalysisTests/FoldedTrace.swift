import FlamelarkTrace

extension Trace {
  /// The trace that a recorder with a least duration writes: shorter spans are summed up under the
  /// nearest one that stays, call site by call site, and divided where frames begin.
  func folding(below minimum: Int64, dividedAt edges: [Int64] = []) -> Trace {
    struct Key: Hashable {
      var track: Int
      var parent: UInt32
      var site: CallSiteID
      var frame: Int
    }
    var result = self
    result.spans = Spans()
    var sums: [Key: FoldedSpans] = [:]
    // The span that stays, of each span itself or the nearest around it.
    var stays: [UInt32] = []
    var selfTimes = (0..<spans.count).map { spans.end[$0] - spans.start[$0] }
    for span in 0..<spans.count where spans.parent[span] != Spans.none {
      selfTimes[Int(spans.parent[span])] -= spans.end[span] - spans.start[span]
    }
    for track in tracks.indices {
      let first = result.spans.count
      for span in tracks[track].spans {
        let (start, end) = (spans.start[span], spans.end[span])
        let parent = spans.parent[span] == Spans.none ? Spans.none : stays[Int(spans.parent[span])]
        if end - start >= minimum {
          stays.append(UInt32(result.spans.count))
          result.spans.append(start: start, end: end, site: spans.site[span], parent: parent)
          continue
        }
        stays.append(parent)
        let key = Key(
          track: track, parent: parent, site: spans.site[span],
          frame: edges.count { $0 <= end })
        var sum =
          sums[key]
          ?? FoldedSpans(
            reason: .belowMinimum, track: track, parent: parent, site: key.site,
            range: start..<start, count: 0, total: 0, selfTime: 0, longest: 0)
        sum.range = min(sum.range.lowerBound, start)..<max(sum.range.upperBound, end)
        sum.count += 1
        sum.total += end - start
        sum.selfTime += selfTimes[span]
        sum.longest = max(sum.longest, end - start)
        sums[key] = sum
      }
      result.tracks[track].spans = first..<result.spans.count
    }
    result.folded = Trace.FoldedSums(
      sums.values.sorted {
        ($0.track, $0.range.upperBound, $0.site.index, $0.parent)
          < ($1.track, $1.range.upperBound, $1.site.index, $1.parent)
      })
    return result
  }
}
