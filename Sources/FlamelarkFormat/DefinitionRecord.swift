/// The records of a definitions chunk: what the ids in the events mean.
///
///     0  4  bytes of the record, a multiple of 8, at least 8; written last
///     4  2  kind
///     6  2  0
///     8     as the kind says
package enum DefinitionRecord {
  package static let headerByteCount = 8

  package enum Kind: UInt16, Sendable {
    /// id (4), bytes (4), UTF-8
    case string = 1
    /// id (4), name: string (4), file: string (4), line (4), category: string (4, 0: none)
    case callSite = 2
    /// key (4), system's id (4), name: string (4), 0 (4), start tick (8)
    case thread = 3
    /// key (4), name: string (4)
    case threadName = 4
    /// key (4), 1 if it has ended (4), tick (8), then the five counts of its slot (8 each)
    case threadCounts = 5
    /// id (4), name: string (4), refresh interval in ns (8), 0: not known
    case series = 6
    /// name: string (4), value: string (4)
    case property = 7
    /// tick (8), CLOCK_MONOTONIC ns (8), CLOCK_REALTIME ns (8)
    case anchor = 8
    /// reason (4), errno (4), count (8), tick (8)
    case loss = 9
    /// The recording was stopped, in order. tick (8)
    case end = 10
    /// What is left out changed. tick (8), greatest depth (4), 0 (4), least duration in ns (8)
    case filter = 11
    /// The program was killed; `flamelark recover` wrote what it left. tick of the last event (8)
    case recovered = 12
    /// What spans of a name or a category are left out by, beside what holds for all. Those behind a
    /// `filter` replace those before it. tick (8), 1 name or 2 category (4), its text: string (4),
    /// greatest depth (4, 2^32−1: as others), 0 (4), least duration in ns (8, 2^64−1: as others)
    case filterOfSome = 13
    /// A part of the program's code. 14 was for tracks and never written. base: what is added to the
    /// addresses in its file (8), bytes from there to its end (8), tick at which it was seen (8),
    /// path: string (4), build-id in hexadecimal digits: string (4, 0: none)
    case module = 15
    /// A span around `await` that had not ended. start tick (8), task (8), call site (4)
    case openTaskSpan = 16
  }

  /// What was lost, and why. 3 was for call sites without an id and never written: there are 2^31.
  package enum LossReason: UInt32, Sendable {
    /// A file could not be written, and the recording ended. count: 0; the threads count their
    /// records
    case writeFailed = 1
    /// No slot could be made for a thread. count: threads; they count their records
    case noSlot = 2
    /// The trace had the size that it may have. count: 0, since nothing was recorded from then on
    case sizeLimit = 4
    /// A signal handler met the recorder at work on its thread. count: spans and others
    case signalHandler = 5
    /// There was no room for definitions. count: definitions
    case definitions = 6
    /// Spans around `await` had not ended, and there was no room to remember them. count: spans
    case openTaskSpans = 7
  }

  /// The bytes of a record around `body`, padded.
  package static func encoded(_ kind: Kind, _ body: [UInt8]) -> [UInt8] {
    let count = (headerByteCount + body.count + 7) / 8 * 8
    var bytes = [UInt8]()
    bytes.reserveCapacity(count)
    bytes.append(integer: UInt32(count))
    bytes.append(integer: kind.rawValue)
    bytes.append(integer: UInt16(0))
    bytes.append(contentsOf: body)
    bytes.append(contentsOf: repeatElement(0, count: count - bytes.count))
    return bytes
  }
}

extension [UInt8] {
  /// Appends an integer, little end first.
  @inlinable
  package mutating func append<T: FixedWidthInteger>(integer value: T) {
    for byte in 0..<T.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: value >> T(byte * 8)))
    }
  }
}
