public import FlamelarkTrace

/// Writes a trace as Trace Event JSON that speedscope, Perfetto and chrome://tracing show alike.
///
/// Scopes are B and E, begins and ends never at one moment of a thread, everything closed, times
/// in microseconds with three decimals on the trace's own axis. Frames are instants `Frame`, a
/// scope `Frame` around their spans and a counter `frame_ms`. What overlaps, tasks and hitches, is
/// asynchronous: b and e, which speedscope leaves out. Links are flow events; stages and values of
/// spans are instants.
public struct TraceEventExport: Sendable {
  /// Perfetto's limit.
  public static let depthLimit = 512
  /// What speedscope opens in a few seconds.
  public static let comfortableSlices = 50_000

  private let trace: Trace
  private let options: ExportOptions

  /// An export of a trace. Nothing happens before ``write(to:)``.
  public init(_ trace: Trace, options: ExportOptions = ExportOptions()) {
    self.trace = trace
    self.options = options
  }

  /// Writes it: calls `sink` with one piece after another. O(spans).
  public func write<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) -> ExportSummary {
    var writer = TraceEventWriter(trace, options)
    return try unsafe writer.write(to: sink)
  }
}
