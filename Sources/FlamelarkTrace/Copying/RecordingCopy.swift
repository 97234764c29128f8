internal import FlamelarkFormat

/// A recording that is written anew: packed, or with what its killed program left taken in.
///
/// What is whole of the file is copied chunk for chunk, in the order of threads and sequence
/// numbers. Slots of a live file become chunks behind them.
public struct RecordingCopy: ~Copyable {
  /// What a copy took in and left out.
  public struct Summary: Sendable, Equatable {
    /// Chunks that were copied.
    public var chunks = 0
    /// Records of the live file that were taken in, without those of open spans.
    public var recoveredRecords = 0
    /// Spans that were open when the program was killed.
    public var openSpans = 0
    /// Bytes of the file that was read.
    public var bytesRead = 0
    /// Bytes that were written.
    public var bytesWritten = 0
    /// What could not be read: damaged places, missing chunks.
    public var issues: [Trace.Issue] = []

    /// A copy of nothing.
    public init() {}
  }

  private let file: MappedFile
  private let header: FileHeader
  private let live: LiveImage?

  /// Opens the recording at a path, and the live file beside it if there is one.
  public init(of path: String) throws(TraceReadError) {
    // The live file first: what moves to the trace file in between is then in both.
    let image = LiveImage.read(path: path + ".live")
    let file = try Self.map(path)
    let header = try unsafe Trace.header(of: file.bytes, path: path)
    self.file = file
    self.header = header
    live = image.flatMap { $0.header.recordingID == header.recordingID ? $0 : nil }
  }

  private static func map(_ path: String) throws(TraceReadError) -> MappedFile {
    do {
      return try MappedFile(path: path)
    } catch {
      throw TraceReadError(.system(error.words), path: path)
    }
  }

  /// Whether a program still writes the recording: it can't be copied.
  public var isRunning: Bool { live?.isHeld ?? false }

  /// Whether a killed program left something beside the file.
  public var hasLiveFile: Bool { live != nil }

  /// Writes the copy.
  ///
  /// - Parameters:
  ///   - packed: Whether events are packed.
  ///   - sink: Takes the bytes, in order.
  /// - Returns: What was taken in and left out.
  /// - Throws: What `sink` throws.
  public func write<Failure: Error>(
    packed: Bool, to sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> Summary {
    var summary = Summary()
    summary.bytesRead = file.count
    var slots = live?.slots ?? []
    var chunks = unsafe Chunks(of: file.bytes, left: slots)
    slots = chunks.add(slots)
    chunks.order()
    summary.issues = chunks.issues
    var writer = ChunkWriter(header: header, isPacked: packed)
    try unsafe writer.writeHeader(file.bytes, to: sink)
    for chunk in chunks.definitions + chunks.events {
      if chunk.offset == nil { summary.recoveredRecords += Self.count(chunk) }
      try unsafe writer.write(chunk, of: file.bytes, to: sink)
      summary.chunks += 1
    }
    if let live {
      let left = Leftover(
        slots: slots, openTaskSpans: live.openTaskSpans, chunks: chunks, header: header,
        summary: &summary)
      for chunk in left.chunks { try unsafe writer.write(chunk, to: sink) }
    }
    withExtendedLifetime(live) {}
    summary.bytesWritten = writer.byteCount
    return summary
  }

  private static func count(_ chunk: Chunk) -> Int {
    guard chunk.threadKey != 0 else { return 0 }
    var cursor = unsafe EventCursor(chunk.bytes)
    var count = 0
    while cursor.advance() { count += 1 }
    return count
  }
}
