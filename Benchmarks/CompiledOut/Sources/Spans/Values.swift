import CWork
import Flamelark

// MARK: - Names that are made, values, tracks

@inline(never) public func makesAName(_ amount: Int) -> Int {
  withSpan(SpanName("tile \(amount)", category: "tiles")) { work(amount, 330) }
}

@inline(never) public func keepsAName(_ amounts: [Int]) -> Int {
  let name = SpanName("tiles of \(amounts.count)")
  var sum = 0
  for amount in amounts {
    withSpan(name) { sum &+= work(amount, 340) }
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
