public import FlamelarkTrace

extension Trace {
  /// Reads Trace Event JSON: scopes (B, E, X), asynchronous ones (b, e, n, S, F), flows, instants,
  /// counters and names.
  ///
  /// Files that are damaged or were cut give what is whole in them; ``issues`` says what was
  /// mended, dropped or not read, how often, and at which byte first. Linear in the bytes.
  public init(traceEvents bytes: borrowing PaddedBytes) throws(ImportError) {
    self = try Trace(scanning: bytes.text)
    issues = bytes.issues + issues
  }

  /// Reads Trace Event JSON from a copy of the bytes.
  public init(traceEvents bytes: UnsafeRawBufferPointer) throws(ImportError) {
    try self.init(traceEvents: unsafe PaddedBytes(copying: bytes))
  }

  private init(scanning text: ScanText) throws(ImportError) {
    var scanner = EventScanner(text)
    try scanner.scan()
    try scanner.checkForContent()
    var builder = TraceBuilder(scanner)
    self = builder.build()
  }
}

extension EventScanner {
  /// Throws if there is nothing that a trace could hold.
  fileprivate func checkForContent() throws(ImportError) {
    let samples = issues.offset(of: .samples) ?? issues.offset(of: .stackSamples)
    let hasScopes = events.contains {
      ($0.phase == .begin || $0.phase == .complete) && !$0.flags.contains(.isAsync)
    }
    if !hasScopes, let samples { throw ImportError(.samplesOnly, at: samples) }
    if !events.isEmpty || !self.samples.isEmpty || !flows.isEmpty { return }
    if elementCount == 0, let cut = issues.offset(of: .cut) {
      throw ImportError(.cutBeforeFirstEvent, at: cut)
    }
    guard hasEventList else { throw ImportError(.noEvents, at: text.count) }
    let found = issues.list.map { "\($0.count) \($0.text)" }
    throw ImportError(
      .noScopes(found: found.isEmpty ? "no events" : found.joined(separator: ", ")),
      at: text.count)
  }
}
