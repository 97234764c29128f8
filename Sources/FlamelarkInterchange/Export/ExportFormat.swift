public import FlamelarkTrace

/// A format that traces are written in for other tools.
public enum ExportFormat: String, Sendable, CaseIterable {
  /// Trace Event JSON: speedscope, Perfetto, chrome://tracing, Tracy.
  case traceEvent = "trace-event"
  /// speedscope's own, evented.
  case speedscope
}

extension Trace {
  /// Writes the trace in another format: calls `sink` with one piece after another.
  ///
  /// `isCompressed` puts gzip before the sink. What the summary's notices say is for a person.
  public func export<E: Error>(
    as format: ExportFormat, options: ExportOptions = ExportOptions(), isCompressed: Bool = false,
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) -> ExportSummary {
    guard isCompressed else { return try unsafe write(as: format, options, to: sink) }
    var gzip = GzipStream()
    let summary = try unsafe write(as: format, options) { bytes throws(E) in
      try unsafe gzip.write(bytes, to: sink)
    }
    try unsafe gzip.finish(to: sink)
    return summary
  }

  private func write<E: Error>(
    as format: ExportFormat, _ options: ExportOptions,
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) -> ExportSummary {
    switch format {
    case .traceEvent: try unsafe TraceEventExport(self, options: options).write(to: sink)
    case .speedscope: try unsafe SpeedscopeExport(self, options: options).write(to: sink)
    }
  }

  /// The trace in another format, in memory.
  public func encoded(as format: ExportFormat, options: ExportOptions = ExportOptions()) -> [UInt8]
  {
    var bytes: [UInt8] = []
    _ = unsafe export(as: format, options: options) { unsafe bytes.append(contentsOf: $0) }
    return bytes
  }
}
