import CWork
import Synchronization

// What Spans has with spans, written without them.

public struct TooLarge: Error {}

/// What a program holds: a noncopyable value of its own.
public struct Ticket: ~Copyable {
  public let number: Int
}

// MARK: - Spans

@inline(never) public func returnsAValue(_ amount: Int) -> Int {
  work(amount, 10)
}

@inline(never) public func nests(_ amount: Int) -> Int {
  let first = work(amount, 20)
  return work(first, 21) + 1
}

// A closure changes the sum, and for such a loop this compiler chooses other registers than without:
// these are as many instructions, and those of a closure that is called where it stands.
@inline(never) public func sumsInALoop(_ amounts: [Int]) -> Int {
  var sum = 0
  for amount in amounts {
    ({ sum &+= work(amount, 30) })()
  }
  return sum
}

@inline(never) public func countsInALoop(_ amounts: [Int]) {
  for amount in amounts {
    _ = work(amount, 35)
  }
}

@inline(never) public func changesItsArgument(_ amount: inout Int) {
  amount = work(amount, 40)
}

@inline(never) public func throwsAnything(_ amount: Int) throws -> Int {
  guard amount < 100 else { throw TooLarge() }
  return work(amount, 50)
}

@inline(never) public func throwsItsType(_ amount: Int) throws(TooLarge) -> Int {
  guard amount < 100 else { throw TooLarge() }
  return work(amount, 60)
}

@inline(never) public func returnsEarly(_ amount: Int) -> Int? {
  for candidate in 0..<amount where work(candidate, 70) == amount { return candidate }
  return nil
}

@inline(never) public func makesATicket(_ amount: Int) -> Ticket {
  Ticket(number: work(amount, 80))
}

@inline(never) public func isGeneric<Value: Comparable>(_ values: [Value]) -> Value? {
  values.max()
}

@inline(never) public func makesText(_ amount: Int) -> String {
  "amount \(work(amount, 100))"
}

@inline(never) public func suspends(_ amount: Int) async -> Int {
  let first = work(amount, 110)
  await Task.yield()
  return work(first, 111)
}

// MARK: - Spans that end elsewhere

@inline(never) public func beginsAndEnds(_ amount: Int) -> Int {
  let result = work(amount, 120)
  return result
}

@inline(never) public func leavesItToTheScope(_ amount: Int) -> Int {
  guard amount > 3 else { return 0 }
  let result = work(amount, 130)
  return result
}

@inline(never) public func endsInOneBranch(_ amount: Int) -> Int {
  if work(amount, 140) > 3 {
    return work(1, 141)
  }
  let result = work(2, 142)
  return result
}

@inline(never) public func handsItOn(_ amount: Int) -> Int {
  begins(amount)
  return takesASpan(amount)
}

@inline(never) func begins(_ amount: Int) {
  _ = work(amount, 160)
}

@inline(never) func takesASpan(_ amount: Int) -> Int {
  let result = work(amount, 170)
  return result
}

// MARK: - Frames

@inline(never) public func makesASeries(_ amount: Int) -> Int {
  let result = work(amount, 180)
  return result
}

@inline(never) public func namesItsInterval(_ amount: Int) -> Int {
  let result = work(amount, 190)
  return result
}

@inline(never) public func marksAGlobalSeries(_ amount: Int) -> Int {
  let result = work(amount, 200)
  return result
}

/// A loop that holds its series, as most do.
public final class Loop {
  var count = 0

  public init() {}

  @inline(never) public func marksItsSeries() {
    count = work(count, 210)
  }

  @inline(never) public func marksAHitch() {
    count = work(count, 220)
  }

  @inline(never) public func followsADisplayLink(
    _ timestamp: SuspendingClock.Instant, _ target: SuspendingClock.Instant
  ) {
    count = work(count, 230)
  }

  @inline(never) public func asksForTheNumber(_ timestamp: SuspendingClock.Instant) -> Int64 {
    count = work(count, 240)
    return -1
  }

  @inline(never) public func scrolls() {
    count = work(count, 250)
  }
}

// MARK: - The rest

@inline(never) public func isActive(_ amount: Int) -> Int {
  work(amount, 260)
}

@inline(never) public func activityThrows(_ amount: Int) throws -> Int {
  guard amount < 100 else { throw TooLarge() }
  return work(amount, 270)
}

@inline(never) public func makesACounter(_ amount: Int) -> Int {
  let result = work(amount, 280)
  return result
}

@inline(never) public func recordsAGlobalCounter(_ amount: Int) -> Int {
  let result = work(amount, 290)
  return result
}

@inline(never) public func makesAMarker(_ amount: Int) -> Int {
  work(amount, 300)
}

@inline(never) public func recordsAGlobalMarker(_ amount: Int) -> Int {
  work(amount, 310)
}

@inline(never) public func asksWhetherItRecords(_ amount: Int) -> Int {
  work(amount, 322)
}

// MARK: - Waits and links

@inline(never) public func takesALock(_ lock: borrowing Mutex<Int>, _ amount: Int) -> Int {
  lock.withLock { value in
    value += work(amount, 330)
    return value
  }
}

@inline(never) public func throwsInALock(
  _ lock: borrowing Mutex<Int>, _ amount: Int
) throws(TooLarge) {
  try lock.withLock { value throws(TooLarge) in
    guard amount < 100 else { throw TooLarge() }
    value = work(amount, 340)
  }
}

@inline(never) public func makesALock(_ amount: Int) -> Int {
  let lock = Mutex(amount)
  return lock.withLock { work($0, 350) }
}

@inline(never) public func beginsALink(_ amount: Int) -> Int {
  let result = work(amount, 360)
  return result
}

@inline(never) public func waits(_ amount: Int) -> Int {
  work(amount, 370)
}

// A closure runs where its caller does, to which it comes back from what it awaits: these are the
// instructions of one that is called where it stands.
@inline(never) public func awaits(_ amount: Int) async -> Int {
  let first = work(amount, 380)
  await inPlace { await Task.yield() }
  return work(first, 381)
}

@inline(__always) nonisolated(nonsending) func inPlace(
  _ body: nonisolated(nonsending) () async -> Void
) async {
  await body()
}

@inline(never) public func signalsAPoint(_ amount: Int) -> Int {
  let result = work(amount, 390)
  return result
}

// MARK: - Names that are made, values, tracks

@inline(never) public func makesAName(_ amount: Int) -> Int {
  work(amount, 330)
}

@inline(never) public func keepsAName(_ amounts: [Int]) -> Int {
  var sum = 0
  for amount in amounts {
    let part = work(amount, 340)
    sum &+= part
  }
  return sum
}

@inline(never) public func beginsWithAName(_ amount: Int) -> Int {
  work(amount, 350)
}

@inline(never) public func givesAValue(_ amount: Int) -> Int {
  let result = work(amount, 360)
  return result
}

@inline(never) public func recordsATrack(
  _ begin: SuspendingClock.Instant, _ end: SuspendingClock.Instant
) -> Int {
  return work(1, 370)
}

// MARK: - Monitors

@inline(never) public func watchesFrames(_ amount: Int) -> Int {
  let result = work(amount, 380)
  return result
}

@inline(never) public func watchesInAScope(_ amount: Int) -> Int {
  guard amount > 3 else { return 0 }
  return work(amount, 390)
}
