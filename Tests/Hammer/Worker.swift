import Flamelark
import Glibc
import Synchronization
import _FlamelarkTestSupport

/// A thread that does all that can be recorded, in an order that its seed says.
final class Worker: Sendable {
  static let isOver = Atomic(false)
  /// Series and tokens that threads share.
  static let screen = FrameSeries("screen", refresh: .hertz(120))
  static let handedOver = HandedOver()
  static let waits = Waits()

  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  func run() {
    var random = SeededGenerator(seed: seed)
    let loop = FrameSeries("loop", refresh: .hertz(1000))
    let monitors = Monitors(of: [loop, Self.screen])
    defer { monitors.end() }
    let counter = Counter("passes")
    var pass: Int64 = 0
    while !Self.isOver.load(ordering: .relaxed) {
      pass += 1
      // Leaves the processor to what reads the last recording.
      if !Recording.isActive { usleep(200) }
      loop.mark()
      counter.record(pass)
      Self.record(depth: Int.random(in: 1...6, using: &random), &random)
      monitors.change(&random)
      switch Int.random(in: 0..<18, using: &random) {
      case 0: for _ in 0..<300 { withSpan("tiny") {} }
      case 1: Self.screen.mark()
      case 2: loop.markHitch("felt slow")
      case 3: withActivity("scroll") { Self.record(depth: 2, &random) }
      case 4: displayLink(loop, pass)
      case 5: endOutOfOrder()
      case 6: Self.handedOver.put(beginSpan("handed over"))
      case 7: Self.handedOver.endOne()
      case 8: Marker("here").record()
      case 9: Recording.nameThread("worker \(seed % 10) \(pass % 3)")
      case 10: Self.screen.beginActivity("transition").end()
      case 11: Self.waits.holdLock()
      case 12: Self.waits.takePermit()
      case 13: Self.waits.takeTurn()
      case 14: Self.waits.useQueues()
      case 15: Self.waits.link()
      case 16: Self.waits.waitForPoint()
      default: if Recording.isActive { withSpan("guarded", category: "rare") {} }
      }
    }
    // A thread may end with what others have begun, and they with what it has.
    Self.handedOver.endOne()
  }

  static func record(depth: Int, _ random: inout SeededGenerator) {
    guard depth > 0 else { return }
    withSpan("deep", category: "depth") {
      for _ in 0..<Int.random(in: 0...3, using: &random) { withSpan("leaf") {} }
      record(depth: depth - 1, &random)
    }
  }

  private func displayLink(_ series: FrameSeries, _ pass: Int64) {
    let now = SuspendingClock().now
    let frame = series.begin(timestamp: now, target: now + .milliseconds(8))
    withSpan("layout") {}
    let id = frame.id
    frame.end()
    // Of a series with marks, too, and now and then of another thread's.
    if pass % 3 == 0 { series.presented(id, at: now + .milliseconds(9)) }
    if pass % 50 == 0 { series.discarded(id) }
  }

  private func endOutOfOrder() {
    let first = beginSpan("first")
    let second = beginSpan("second")
    first.end()
    second.end()
  }
}

/// Spans that end on another thread than they began on.
final class HandedOver: Sendable {
  private let spans = Guarded<[Box]>([])

  private final class Box: @unchecked Sendable {
    // Unchecked: whoever takes it out has it alone.
    var span: OpenSpan?

    init(_ span: consuming OpenSpan) { self.span = consume span }
  }

  func put(_ span: consuming OpenSpan) {
    let box = Box(span)
    spans.with { $0.append(box) }
  }

  func endOne() {
    let box = spans.with { $0.isEmpty ? nil : $0.removeFirst() }
    box?.span = nil
  }
}
