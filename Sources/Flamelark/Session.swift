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
  let processID = UInt32(getpid())
  let clock: FileHeader.Clock
  private(set) var filters: Filters
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
  /// The code that the trace tells of.
  var toldModules: Set<LoadedModules.Module> = []
  /// Slots of threads that have ended, to be written.
  var retired = RetiredSlots()
  /// Writes full slots; nil: the threads that fill them do.
  let handOver: HandOver?

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
      kind: .trace, recordingID: .random(), processID: processID, clock: clock,
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
    self.asked = asked
    self.options = options
    self.ticksPerSecond = ticksPerSecond
    filters = Filters(options, ticksPerSecond: ticksPerSecond, following: nil)
    // Where there is no thread to be had, it goes as it goes without.
    handOver = options.handsOverFullBuffers ? HandOver(file: file) : nil
    definitions.add(anchor: start)
  }
}

extension Session {
  /// Whether it is the recording that began with a file.
  func belongs(to path: String?) -> Bool { path == self.path || path == firstPath }

  /// Whether the trace has the size that it may have.
  var isFull: Bool { options.maximumSize.map { file.byteCount >= $0 } ?? false }

  /// How many slots a thread needs.
  var slotsPerThread: Int { handOver == nil ? 1 : 3 }

  /// Changes what is left out. What call sites are left out by has to be decided anew.
  func changeFilters(to options: Recording.Options) {
    self.options = options
    filters = Filters(options, ticksPerSecond: ticksPerSecond, following: filters.rules)
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
