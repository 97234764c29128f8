/// A process or thread as a file names it: a number, a text that is none, or nothing.
///
/// A number and a string of the same digits are equal.
struct Identity: Hashable {
  enum Kind: UInt8 {
    case missing, number, text
    /// No thread: what is asynchronous under one id.
    case async
  }

  var kind = Kind.missing
  /// The number, the id of the text in the ``RawNameTable``, or that of an ``AsyncKey``.
  var value: Int64 = 0

  static let missing = Identity()
  static func number(_ value: Int64) -> Identity { Identity(kind: .number, value: value) }
  static func text(_ name: UInt32) -> Identity { Identity(kind: .text, value: Int64(name)) }
  static func async(_ key: Int) -> Identity { Identity(kind: .async, value: Int64(key)) }
}

/// The threads of a file, each with a small number.
struct ThreadTable {
  struct Key: Hashable {
    var process: Identity
    var thread: Identity
  }

  private(set) var keys: [Key] = []
  private var indices: [Key: UInt32] = [:]
  /// What was found lately: events of a few threads alternate.
  private var recent = [UInt32](repeating: .max, count: 64)

  /// The number of a thread, new if it has none.
  @inline(__always) mutating func index(of key: Key) -> UInt32 {
    let slot = Int(truncatingIfNeeded: key.thread.value &* 31 &+ key.process.value) & 63
    let guess = recent[slot]
    if guess != .max, keys[Int(guess)] == key { return guess }
    return find(key, slot)
  }

  @inline(never) private mutating func find(_ key: Key, _ slot: Int) -> UInt32 {
    let index: UInt32
    if let known = indices[key] {
      index = known
    } else {
      index = UInt32(keys.count)
      keys.append(key)
      indices[key] = index
    }
    recent[slot] = index
    return index
  }

  /// What becomes of each key: events without a thread belong to the thread that is called like
  /// the process, events without a process to the only process there is, else to process 0.
  func resolved() -> (keys: [Key], mapping: [UInt32]) {
    let processes = Set(keys.map(\.process).filter { $0.kind != .missing })
    let only = processes.count == 1 ? processes.first : nil
    var table = ThreadTable()
    let mapping = keys.map { key -> UInt32 in
      var key = key
      if key.process.kind == .missing { key.process = only ?? .number(0) }
      if key.thread.kind == .missing { key.thread = key.process }
      return table.index(of: key)
    }
    return (table.keys, mapping)
  }
}
