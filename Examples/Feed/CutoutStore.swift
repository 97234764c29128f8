import Dispatch
import Flamelark
import Synchronization

/// The cutouts of the feed, and what was drawn of them.
final class CutoutStore: Sendable {
  private let cutouts: [Cutout]
  private let keeps: Bool
  private let kept = Mutex<[Int: Picture]>([:])
  private let background: TracedQueue

  /// Makes `count` cutouts. With `keeps`, ``prepare()`` draws them.
  init(count: Int, side: Int, keeps: Bool, using numbers: inout SeededNumbers) {
    var made: [Cutout] = []
    for _ in 0..<count { made.append(.made(side: side, using: &numbers)) }
    cutouts = made
    self.keeps = keeps
    let queue = DispatchQueue(label: "cutouts")
    background = TracedQueue("cutouts") { work in queue.async(execute: work) }
  }

  /// Draws all that are to be kept, in the background, and waits for them.
  func prepare() {
    guard keeps else { return }
    for number in cutouts.indices {
      background.async("cutouts.prepare") { [self] in
        let picture = draw(number)
        kept.withLock { $0[number] = picture }
      }
    }
    // The queue does one after the other.
    background.sync {}
  }

  /// The cutout with this number without its transparency, drawn if it is not at hand.
  func picture(_ number: Int) -> Picture {
    kept.withLock { $0[number] } ?? draw(number)
  }

  private func draw(_ number: Int) -> Picture {
    withSpan("transparency.draw") { cutouts[number].drawn() }
  }
}
