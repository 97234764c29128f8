internal import Flamelark
internal import FlamelarkReport

/// What a measurement was asked for.
struct Question: Sendable {
  let series: String?
  let activity: String?
  let warmUp: WarmUp
  let iterations: Int
  let options: Recording.Options
  let place: Place

  /// Throws if it can't be answered, whatever the closure does.
  func check() throws(HitchMeasurementError) {
    guard !Self.isCompiledOut else { throw HitchMeasurementError(.compiledOut) }
    guard iterations >= 1 else { throw HitchMeasurementError(.noIterations(iterations)) }
    guard warmUp.isPossible else { throw HitchMeasurementError(.impossibleWarmUp) }
    guard options.maximumSize == nil else { throw HitchMeasurementError(.limitedTrace) }
  }

  /// Which frames count.
  var selection: FrameSelection {
    var selection = FrameSelection()
    selection.activity = activity
    selection.skip = warmUp.skip
    return selection
  }

  private static var isCompiledOut: Bool {
    #if CompiledOut
    true
    #else
    false
    #endif
  }
}

extension WarmUp {
  fileprivate var isPossible: Bool {
    switch amount {
    case .time(let time): (Duration.zero ..< .seconds(1 << 32)).contains(time)
    case .frames(let count): count >= 0
    }
  }

  fileprivate var skip: FrameSelection.Skip? {
    switch amount {
    case .frames(0): nil
    case .frames(let count): .frames(count)
    case .time(let time): .time(time.nanoseconds)
    }
  }
}

extension Duration {
  /// In nanoseconds; it has less than 2³² seconds.
  var nanoseconds: Int64 {
    let parts = components
    return parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000
  }
}
