import Synchronization

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What a program that will be killed counts of itself, in memory that it shares with whoever kills
/// it. The recorder knows nothing of it.
public struct Ledger: @unchecked Sendable {
  // Unchecked: an entry is written by one thread, and read by another process when that is gone.
  private let memory: UnsafeMutableRawPointer
  /// How many threads find a place.
  public static let threadCount = 16_383
  private static let entryCount = threadCount + 1

  /// Maps a file, and makes it if it isn't there. nil if that can't be done.
  public init?(path: String) {
    let byteCount = Self.entryCount * Entry.byteCount
    let descriptor = open(path, O_RDWR | O_CREAT, 0o644)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard ftruncate(descriptor, off_t(byteCount)) == 0,
      let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      memory != MAP_FAILED
    else { return nil }
    self.memory = memory
  }

  /// Gives the memory back. No entry may be used from then on.
  public func unmap() { munmap(memory, Self.entryCount * Entry.byteCount) }

  /// Says how far stopping is: `open` while it runs.
  public var stop: Entry { self[Self.threadCount] }

  /// The place of a thread.
  public subscript(index: Int) -> Entry { Entry(memory: memory + index * Entry.byteCount) }
}

/// One thread's place: what it counted after each of its spans.
public struct Entry: @unchecked Sendable {
  // Unchecked: as the ledger.
  fileprivate let memory: UnsafeMutableRawPointer
  fileprivate static let byteCount = 64

  /// How far a thread is.
  public enum State: UInt64, Sendable {
    /// It is none, or has not begun its outermost span.
    case none
    /// Its outermost span is open.
    case open
    /// Its outermost span has ended and is counted.
    case ended
  }

  private func word(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    (memory + index * 8).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// How far the thread is.
  public var state: State {
    get { State(rawValue: word(0).pointee.load(ordering: .acquiring)) ?? .none }
    nonmutating set { word(0).pointee.store(newValue.rawValue, ordering: .releasing) }
  }

  /// How many spans have ended.
  public var count: UInt64 {
    get { word(1).pointee.load(ordering: .acquiring) }
    nonmutating set { word(1).pointee.store(newValue, ordering: .releasing) }
  }

  /// Nanoseconds that were spent inside of spans: they took at least that.
  public var inside: UInt64 {
    get { word(2).pointee.load(ordering: .acquiring) }
    nonmutating set { word(2).pointee.store(newValue, ordering: .releasing) }
  }

  /// Nanoseconds that passed around spans: they took at most that.
  public var around: UInt64 {
    get { word(3).pointee.load(ordering: .acquiring) }
    nonmutating set { word(3).pointee.store(newValue, ordering: .releasing) }
  }

  /// When the span that is not yet counted began at the earliest, CLOCK_MONOTONIC in nanoseconds.
  public var lastBegin: UInt64 {
    get { word(4).pointee.load(ordering: .acquiring) }
    nonmutating set { word(4).pointee.store(newValue, ordering: .releasing) }
  }
}
