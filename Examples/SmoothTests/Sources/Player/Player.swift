import Flamelark

/// Plays a film of pictures, of which one has to be there every 100 ms.
public final class Player {
  /// Whether it saves after every tenth picture where it stands, which takes 250 ms.
  public var savesItsPlace = false

  private let frames = FrameSeries("player", refresh: .hertz(10))

  /// A player that has nothing to save.
  public init() {}

  /// Plays as fast as it can: a test needs no screen, and what doesn't wait needs no beat.
  public func play(pictures count: Int) {
    frames.mark()
    for number in 1...count {
      picture(number)
      frames.mark()
    }
  }

  /// The same for a film that comes from somewhere else.
  public func play(_ film: some AsyncSequence<Int, Never>) async {
    frames.mark()
    for await number in film {
      picture(number)
      frames.mark()
    }
  }

  private func picture(_ number: Int) {
    withSpan("decode") { work(.milliseconds(2)) }
    if savesItsPlace && number.isMultiple(of: 10) {
      withSpan("save place") { work(.milliseconds(250)) }
    }
  }
}

/// Does something that takes a time.
private func work(_ time: Duration) {
  let end = ContinuousClock.now + time
  while ContinuousClock.now < end {}
}
