internal import FlamelarkFormat
public import FlamelarkTrace

extension Trace {
  /// The names that could be frames, most likely first: at most ten.
  ///
  /// A span of the name within another of it doesn't count. O(spans + markers).
  public func frameCandidates() -> [FrameCandidate] {
    Array(rankedCandidates().prefix(10).map(\.candidate))
  }

  /// The frames of a trace that has none of its own, if they are clear without asking.
  ///
  /// Clear is exactly one name whose top-level spans number at least 20 and cover 80 % of their
  /// thread, or instants called `Frame`. O(spans + markers).
  public func chooseFrames() -> FrameChoice {
    let ranked = rankedCandidates()
    let clear = ranked.filter(\.isClear)
    if let only = clear.first, clear.count == 1 {
      return .series(series(of: only, refresh: nil))
    }
    return ranked.isEmpty ? .none : .ambiguous(Array(ranked.prefix(10).map(\.candidate)))
  }

  /// The spans or instants of a name as frames, nil if there are none.
  ///
  /// Of several threads that have such spans, the one that spends most time in them. A frame may
  /// take `refresh` nanoseconds, else the median time from one to the next. O(spans + markers).
  public func frames(named name: String, refresh: Int64?) -> FrameSeries? {
    guard let name = names.find(name) else { return nil }
    let named = candidates(named: name)
    let mostTime = named.filter { $0.candidate.kind == .span }.max { $0.time < $1.time }
    let mostOften = named.filter { $0.candidate.kind == .instant }.max {
      $0.candidate.count < $1.candidate.count
    }
    return (mostTime ?? mostOften).map { series(of: $0, refresh: refresh) }
  }
}

/// A candidate with what was found out about it.
private struct FoundFrames {
  var candidate: FrameCandidate
  var name: NameID
  var track: Int
  /// The time in its spans.
  var time: Int64
  /// It may be taken without asking.
  var isClear: Bool
}

extension Trace {
  private func rankedCandidates() -> [FoundFrames] {
    candidates(named: nil).filter { $0.candidate.count >= 20 || $0.isClear }.sorted { a, b in
      if a.isClear != b.isClear { return a.isClear }
      if a.candidate.coverage != b.candidate.coverage {
        return a.candidate.coverage > b.candidate.coverage
      }
      return (a.track, a.name) < (b.track, b.name)
    }
  }

  /// What is there of a name, or of every name.
  private func candidates(named name: NameID?) -> [FoundFrames] {
    var found: [FoundFrames] = []
    for track in tracks.indices { found += spanCandidates(on: track, named: name) }
    return found + instantCandidates(named: name)
  }

  private func spanCandidates(on track: Int, named wanted: NameID?) -> [FoundFrames] {
    struct Tally {
      var count = 0
      var time: Int64 = 0
      var topCount = 0
      var topTime: Int64 = 0
    }
    var tallies: [NameID: Tally] = [:]
    var threadEnd = Int64.min
    forEachOutermostSpan(on: track) { span, name, isTop in
      threadEnd = max(threadEnd, spans.end[span])
      guard wanted == nil || wanted == name else { return }
      let time = spans.end[span].minus(spans.start[span])
      var tally = tallies[name, default: Tally()]
      tally.count += 1
      tally.time = tally.time.plus(time)
      if isTop {
        tally.topCount += 1
        tally.topTime = tally.topTime.plus(time)
      }
      tallies[name] = tally
    }
    guard let first = tracks[track].spans.first else { return [] }
    let threadTime = Double(max(1, threadEnd.minus(spans.start[first])))
    return tallies.keys.sorted().map { name in
      let tally = tallies[name, default: Tally()]
      let candidate = FrameCandidate(
        name: names[name], kind: .span, count: tally.count,
        coverage: min(1, Double(tally.time) / threadTime), track: tracks[track].name)
      return FoundFrames(
        candidate: candidate, name: name, track: track, time: tally.time,
        isClear: tracks[track].kind == .thread && tally.topCount >= 20
          && Double(tally.topTime) >= 0.8 * threadTime)
    }
  }

  private func instantCandidates(named wanted: NameID?) -> [FoundFrames] {
    struct Place: Hashable {
      var track: Int
      var name: NameID
    }
    var moments: [Place: (count: Int, first: Int64, last: Int64)] = [:]
    for marker in markers {
      let name = callSites[Int(marker.site.index)].name
      guard wanted == nil || wanted == name, let track = trackOfInstant(marker) else { continue }
      var entry = moments[Place(track: track, name: name)] ?? (0, marker.time, marker.time)
      entry.count += 1
      entry.last = max(entry.last, marker.time)
      moments[Place(track: track, name: name)] = entry
    }
    let whole = Double(max(1, range.duration))
    let places = moments.keys.sorted { ($0.track, $0.name) < ($1.track, $1.name) }
    return places.compactMap { place in
      guard let entry = moments[place] else { return nil }
      let candidate = FrameCandidate(
        name: names[place.name], kind: .instant, count: entry.count,
        coverage: min(1, Double(entry.last.minus(entry.first)) / whole),
        track: tracks[place.track].name)
      return FoundFrames(
        candidate: candidate, name: place.name, track: place.track, time: 0,
        isClear: entry.count > 1 && names[place.name] == "Frame")
    }
  }

  /// The row whose spans an instant's frame is made of: its own, or the first thread if it concerns
  /// the whole process.
  private func trackOfInstant(_ marker: Marker) -> Int? {
    marker.track ?? tracks.firstIndex { $0.kind == .thread }
  }

  private func series(of found: FoundFrames, refresh: Int64?) -> FrameSeries {
    let refresh = refresh.flatMap { $0 > 0 ? $0 : nil }
    var series = FrameSeries(name: found.candidate.name, mode: .spans, refresh: refresh)
    if found.candidate.kind == .span {
      forEachOutermostSpan(on: found.track) { span, name, _ in
        guard name == found.name else { return }
        var frame = Frame(
          number: series.frames.count, timestamp: spans.start[span], track: found.track)
        frame.span = span
        frame.end = spans.end[span]
        series.frames.append(frame)
      }
    } else {
      for marker in markers
      where callSites[Int(marker.site.index)].name == found.name
        && trackOfInstant(marker) == found.track
      {
        series.frames.append(
          Frame(number: series.frames.count, timestamp: marker.time, track: found.track))
      }
    }
    let interval = refresh ?? series.medianInterval() ?? Lateness.fallbackInterval
    for index in series.frames.indices {
      series.frames[index].target = series.frames[index].timestamp.plus(interval)
      series.frames[index].interval = interval
      series.frames[index].targetIsEstimated = refresh == nil
    }
    return series
  }

  /// Calls `body` with each span of a row that is not within another of its name.
  private func forEachOutermostSpan(
    on track: Int, _ body: (_ span: Int, _ name: NameID, _ isTop: Bool) -> Void
  ) {
    var open: [(span: UInt32, name: NameID)] = []
    var depthOfName: [NameID: Int] = [:]
    for span in tracks[track].spans {
      let parent = spans.parent[span]
      while let last = open.last, last.span != parent {
        open.removeLast()
        depthOfName[last.name, default: 1] -= 1
      }
      let name = callSites[Int(spans.site[span].index)].name
      let around = depthOfName[name, default: 0]
      depthOfName[name] = around + 1
      open.append((UInt32(truncatingIfNeeded: span), name))
      if around == 0 { body(span, name, open.count == 1) }
    }
  }
}
