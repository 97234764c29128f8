import CLimit
import Flamelark

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What recording costs beyond a warm buffer: whole recordings, threads, threads that are new.
enum Sustained {
  /// CPU time of spans that go to a file of 96 MB, start and stop included, to that of the limit.
  ///
  /// Of the first recording nothing is judged: on a virtual machine the first touch of memory costs
  /// more than everything else. The median of seven rounds, each with its own limit.
  static func toFile(_ path: String) throws -> Double {
    let count = 6_000_000
    var ratios: [Double] = []
    for round in 0...7 {
      let start = thread_nanoseconds()
      SpanCost.limitLoop(count)
      let middle = thread_nanoseconds()
      let recording = try Recording.start(writingTo: path)
      measuredRun(.loop, count)
      try recording.stop()
      let end = thread_nanoseconds()
      unlink(recording.path)
      if round > 0 { ratios.append(Double(end - middle) / Double(middle - start)) }
    }
    return ratios.sorted()[ratios.count / 2]
  }

  /// The quickest that a thread records spans while another does, to the quickest while none does.
  static func twoThreads(_ path: String) throws -> Double {
    let recording = try Recording.start(writingTo: path)
    let alone = Spanners.run(threads: 1)
    let together = Spanners.run(threads: 2)
    try recording.stop()
    unlink(recording.path)
    return together / alone
  }

  /// Microseconds by which a new thread's first span lengthens the thread's life: the quickest
  /// twentieth of 2,000 threads with a span less those of 2,000 without.
  static func firstSpan(_ path: String) throws -> Double {
    let recording = try Recording.start(writingTo: path)
    var (plain, withSpan): ([Double], [Double]) = ([], [])
    for _ in 0..<2000 {
      plain.append(threadLife { _ in nil })
      withSpan.append(
        threadLife { _ in
          alone()
          return nil
        })
    }
    try recording.stop()
    unlink(recording.path)
    plain.sort()
    withSpan.sort()
    return (withSpan[100] - plain[100]) / 1000
  }

  /// Nanoseconds from the making of a thread to its end.
  private static func threadLife(
    _ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  ) -> Double {
    var thread = pthread_t()
    let start = limit_nanoseconds()
    pthread_create(&thread, nil, body, nil)
    pthread_join(thread, nil)
    return Double(limit_nanoseconds() - start)
  }
}

/// Threads that record spans at the same time and tell how quickly.
enum Spanners {
  /// CPU nanoseconds a span, the mean of the threads' quickest twentieths.
  static func run(threads: Int) -> Double {
    let results = UnsafeMutablePointer<Double>.allocate(capacity: threads)
    defer { results.deallocate() }
    var handles: [pthread_t] = []
    for index in 0..<threads {
      var thread = pthread_t()
      pthread_create(&thread, nil, spanner, results + index)
      handles.append(thread)
    }
    for handle in handles { pthread_join(handle, nil) }
    return (0..<threads).reduce(0) { $0 + results[$1] } / Double(threads)
  }

  private static let spanner:
    @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { place in
      place?.storeBytes(of: measure(), as: Double.self)
      return nil
    }

  private static func measure() -> Double {
    var turns: [Double] = []
    let count = 2000
    for _ in 0..<2001 {
      let start = thread_nanoseconds()
      measuredRun(.loop, count)
      turns.append(Double(thread_nanoseconds() - start) / Double(count))
    }
    turns.sort()
    return turns[turns.count / 20]
  }
}
