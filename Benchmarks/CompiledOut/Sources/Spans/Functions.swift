import CWork
import Flamelark

// Each of these has a twin in Plain that is written without spans. What both call is in CWork.

public struct TooLarge: Error {}

/// What a program holds: a noncopyable value of its own.
public struct Ticket: ~Copyable {
  public let number: Int
}

// MARK: - Spans

@inline(never) public func returnsAValue(_ amount: Int) -> Int {
  withSpan("update") { work(amount, 10) }
}

@inline(never) public func nests(_ amount: Int) -> Int {
  withSpan("update") {
    let first = withSpan("physics") { work(amount, 20) }
    return withSpan("paint") { work(first, 21) } + 1
  }
}

@inline(never) public func sumsInALoop(_ amounts: [Int]) -> Int {
  var sum = 0
  for amount in amounts {
    withSpan("item") { sum &+= work(amount, 30) }
  }
  return sum
}

@inline(never) public func countsInALoop(_ amounts: [Int]) {
  for amount in amounts {
    withSpan("item") { _ = work(amount, 35) }
  }
}

@inline(never) public func changesItsArgument(_ amount: inout Int) {
  withSpan("change") { amount = work(amount, 40) }
}

@inline(never) public func throwsAnything(_ amount: Int) throws -> Int {
  try withSpan("check") {
    guard amount < 100 else { throw TooLarge() }
    return work(amount, 50)
  }
}

@inline(never) public func throwsItsType(_ amount: Int) throws(TooLarge) -> Int {
  try withSpan("check") { () throws(TooLarge) in
    guard amount < 100 else { throw TooLarge() }
    return work(amount, 60)
  }
}

@inline(never) public func returnsEarly(_ amount: Int) -> Int? {
  let found: Int? = withSpan("search") {
    for candidate in 0..<amount where work(candidate, 70) == amount { return candidate }
    return nil
  }
  return found
}

@inline(never) public func makesATicket(_ amount: Int) -> Ticket {
  withSpan("ticket") { Ticket(number: work(amount, 80)) }
}

@inline(never) public func isGeneric<Value: Comparable>(_ values: [Value]) -> Value? {
  withSpan("largest") { values.max() }
}

@inline(never) public func makesText(_ amount: Int) -> String {
  withSpan("describe") { "amount \(work(amount, 100))" }
}

@inline(never) public func suspends(_ amount: Int) async -> Int {
  let first = withSpan("before") { work(amount, 110) }
  await Task.yield()
  return withSpan("after") { work(first, 111) }
}

// MARK: - Spans that end elsewhere

@inline(never) public func beginsAndEnds(_ amount: Int) -> Int {
  let span = beginSpan("upload")
  let result = work(amount, 120)
  span.end()
  return result
}

@inline(never) public func leavesItToTheScope(_ amount: Int) -> Int {
  let span = beginSpan("upload")
  guard amount > 3 else { return 0 }
  let result = work(amount, 130)
  span.end()
  return result
}

@inline(never) public func endsInOneBranch(_ amount: Int) -> Int {
  let span = beginSpan("upload")
  if work(amount, 140) > 3 {
    span.end()
    return work(1, 141)
  }
  let result = work(2, 142)
  span.end()
  return result
}

@inline(never) public func handsItOn(_ amount: Int) -> Int {
  takesASpan(begins(amount), amount)
}

@inline(never) func begins(_ amount: Int) -> OpenSpan {
  let span = beginSpan("request")
  _ = work(amount, 160)
  return span
}

@inline(never) func takesASpan(_ span: consuming OpenSpan, _ amount: Int) -> Int {
  let result = work(amount, 170)
  span.end()
  return result
}

// MARK: - Frames

@inline(never) public func makesASeries(_ amount: Int) -> Int {
  let frames = FrameSeries("game", refresh: .hertz(120))
  let result = work(amount, 180)
  frames.mark()
  return result
}

@inline(never) public func namesItsInterval(_ amount: Int) -> Int {
  let frames = FrameSeries("game", refresh: .every(.milliseconds(10)))
  let result = work(amount, 190)
  frames.mark()
  return result
}

let screen = FrameSeries("screen", refresh: .hertz(60))

@inline(never) public func marksAGlobalSeries(_ amount: Int) -> Int {
  let result = work(amount, 200)
  screen.mark()
  return result
}

/// A loop that holds its series, as most do.
public final class Loop {
  // First, so that it has the same place in both.
  var count = 0
  let frames = FrameSeries("loop", refresh: .hertz(60))

  public init() {}

  @inline(never) public func marksItsSeries() {
    count = work(count, 210)
    frames.mark()
  }

  @inline(never) public func marksAHitch() {
    count = work(count, 220)
    if count > 3 { frames.markHitch("skipped") }
  }

  // Keeps a target, which the program may ask for.
  @inline(never) public func followsADisplayLink(
    _ timestamp: SuspendingClock.Instant, _ target: SuspendingClock.Instant
  ) {
    let frame = frames.begin(timestamp: timestamp, target: target)
    withSpan("layout") { count = work(count, 230) }
    frame.end()
  }

  // Keeps a target, which the program may ask for.
  @inline(never) public func asksForTheNumber(_ timestamp: SuspendingClock.Instant) -> Int64 {
    let frame = frames.begin(timestamp: timestamp, target: nil)
    let number = frame.number
    count = work(count, 240)
    frame.end()
    return number
  }

  @inline(never) public func scrolls() {
    let scroll = frames.beginActivity("scroll")
    count = work(count, 250)
    scroll.end()
  }
}

// MARK: - The rest

@inline(never) public func isActive(_ amount: Int) -> Int {
  withActivity("transition") { work(amount, 260) }
}

@inline(never) public func activityThrows(_ amount: Int) throws -> Int {
  try withActivity("transition") {
    guard amount < 100 else { throw TooLarge() }
    return work(amount, 270)
  }
}

@inline(never) public func makesACounter(_ amount: Int) -> Int {
  let result = work(amount, 280)
  Counter("entities").record(Int64(result))
  return result
}

let entities = Counter("entities")

@inline(never) public func recordsAGlobalCounter(_ amount: Int) -> Int {
  let result = work(amount, 290)
  entities.record(Int64(result))
  return result
}

@inline(never) public func makesAMarker(_ amount: Int) -> Int {
  Marker("level loaded").record()
  return work(amount, 300)
}

let loaded = Marker("level loaded")

@inline(never) public func recordsAGlobalMarker(_ amount: Int) -> Int {
  loaded.record()
  return work(amount, 310)
}

@inline(never) public func asksWhetherItRecords(_ amount: Int) -> Int {
  if Recording.isActive { return work(work(amount, 320), 321) }
  return work(amount, 322)
}

// MARK: - Waits and links

@inline(never) public func takesALock(_ lock: borrowing TracedMutex<Int>, _ amount: Int) -> Int {
  lock.withLock { value in
    value += work(amount, 330)
    return value
  }
}

@inline(never) public func throwsInALock(
  _ lock: borrowing TracedMutex<Int>, _ amount: Int
) throws(TooLarge) {
  try lock.withLock { value throws(TooLarge) in
    guard amount < 100 else { throw TooLarge() }
    value = work(amount, 340)
  }
}

@inline(never) public func makesALock(_ amount: Int) -> Int {
  let lock = TracedMutex(amount, "amount")
  return lock.withLock { work($0, 350) }
}

@inline(never) public func beginsALink(_ amount: Int) -> Int {
  let link = Flow("job").begin()
  let result = work(amount, 360)
  link.end()
  return result
}

@inline(never) public func waits(_ amount: Int) -> Int {
  withWait("reply") { work(amount, 370) }
}

@inline(never) public func awaits(_ amount: Int) async -> Int {
  let first = work(amount, 380)
  await withWait("others") { await Task.yield() }
  return work(first, 381)
}

@inline(never) public func signalsAPoint(_ amount: Int) -> Int {
  let point = WaitPoint()
  let result = work(amount, 390)
  point.signal()
  return result
}

// MARK: - Names that are made, values, tracks

@inline(never) public func makesAName(_ amount: Int) -> Int {
  withSpan(SpanName("tile \(amount)", category: "tiles")) { work(amount, 330) }
}

@inline(never) public func keepsAName(_ amounts: [Int]) -> Int {
  let name = SpanName("tiles of \(amounts.count)")
  var sum = 0
  for amount in amounts {
    let part = withSpan(name) { work(amount, 340) }
    sum &+= part
  }
  return sum
}

@inline(never) public func beginsWithAName(_ amount: Int) -> Int {
  let span = beginSpan(SpanName("tile \(amount)"))
  let result = work(amount, 350)
  span.end()
  return result
}

@inline(never) public func givesAValue(_ amount: Int) -> Int {
  withSpan("read") {
    let result = work(amount, 360)
    SpanValue("bytes").record(Int64(result))
    return result
  }
}

let device = Track("device", ticksPerSecond: 19_200_000)

@inline(never) public func recordsATrack(
  _ begin: SuspendingClock.Instant, _ end: SuspendingClock.Instant
) -> Int {
  Track("GPU").record("pass", from: begin, to: end)
  device.relate(ticks: 7, to: end)
  device.record("pass", fromTicks: 7, toTicks: 9)
  return work(1, 370)
}

// MARK: - Monitors

@inline(never) public func watchesFrames(_ amount: Int) -> Int {
  let monitor = FrameMonitor(of: screen) { second in _ = work(second.frames, 381) }
  let result = work(amount, 380)
  monitor.stop()
  return result
}

@inline(never) public func watchesInAScope(_ amount: Int) -> Int {
  let monitor = FrameMonitor(of: screen) { [amount] second in _ = work(amount, second.hitches) }
  defer { _ = monitor }
  guard amount > 3 else { return 0 }
  return work(amount, 390)
}
