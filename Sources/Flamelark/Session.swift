internal import CFlamelark
internal import FlamelarkFormat

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// One recording: its two files and what was decided when it began.
@safe final class Session: @unchecked Sendable {
  // Unchecked: `definitions` and the variables under the recorder's lock; the rest never changes.
  let path: String
  let number: Int
  let clock: FileHeader.Clock
  private(set) var maximumDepth: Int
  private(set) var minimumTicks: UInt64
  /// The path that was asked for, and how.
  let asked: String
  private(set) var options: Recording.Options
  private let ticksPerSecond: UInt64
  let file: TraceFile
  let live: LiveFile
  let definitions: Definitions
  /// The first error of writing, after which nothing more is recorded.
  var failure: CInt = 0
  /// The trace has the size that it may have.
  var isFilled = false
  /// The file before this one of a recording that goes round.
  var previousPath: String?
  /// Why it could not go on in another file, and ended.
  var rotationError: RecordingError?
  /// The first of those files.
  var firstPath: String
  /// Slots of threads that have ended, to be written.
  var retired = RetiredSlots()

  /// Makes both files and writes their headers.
  init(path asked: String, number: Int, options: Recording.Options) throws(RecordingError) {
    let usesCounter = options.usesProcessorCounter && fl_counter_is_reliable()
    fl_use_counter(usesCounter)
    clock = usesCounter ? .timeStampCounter : .monotonicNanoseconds
    let start = TickClock.anchorWithRealtime()
    let ticksPerSecond = usesCounter ? TickClock.ticksPerSecond(since: start) : 1_000_000_000
    let nanoseconds = options.minimumDuration.wholeNanoseconds

    let files = try NewFiles(path: asked)
    let header = FileHeader(
      kind: .trace, recordingID: .random(), processID: UInt32(getpid()), clock: clock,
      start: start, ticksPerSecond: ticksPerSecond, bootID: .ofThisBoot(),
      maximumDepth: UInt32(options.maximumDepth), minimumDuration: nanoseconds)
    do throws(RecordingError) {
      let file = try TraceFile(path: files.path, file: files.trace, header: header)
      let live = try LiveFile(path: files.livePath, file: files.live, header: header)
      guard let slot = unsafe live.takeSlot(threadKey: 0) else {
        throw RecordingError(.cannotCreateFile, path: files.livePath, errno: live.failure)
      }
      self.file = file
      self.live = live
      definitions = unsafe Definitions(slot: slot, file: file)
    } catch {
      files.remove()
      throw error
    }
    path = files.path
    firstPath = files.path
    self.number = number
    maximumDepth = options.maximumDepth
    self.asked = asked
    self.options = options
    self.ticksPerSecond = ticksPerSecond
    minimumTicks = 0
    minimumTicks = ticks(of: options.minimumDuration)
    definitions.add(anchor: start)
  }
}

extension Session {
  /// Whether it is the recording that began with a file.
  func belongs(to path: String?) -> Bool { path == self.path || path == firstPath }

  /// Whether the trace has the size that it may have.
  var isFull: Bool { options.maximumSize.map { file.byteCount >= $0 } ?? false }

  /// Changes what is left out, and tells it in the trace.
  func changeFilter(maximumDepth: Int?, minimumDuration: Duration?) {
    if let maximumDepth { options.maximumDepth = maximumDepth }
    if let minimumDuration { options.minimumDuration = minimumDuration }
    self.maximumDepth = options.maximumDepth
    minimumTicks = ticks(of: options.minimumDuration)
    let minimum = options.minimumDuration.wholeNanoseconds
    definitions.add(
      filterAt: fl_tick(), maximumDepth: UInt32(self.maximumDepth), minimumDuration: minimum)
  }

  private func ticks(of duration: Duration) -> UInt64 {
    UInt64(Double(duration.wholeNanoseconds) * (Double(ticksPerSecond) / 1_000_000_000))
  }
}

extension Duration {
  /// In nanoseconds, the rest cut off; not negative.
  fileprivate var wholeNanoseconds: UInt64 {
    let parts = components
    return UInt64(parts.seconds) * 1_000_000_000 + UInt64(parts.attoseconds / 1_000_000_000)
  }
}

extension Identifier128 {
  fileprivate static func random() -> Self {
    Self(low: .random(in: 0...UInt64.max), high: .random(in: 0...UInt64.max))
  }

  /// The system's name of this boot, 0 where it has none.
  fileprivate static func ofThisBoot() -> Self {
    var digits = SystemFile.text("/proc/sys/kernel/random/boot_id").utf8
      .filter { $0 != UInt8(ascii: "-") }.prefix(32).map { String(UnicodeScalar($0)) }.joined()
    guard digits.utf8.count == 32 else { return Self(low: 0, high: 0) }
    let low = digits.suffix(16)
    digits.removeLast(16)
    return Self(low: UInt64(low, radix: 16) ?? 0, high: UInt64(digits, radix: 16) ?? 0)
  }
}
