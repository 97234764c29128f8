import Flamelark

/// Somebody scrolls through the feed: a flick, a look, a flick.
struct Session {
  private var link = DisplayLink()
  private var view: FeedView
  private var flickNumbers: SeededNumbers
  private var likeNumbers: SeededNumbers
  private let frames = FrameSeries("feed", refresh: .hertz(120))
  private let length: Int64
  private var time: Int64 = 0
  private var offset = 0.0
  private var nextLike: Int64 = 0
  private(set) var tally = FrameTally()

  init(view: FeedView, numbers: SeededNumbers, seconds: Double) {
    self.view = view
    var numbers = numbers
    flickNumbers = SeededNumbers(seed: numbers.next())
    likeNumbers = SeededNumbers(seed: numbers.next())
    length = Int64(seconds * 1e9)
  }

  mutating func run() {
    // The first look at the feed fills the screen with new cells: that is launch, not scrolling.
    withSpan("launch") {
      view.prepare()
      view.show(offset: 0)
    }
    link = DisplayLink()
    // Flicks and likes come when the seed says, whatever frames are late: so runs can be compared.
    var start: Int64 = 0
    var origin = 0.0
    while time < length {
      let flick = Flick(
        start: start, origin: origin, speed: .random(in: 2000...4000, using: &flickNumbers))
      let scroll = frames.beginActivity("scroll")
      while time < length, !flick.isOver(at: time) {
        frame(rate: DisplayLink.Rate(speed: flick.speed(at: time))) { flick.offset(at: $0) }
      }
      scroll.end()
      origin = flick.offset(at: flick.end)
      start = flick.end + .random(in: 250_000_000...500_000_000, using: &flickNumbers)
      rest(at: origin, until: start)
    }
  }

  /// Nothing moves, but the feed is on the screen: it stays on the display link at 60 Hz and is
  /// drawn, as a feed with something animated in it is. So nobody has to guess what was idle.
  private mutating func rest(at place: Double, until end: Int64) {
    while time < min(end, length) {
      frame(rate: .hertz60) { _ in place }
    }
  }

  private mutating func frame(rate: DisplayLink.Rate, offset place: (Int64) -> Double) {
    let tick = link.nextTick(rate: rate)
    tally.add(tick)
    let frame = frames.begin(
      timestamp: link.instant(tick.timestamp), target: link.instant(tick.target))
    time = tick.timestamp
    // What is drawn now is seen at the target.
    offset = place(tick.target)
    if time >= nextLike {
      nextLike += .random(in: 300_000_000...900_000_000, using: &likeNumbers)
      view.like(Int.random(in: 0..<100, using: &likeNumbers))
    }
    view.show(offset: offset)
    frame.end()
  }
}
