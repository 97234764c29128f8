internal import CZlib

/// Compresses what goes through it, piece by piece: a sink before a sink.
///
///     var gzip = GzipStream()
///     let summary = try export.write { bytes in try gzip.write(bytes, to: sink) }
///     try gzip.finish(to: sink)
@safe public struct GzipStream: ~Copyable {
  private static let pieceByteCount = 1 << 17

  /// zlib keeps the address of its stream, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutablePointer<UInt8>

  /// Begins a stream. `level` 1 is fast, 9 is small.
  public init(level: Int = 6) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe output = .allocate(capacity: Self.pieceByteCount)
    // 16 over the greatest window: gzip's frame, not zlib's.
    let code = unsafe deflateInit2_(
      stream, CInt(min(max(level, 1), 9)), Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      CInt(MemoryLayout<z_stream>.size))
    // It asks for 256 KiB; without them nothing else goes on either.
    precondition(code == Z_OK, "zlib got no memory")
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
    unsafe output.deallocate()
  }

  /// Takes bytes, and gives what is ready to the sink.
  public mutating func write<E: Error>(
    _ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    var position = 0
    while position < bytes.count {
      // zlib counts in 32 bits.
      let piece = min(bytes.count - position, 1 << 30)
      unsafe stream.pointee.next_in = UnsafeMutablePointer(
        mutating: bytes.baseAddress?.advanced(by: position).assumingMemoryBound(to: UInt8.self))
      unsafe stream.pointee.avail_in = UInt32(piece)
      try unsafe run(Z_NO_FLUSH, to: sink)
      position += piece
    }
  }

  /// Ends the stream. Nothing may be written after it.
  public mutating func finish<E: Error>(
    to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    unsafe stream.pointee.next_in = nil
    unsafe stream.pointee.avail_in = 0
    try unsafe run(Z_FINISH, to: sink)
  }

  private mutating func run<E: Error>(
    _ flush: CInt, to sink: (UnsafeRawBufferPointer) throws(E) -> Void
  ) throws(E) {
    while true {
      unsafe stream.pointee.next_out = output
      unsafe stream.pointee.avail_out = UInt32(Self.pieceByteCount)
      let code = unsafe deflate(stream, flush)
      let given = unsafe Self.pieceByteCount - Int(stream.pointee.avail_out)
      if given > 0 { try unsafe sink(UnsafeRawBufferPointer(start: output, count: given)) }
      // Room left means that everything was taken; the end says so itself.
      if code != Z_OK || flush == Z_NO_FLUSH && given < Self.pieceByteCount { return }
    }
  }
}
