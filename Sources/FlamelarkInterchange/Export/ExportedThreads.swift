internal import FlamelarkTrace

/// The process and thread numbers that rows get in an export: whole numbers from 1 to 2³¹ − 1, no
/// thread number twice in the file.
///
/// Numbers that fit stay. Lanes, what another device did, and threads whose number another row has,
/// get one above all others, so that the main thread keeps the least and is shown first. Rows of
/// tasks are no threads: those of a process share one number, for where it isn't known on which
/// thread something was.
struct ExportedThreads {
  struct Row {
    var process: Int64
    var thread: Int64
  }

  private(set) var rows: [Row] = []

  private static let usable: ClosedRange<Int64> = 1...Int64(Int32.max)

  init(of tracks: [Trace.Track]) {
    var processes: [Int64: Int64] = [:]
    var spareProcesses = Spare(used: Set(tracks.map(\.processID).filter(Self.usable.contains)))
    var usedThreads = Set<Int64>()
    var rowsWithoutThread: [Int] = []
    for (index, track) in tracks.enumerated() {
      let process: Int64
      if let known = processes[track.processID] {
        process = known
      } else {
        process =
          Self.usable.contains(track.processID)
          ? track.processID : spareProcesses.next()
        processes[track.processID] = process
      }
      rows.append(Row(process: process, thread: track.threadID))
      if track.kind != .thread || !Self.usable.contains(track.threadID)
        || !usedThreads.insert(track.threadID).inserted
      {
        rowsWithoutThread.append(index)
      }
    }
    var next = (usedThreads.max() ?? 0) + 1
    var spareThreads = Spare(used: usedThreads)
    func spareThread() -> Int64 {
      guard Self.usable.contains(next) else { return spareThreads.next() }
      defer { next += 1 }
      spareThreads.used.insert(next)
      return next
    }
    var threadsOfTasks: [Int64: Int64] = [:]
    for index in rowsWithoutThread {
      if tracks[index].kind == .task {
        let process = rows[index].process
        let thread = threadsOfTasks[process] ?? spareThread()
        threadsOfTasks[process] = thread
        rows[index].thread = thread
      } else {
        rows[index].thread = spareThread()
      }
    }
  }

  /// Numbers from 1 that are not in use.
  private struct Spare {
    var used: Set<Int64>
    private var last: Int64 = 0

    init(used: Set<Int64>) { self.used = used }

    mutating func next() -> Int64 {
      repeat { last += 1 } while !used.insert(last).inserted
      return last
    }
  }
}
