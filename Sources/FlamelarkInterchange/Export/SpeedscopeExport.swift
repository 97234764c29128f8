public import FlamelarkTrace

/// Writes a trace in speedscope's own format, evented: exactly its spans, quick to open at any
/// size. Tasks share as few profiles as keep their spans apart.
public struct SpeedscopeExport: Sendable {
  /// Deeper stacks overflow that of speedscope.
  public static let depthLimit = 2000

  private let trace: Trace
  private let options: ExportOptions

  /// An export of a trace. Nothing happens before ``write(to:)``.
  public init(_ trace: Trace, options: ExportOptions = ExportOptions()) {
    self.trace = trace.packingTasks(isKeeping: options.hasTasks)
    self.options = options
  }

  /// Writes it: calls `sink` with one piece after another. O(spans).
  public func write<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) -> ExportSummary {
    var buffer = JSONBuffer()
    var summary = ExportSummary(depthLimit: Self.depthLimit, comfortableSlices: nil)
    let series = trace.exportedSeries(options).map { trace.frameSeries[$0] }
    let scopes = FrameScopes(of: series, in: trace)
    summary.frameScopes = scopes.count
    summary.framesWithoutScope = scopes.omitted
    let zero = trace.exportedZero(options)
    let window = options.range ?? zero..<max(zero, lastEnd())

    buffer.put(#"{"$schema":"https://www.speedscope.app/file-format-schema.json","#)
    buffer.put("\n")
    buffer.put(#""exporter":"flamelark","name":"#)
    buffer.putString(options.title)
    let shown = trace.tracks.indices.filter { track in
      !trace.tracks[track].spans.isEmpty || scopes.byTrack[track]?.isEmpty == false
    }
    if let framesTrack = series?.frames.first?.track, let active = shown.firstIndex(of: framesTrack)
    {
      buffer.put(#","activeProfileIndex":"#)
      buffer.putInteger(Int64(active))
    }
    try unsafe putFrameTable(into: &buffer, to: sink)
    buffer.put(",\n\"profiles\":[")
    for (position, track) in shown.enumerated() {
      buffer.put(position == 0 ? "\n" : ",\n")
      buffer.put(#"{"type":"evented","unit":"nanoseconds","name":"#)
      buffer.putString(trace.tracks[track].name)
      buffer.put(#","startValue":"#)
      buffer.putInteger(window.lowerBound - zero)
      buffer.put(#","endValue":"#)
      buffer.putInteger(window.upperBound - zero)
      buffer.put(#","events":["#)
      let walk = TrackWalk(
        trace: trace, track: track, frames: scopes.byTrack[track] ?? [], range: options.range,
        isNudging: false, depthLimit: summary.depthLimit)
      var isFirst = true
      summary.tracks.append(
        try walk.run { (step, label, time, _) throws(E) in
          guard step == .begin || step == .end else { return }
          buffer.put(isFirst ? "\n" : ",\n")
          isFirst = false
          if step == .begin {
            buffer.put(#"{"type":"O","frame":"#)
          } else {
            buffer.put(#"{"type":"C","frame":"#)
          }
          switch label {
          case .frame: buffer.putInteger(Int64(trace.callSites.count))
          case .site(let site): buffer.putInteger(Int64(site.index))
          }
          buffer.put(#","at":"#)
          buffer.putInteger(time - zero)
          buffer.put("}")
          if buffer.isFull { try unsafe buffer.empty(into: sink) }
        })
      buffer.put("]}")
    }
    buffer.put("\n]}\n")
    try unsafe buffer.empty(into: sink)
    return summary
  }

  /// The call sites, and behind them the scope of a frame.
  private func putFrameTable<E: Error>(
    into buffer: inout JSONBuffer, to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    buffer.put(",\n\"shared\":{\"frames\":[")
    for site in trace.callSites {
      let name = trace.names[site.name]
      buffer.put("\n{\"name\":")
      buffer.putString(name.isEmpty ? "(unnamed)" : name)
      if let file = site.file {
        buffer.put(",\"file\":")
        buffer.putString(trace.names[file])
      }
      if site.line > 0 {
        buffer.put(",\"line\":")
        buffer.putInteger(Int64(site.line))
      }
      buffer.put("},")
      if buffer.isFull { try unsafe buffer.empty(into: sink) }
    }
    buffer.put("\n{\"name\":\"Frame\"}]}")
  }

  private func lastEnd() -> Int64 {
    var last = trace.range.upperBound
    for track in trace.tracks {
      // The last of the outermost spans ends last; inner ones end before it.
      for span in track.spans where trace.spans.parent[span] == Trace.Spans.none {
        last = max(last, trace.spans.end[span])
      }
    }
    for series in trace.frameSeries {
      for frame in series.frames { last = max(last, frame.end ?? frame.begin) }
    }
    return last
  }
}
