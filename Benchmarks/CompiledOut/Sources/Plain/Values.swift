import CWork

// MARK: - Names that are made, values, tracks

@inline(never) public func makesAName(_ amount: Int) -> Int {
  work(amount, 330)
}

@inline(never) public func keepsAName(_ amounts: [Int]) -> Int {
  var sum = 0
  for amount in amounts {
    sum &+= work(amount, 340)
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
