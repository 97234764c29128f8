/// What tells asynchronous events that belong together from others.
struct AsyncKey: Hashable {
  /// nil where an id counts for all processes.
  var process: Identity?
  var category: UInt32
  /// Its name where it has no id, or where events of other names are others.
  var name: UInt32
  var id: UInt32
  var scope: UInt32
}

/// The asynchronous events of a file, by what belongs together.
struct AsyncTable {
  /// What is said of the events of one key.
  struct Entry {
    /// The process of the first event.
    var process: Identity
    var id: UInt32
    /// The name of their row, if our own export wrote them.
    var rowName: Range<Int>?
    /// What the run-time calls the task.
    var task: UInt64?
  }

  private(set) var keys: [AsyncKey: Int] = [:]
  var entries: [Entry] = []
  /// The threads of asynchronous events, in the order of the events.
  private(set) var threads: [(event: UInt32, thread: UInt32)] = []

  /// The number of a key, new if it has none.
  mutating func index(of key: AsyncKey, process: Identity) -> Int {
    if let known = keys[key] { return known }
    keys[key] = entries.count
    entries.append(Entry(process: process, id: key.id))
    return entries.count - 1
  }

  /// Keeps on which thread an event happened.
  mutating func note(thread: UInt32, ofEvent event: Int) {
    threads.append((UInt32(event), thread))
  }

  /// On which thread an asynchronous event happened.
  func thread(ofEvent event: UInt32) -> UInt32? {
    var (low, high) = (0, threads.count)
    while low < high {
      let middle = (low + high) / 2
      if threads[middle].event < event { low = middle + 1 } else { high = middle }
    }
    return low < threads.count && threads[low].event == event ? threads[low].thread : nil
  }
}

/// One end of a flow.
struct ScannedFlow {
  enum Phase: UInt8 { case begin, step, end }

  /// What tells one flow from another.
  struct Key: Hashable {
    var category: UInt32
    var name: UInt32
    var id: UInt32
    /// nil where an id counts for all processes.
    var process: Identity?
  }

  var time: Int64
  var key: Key
  var thread: UInt32
  var phase: Phase
  /// The id of the row on which the wait is that ends here, in an export of ours.
  var row = RawNameTable.none
}
