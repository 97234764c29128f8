internal import CZlib
internal import FlamelarkTrace

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#else
#error("which libc?")
#endif

extension PaddedBytes {
  /// What decompression may give if the caller says nothing: 4 GiB, or half of the machine's memory.
  ///
  /// A few megabytes of gzip data can hold thousands of times as many zeros.
  public static var standardLimit: Int {
    let page = Int(sysconf(CInt(_SC_PAGESIZE)))
    let memory = Int(sysconf(CInt(_SC_PHYS_PAGES))).multipliedReportingOverflow(by: page)
    guard !memory.overflow, memory.partialValue > 0 else { return 4 << 30 }
    return min(4 << 30, memory.partialValue / 2)
  }

  /// Decompresses gzip data, one member or several.
  ///
  /// Data that was cut or damaged gives what could be decompressed, and an issue.
  public init(
    decompressing data: UnsafeRawBufferPointer, limit: Int = PaddedBytes.standardLimit
  ) throws(ImportError) {
    var inflation = try unsafe Inflation(data, limit: limit)
    try inflation.run()
    let end = inflation.end
    var issues: [Trace.Issue] = []
    switch end {
    case .whole: break
    case .cut: issues.append(Trace.Issue("gzip files cut", count: 1, offset: inflation.position))
    case .damaged:
      guard inflation.count > 0 else {
        throw ImportError(.damagedGzip, at: inflation.position)
      }
      issues.append(
        Trace.Issue(
          "damaged places in gzip data, not read on", count: 1, offset: inflation.position))
    }
    let count = inflation.count
    unsafe self.init(owning: inflation.takeOutput(), count: count, issues: issues)
  }
}

/// One run of zlib's decompressor, with the memory it fills.
@safe private struct Inflation: ~Copyable {
  enum End { case whole, cut, damaged }

  private let data: UnsafeRawBufferPointer
  private let limit: Int
  /// zlib keeps the address of its stream, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var output: UnsafeMutableRawPointer?
  private var capacity: Int
  private(set) var count = 0
  private(set) var position = 0
  private(set) var end = End.whole

  init(_ data: UnsafeRawBufferPointer, limit: Int) throws(ImportError) {
    unsafe self.data = data
    self.limit = max(limit, 1)
    let guess = min(data.count, .max / 16) * 8
    capacity = min(max(guess, 1 << 16), self.limit)
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe output = malloc(capacity + PaddedBytes.padding)
    // 16 over the greatest window: gzip's frame, not zlib's.
    let code = unsafe inflateInit2_(
      stream, 15 + 16, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    guard code == Z_OK, unsafe output != nil else {
      throw ImportError(.noMemory(byteCount: capacity), at: 0)
    }
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
    unsafe free(output)
  }

  /// Gives the memory away.
  consuming func takeOutput() -> UnsafeMutableRawPointer {
    guard let taken = unsafe output else { preconditionFailure("no output") }
    unsafe output = nil
    return unsafe taken
  }

  mutating func run() throws(ImportError) {
    while true {
      if count == capacity { try grow() }
      // zlib counts in 32 bits.
      let input = unsafe min(data.count - position, 1 << 30)
      let room = min(capacity - count, 1 << 30)
      unsafe stream.pointee.next_in = UnsafeMutablePointer(
        mutating: data.baseAddress?.advanced(by: position).assumingMemoryBound(to: UInt8.self))
      unsafe stream.pointee.avail_in = UInt32(input)
      unsafe stream.pointee.next_out = output?.advanced(by: count).assumingMemoryBound(
        to: UInt8.self)
      unsafe stream.pointee.avail_out = UInt32(room)
      let code = unsafe inflate(stream, Z_NO_FLUSH)
      let taken = unsafe input - Int(stream.pointee.avail_in)
      let given = unsafe room - Int(stream.pointee.avail_out)
      position += taken
      count += given
      switch code {
      case Z_STREAM_END:
        // Another member may follow; anything else behind the last one is padding.
        guard unsafe data.count - position > 2, unsafe data[position] == 0x1F,
          unsafe data[position + 1] == 0x8B
        else { return }
        unsafe inflateReset(stream)
      case Z_OK where taken + given > 0: continue
      case Z_BUF_ERROR where count == capacity: continue
      case Z_OK, Z_BUF_ERROR:
        end = .cut
        return
      case Z_MEM_ERROR: throw ImportError(.noMemory(byteCount: capacity), at: position)
      default:
        end = .damaged
        return
      }
    }
  }

  private mutating func grow() throws(ImportError) {
    guard capacity < limit else {
      // The data may end exactly here; one byte more than the limit is too many.
      throw ImportError(.tooLarge(limit: limit), at: position)
    }
    let greater = min(capacity > limit / 2 ? limit : capacity * 2, limit)
    guard let memory = unsafe realloc(output, greater + PaddedBytes.padding) else {
      throw ImportError(.noMemory(byteCount: greater), at: position)
    }
    unsafe output = memory
    capacity = greater
  }
}
