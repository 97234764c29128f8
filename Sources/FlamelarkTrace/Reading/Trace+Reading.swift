internal import FlamelarkFormat

extension Trace {
  /// Reads a recording, with what its live file holds if there is one.
  ///
  /// A program that was killed leaves a live file beside the trace, one that still runs writes it:
  /// both are read. A file that is cut or damaged gives what is intact; ``issues`` say what isn't.
  /// Takes about as long as ten copies of a file that is not packed, and 25 bytes a span.
  public init(contentsOf path: String) throws(TraceReadError) {
    // The live file first: what moves to the trace file in between is then in both.
    let live = LiveImage.read(path: path + ".live")
    let file: MappedFile
    do {
      file = try MappedFile(path: path)
    } catch {
      throw TraceReadError(.system(error.words), path: path)
    }
    let bytes = unsafe file.bytes
    let header = try unsafe Self.header(of: bytes, path: path)
    var reading = Reading(header: header)
    var slots: [LiveSlot] = []
    if let live {
      if live.header.recordingID == header.recordingID {
        slots = live.slots
        reading.openTaskSpans = live.openTaskSpans
        reading.ending = live.isHeld ? .running : .killed
      } else {
        reading.issues.append(
          Issue("live file of another recording beside this one, not read", count: 1))
      }
    }
    var chunks = unsafe Chunks(of: bytes, left: slots)
    slots = chunks.add(slots)
    chunks.order()
    // Chunks and slots point into both files.
    self = withExtendedLifetime(live) { reading.trace(chunks, slots: slots) }
    _ = consume file
  }

  /// The header of a recording.
  static func header(
    of bytes: UnsafeRawBufferPointer, path: String
  ) throws(TraceReadError) -> FileHeader {
    if bytes.count >= 8,
      unsafe bytes.integer(at: 0, as: UInt64.self) == FileHeader.Kind.live.rawValue
    {
      throw TraceReadError(.livePart, path: path)
    }
    do {
      return try unsafe FileHeader(decoding: bytes)
    } catch {
      switch error {
      case .unsupportedVersion(let version):
        throw TraceReadError(.unsupportedVersion(Int(version)), path: path, offset: 8)
      case .tooShort where bytes.count >= 8:
        throw TraceReadError(.truncatedHeader(bytes: bytes.count), path: path, offset: bytes.count)
      case .badChecksum: throw TraceReadError(.damagedHeader, path: path, offset: 4092)
      case .badField(let offset): throw TraceReadError(.damagedHeader, path: path, offset: offset)
      default: throw TraceReadError(.notARecording, path: path)
      }
    }
  }
}
