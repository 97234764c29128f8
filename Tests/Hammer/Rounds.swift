import Flamelark
import FlamelarkTrace
import Glibc
import _FlamelarkTestSupport

/// Recordings one after the other, started and stopped while threads record.
struct Rounds {
  /// What a round records with.
  static let kinds: [(name: String, options: Recording.Options)] = [
    ("everything", .init()),
    ("folding", .init(minimumDuration: .microseconds(20))),
    ("shallow", .init(maximumDepth: 3, minimumDuration: .microseconds(2))),
    ("rotating", .init(maximumSize: 300_000, whenFull: .rotate)),
    ("full", .init(maximumSize: 300_000, whenFull: .stop)),
    ("handing over", .init(handsOverFullBuffers: true)),
    (
      "filtering",
      .init(filters: [
        .name("leaf", deeperThan: 4), .category("depth", shorterThan: .milliseconds(1)),
      ])
    ),
  ]

  private let folder: String
  private var random: SeededGenerator
  private var spans = Array(repeating: 0, count: kinds.count)
  private(set) var count = 0

  init(seed: UInt64, folder: String) {
    random = SeededGenerator(seed: seed)
    self.folder = folder
  }

  /// How many spans each kind brought.
  var summary: String {
    let parts = zip(Self.kinds, spans).map { "\($0.name) \($1)" }
    return "\(count) recordings; spans: \(parts.joined(separator: ", "))"
  }

  mutating func runOne() throws {
    let kind = count % Self.kinds.count
    count += 1
    let recording = try Recording.start(
      writingTo: "\(folder)/\(count).lark", options: Self.kinds[kind].options)
    try disturb(recording)
    let other = Bool.random(using: &random) ? Thread { try? recording.stop() } : nil
    try recording.stop()
    other?.join()
    try read(kind)
  }

  /// What comes from other threads than those that record: short threads, changes of what is left
  /// out, a second start.
  private mutating func disturb(_ recording: Recording) throws {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let seed = random.next()
      let threads = (0..<Int.random(in: 0...4, using: &random)).map { number in
        Thread {
          var random = SeededGenerator(seed: seed &+ UInt64(number))
          Worker.record(depth: 3, &random)
          // Its thread ends with it open, or it ends on another.
          if number == 0 { Worker.handedOver.put(beginSpan("left open")) }
        }
      }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: try recording.leaveOut(deeperThan: Int.random(in: 1...9, using: &random))
      case 1:
        try recording.leaveOut(shorterThan: .microseconds(Int.random(in: 0...30, using: &random)))
      case 2: try recording.leaveOut(filters: [.name("deep", shorterThan: .microseconds(5))])
      default:
        if (try? Recording.start(writingTo: "\(folder)/second.lark")) != nil {
          fatalError("two recordings at once")
        }
      }
      usleep(UInt32.random(in: 1_000...8_000, using: &random))
      threads.forEach { $0.join() }
    }
  }

  /// Reads what was written, which removes the files. A trace that is not what a trace must be ends
  /// the program.
  private mutating func read(_ kind: Int) throws {
    for path in files() {
      let trace = try Trace(contentsOf: path)
      try trace.checkInvariants()
      for issue in trace.issues where !Self.isExpected(issue, in: kind) {
        fatalError("\(Self.kinds[kind].name): \(issue.text), \(issue.count)")
      }
      spans[kind] += trace.spans.count
      _ = unsafe unlink(path)
    }
  }

  /// Threads hold spans open from one recording to the next, and end some of another thread's when
  /// it is over, which are lost, as values of a task's are; a full trace says that it is.
  private static func isExpected(_ issue: Trace.Issue, in kind: Int) -> Bool {
    issue.text.hasPrefix("spans that began before the recording")
      || issue.text.hasPrefix("records lost because they could not be written")
      || issue.text.hasPrefix("values of spans that are missing")
      || issue.text.hasPrefix("recordings that ended at the size")
        && kinds[kind].options.maximumSize != nil
  }

  private func files() -> [String] {
    guard let directory = unsafe opendir(folder) else { fatalError("can't read \(folder)") }
    defer { unsafe closedir(directory) }
    var result: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name.hasSuffix(".lark") { result.append("\(folder)/\(name)") }
    }
    return result
  }
}
