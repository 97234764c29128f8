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
  /// thread, or instants called `Frame`. A span is at the top level if none around it has a name
  /// that occurs that often: what wraps the whole run is no frame. O(spans + markers).
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
  /// Fewer are no series.
  private static let leastFrames = 20

  private func rankedCandidates() -> [FoundFrames] {
    candidates(named: nil).filter { $0.candidate.count >= Self.leastFrames || $0.isClear }.sorted {
      a, b in
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
    var outermost = OutermostSpans(of: self)
    var tallies = Array(repeating: Tally(), count: names.count)
    for track in tracks.indices {
      found += spanCandidates(on: track, named: name, among: &outermost, &tallies)
    }
    return found + instantCandidates(named: name)
  }

  /// What the spans of a name come to on a row.
  private struct Tally {
    var count = 0
    var time: Int64 = 0
    var topCount = 0
    var topTime: Int64 = 0
  }

  /// `tallies` are by name, and empty before and after.
  private func spanCandidates(
    on track: Int, named wanted: NameID?, among outermost: inout OutermostSpans,
    _ tallies: inout [Tally]
  ) -> [FoundFrames] {
    var threadEnd = Int64.min
    var seen: [NameID] = []
    outermost.forEach(on: track, often: Int32(Self.leastFrames)) { span, name, isTop in
      threadEnd = max(threadEnd, spans.end[span])
      guard wanted == nil || wanted == name else { return }
      let time = spans.end[span].minus(spans.start[span])
      let place = Int(name.index)
      if tallies[place].count == 0 { seen.append(name) }
      tallies[place].count += 1
      tallies[place].time = tallies[place].time.plus(time)
      if isTop {
        tallies[place].topCount += 1
        tallies[place].topTime = tallies[place].topTime.plus(time)
      }
    }
    guard let first = tracks[track].spans.first else { return [] }
    let threadTime = Double(max(1, threadEnd.minus(spans.start[first])))
    return seen.sorted().map { name in
      let tally = tallies[Int(name.index)]
      tallies[Int(name.index)] = Tally()
      let candidate = FrameCandidate(
        name: names[name], kind: .span, count: tally.count,
        coverage: min(1, Double(tally.time) / threadTime), track: tracks[track].name)
      return FoundFrames(
        candidate: candidate, name: name, track: track, time: tally.time,
        isClear: tracks[track].kind == .thread && tally.topCount >= Self.leastFrames
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
      var outermost = OutermostSpans(of: self)
      outermost.forEach(on: found.track) { span, name in
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
}
