import Flamelark
import Foundation
import Synchronization

/// Files that can't be written, or are not there any more.
extension RecorderProbe {
  static var disk: [String: Scenario] {
    [
      "limit-at-start": limitedAtStart,
      "limit": limited,
      "limit-threads": limitedThreads,
      "limit-live": limitedLiveFile,
      "limit-names": limitedNames,
      "limit-exit": limitedUntilExit,
      "limit-signal": limitedWithHandler,
      "limit-rotate": limitedRotation,
      "remove": removedFiles,
      "close-all": closedDescriptors,
      "read-only": readOnlyFolder,
      "read-only-later": folderReadOnlyLater,
      "full-disk": fullDisk,
    ]
  }

  /// No file of this process may be longer than so many bytes.
  private static func limitFiles(to byteCount: Int) {
    var limit = rlimit()
    unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = rlim_t(byteCount)
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
      exit(65)
    }
  }

  private static func stop(_ recording: Recording) {
    do { try recording.stop() } catch { print("error \(error)") }
  }

  static func limitedAtStart(_ path: String) {
    limitFiles(to: number("LIMIT"))
    do {
      _ = try Recording.start(writingTo: path)
      exit(66)
    } catch {
      print("error \(error)")
    }
    var work = Workload()
    work.run(passes: 1000)
    work.report()
  }

  static func limited(_ path: String) throws {
    let recording = try Recording.start(
      writingTo: path, options: .init(minimumDuration: .nanoseconds(number("MINIMUM"))))
    limitFiles(to: number("LIMIT"))
    var work = Workload()
    work.span("outer") { $0.run(passes: 10_000) }
    // Space comes back before the end, which must not mix what is written with what was cut off.
    if number("LIFTED") == 1 { limitFiles(to: 1 << 30) }
    stop(recording)
    work.report()
  }

  static func limitedThreads(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    limitFiles(to: number("LIMIT"))
    let all = Mutex(Workload())
    run(threads: 4) { _ in
      var work = Workload()
      work.span("outer") { $0.run(passes: 10_000) }
      all.withLock { $0.add(work) }
    }
    stop(recording)
    all.withLock { $0.report() }
  }

  /// More threads at once than have space in the live file as it is.
  static func limitedLiveFile(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path + ".live")
    limitFiles(to: attributes[.size] as? Int ?? 0)
    let all = Mutex(Workload())
    let begun = Atomic(0)
    run(threads: 20) { _ in
      var work = Workload()
      work.run(passes: 1)
      begun.add(1, ordering: .relaxed)
      while begun.load(ordering: .relaxed) < 20 { usleep(100) }
      work.run(passes: 9)
      all.withLock { $0.add(work) }
      // Nobody takes the slot of one that has ended.
      begun.add(1, ordering: .relaxed)
      while begun.load(ordering: .relaxed) < 40 { usleep(100) }
    }
    stop(recording)
    all.withLock { $0.report() }
  }

  /// Names alone fill the file.
  static func limitedNames(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    limitFiles(to: number("LIMIT"))
    for number in 0..<3000 where Recording.isActive {
      Recording.nameThread("thread number \(number) of the names that no file has room for")
      withSpan("named") {}
    }
    print("active \(Recording.isActive)")
    stop(recording)
  }

  static func limitedUntilExit(_ path: String) throws {
    _ = try Recording.start(writingTo: path)
    limitFiles(to: 4096)
    var work = Workload()
    work.run(passes: 10_000)
    work.report()
  }

  private static let signals = Atomic(0)

  /// The program has plans of its own for the signal of a file that is too long.
  static func limitedWithHandler(_ path: String) throws {
    signal(SIGXFSZ) { _ in RecorderProbe.signals.add(1, ordering: .relaxed) }
    let recording = try Recording.start(writingTo: path)
    limitFiles(to: 4096)
    var work = Workload()
    work.run(passes: 10_000)
    stop(recording)
    print("signals \(signals.load(ordering: .relaxed))")
    let file = unsafe open(path + ".own", O_RDWR | O_CREAT, 0o644)
    unsafe pwrite(file, "x", 1, 4096)
    print("signals \(signals.load(ordering: .relaxed))")
  }

  /// Each next file has a place; but for the one that has not.
  static func limitedRotation(_ path: String) throws {
    let recording = try Recording.start(
      writingTo: path, options: .init(maximumSize: 200_000, whenFull: .rotate))
    var work = Workload()
    work.run(passes: 10_000)
    limitFiles(to: 400_000)
    work.run(passes: 10_000)
    stop(recording)
    work.report()
  }

  /// Files or folder go while they are written.
  static func removedFiles(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    var work = Workload()
    work.run(passes: 10_000)
    switch ProcessInfo.processInfo.environment["REMOVED"] {
    case "trace": try FileManager.default.removeItem(atPath: path)
    case "live": try FileManager.default.removeItem(atPath: path + ".live")
    case "folder":
      try FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
    default: exit(64)
    }
    work.run(passes: 10_000)
    print("active \(Recording.isActive)")
    stop(recording)
    work.report()
  }

  /// As daemons do: everything is closed, and the numbers go to files of the program.
  static func closedDescriptors(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    var work = Workload()
    work.run(passes: 1000)
    for descriptor in 3..<64 as Range<CInt> { close(descriptor) }
    let own = path + ".own"
    let files = (0..<8).map { _ in unsafe open(own, O_RDWR | O_CREAT, 0o644) }
    unsafe write(files[0], "mine", 4)
    work.run(passes: 20_000)
    let threads = Mutex(Workload())
    // More threads than the live file has slots: it would have to grow.
    run(threads: 20) { _ in
      var work = Workload()
      work.run(passes: 1)
      threads.withLock { $0.add(work) }
    }
    stop(recording)
    threads.withLock { work.add($0) }
    work.report()
    print("open \(files.filter { fcntl($0, F_GETFD) >= 0 }.count)")
  }

  /// A folder in which this process, root or not, may create nothing.
  private static func makeReadOnly(_ folder: String) {
    guard unsafe chmod(folder, 0o555) == 0 else { exit(65) }
    if getuid() == 0, setuid(65_534) != 0 { exit(65) }
  }

  static func readOnlyFolder(_ path: String) {
    makeReadOnly((path as NSString).deletingLastPathComponent)
    do {
      _ = try Recording.start(writingTo: path)
      exit(66)
    } catch {
      print("error \(error)")
    }
    var work = Workload()
    work.run(passes: 1000)
    work.report()
  }

  static func folderReadOnlyLater(_ path: String) throws {
    let recording = try Recording.start(writingTo: path)
    var work = Workload()
    work.run(passes: 10_000)
    makeReadOnly((path as NSString).deletingLastPathComponent)
    work.run(passes: 10_000)
    stop(recording)
    work.report()
  }

  /// On a disk of its own, which has LEFT bytes left when the recording starts and is filled up
  /// after that. What is left of it is copied to where the test can see it.
  static func fullDisk(_ path: String) throws {
    let disk = (path as NSString).deletingLastPathComponent + "/disk"
    guard SmallDisk.mount(at: disk, byteCount: 4 << 20) else { exit(77) }
    SmallDisk.fill(disk + "/filler", leaving: number("LEFT"), of: disk)
    var work = Workload()
    do {
      let recording = try Recording.start(writingTo: disk + "/t.lark")
      SmallDisk.fill(disk + "/more", leaving: 0, of: disk)
      let all = Mutex(Workload())
      // Every slot of the live file is written to its end.
      run(threads: 15) { _ in
        var work = Workload()
        work.span("outer") { $0.run(passes: 2000) }
        all.withLock { $0.add(work) }
      }
      stop(recording)
      all.withLock { work.add($0) }
    } catch {
      print("error \(error)")
      work.run(passes: 1000)
    }
    work.report()
    for name in ["t.lark", "t.lark.live"]
    where FileManager.default.fileExists(atPath: "\(disk)/\(name)") {
      let folder = (path as NSString).deletingLastPathComponent
      try FileManager.default.copyItem(atPath: "\(disk)/\(name)", toPath: "\(folder)/\(name)")
    }
  }

  /// Runs `body` in so many threads, and waits for them.
  static func run(threads count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let threads = (0..<count).map { number in SystemThread { body(number) } }
    for thread in threads { thread.join() }
  }
}
