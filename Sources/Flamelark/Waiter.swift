internal import CFlamelark

/// A thread that waits, on its stack, until another one wakes it.
struct Waiter {
  /// The one that came after it.
  fileprivate var next: Place?
  private var isWoken: UInt32 = 0
  private var ender = Ender()

  /// Where a waiter is, while it waits.
  @safe struct Place: @unchecked Sendable {
    // Unchecked: it is there until it is woken, which one thread does, once.
    fileprivate let waiter: UnsafeMutablePointer<Waiter>

    /// Lets it go on. Nothing of it may be touched afterwards.
    func wake(by ender: Ender) {
      unsafe waiter.pointee.ender = ender
      unsafe fl_unpark(&waiter.pointee.isWoken)
    }

    /// Waits on the waiter's thread until somebody wakes it.
    ///
    /// - Returns: Who that was.
    func park() -> Ender {
      unsafe fl_park(&waiter.pointee.isWoken)
      return unsafe waiter.pointee.ender
    }
  }

  /// Runs `body` with a waiter that another thread may be told of.
  static func with<Result: ~Copyable, Failure: Error>(
    _ body: (Place) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var waiter = Waiter()
    return try unsafe withUnsafeMutablePointer(to: &waiter) { place throws(Failure) in
      try unsafe body(Place(waiter: place))
    }
  }
}

/// Threads that wait in a line. Not thread-safe.
struct WaitLine {
  private var first: Waiter.Place?
  private var last: Waiter.Place?

  mutating func add(_ waiter: Waiter.Place) {
    if let last { unsafe last.waiter.pointee.next = waiter } else { first = waiter }
    last = waiter
  }

  /// Takes out the one that has waited longest.
  mutating func removeFirst() -> Waiter.Place? {
    guard let first else { return nil }
    self.first = unsafe first.waiter.pointee.next
    if self.first == nil { last = nil }
    return first
  }
}
