import FlamelarkTesting
import Player
import XCTest

/// The same with XCTest, which runs one test after the other.
final class PlayerXCTests: XCTestCase {
  func testPlayingIsSmooth() throws {
    let player = Player()
    let hitches = try measureHitches(iterations: 3, skipping: .frames(5)) {
      player.play(pictures: 40)
    }
    XCTAssertLessThan(hitches.ratio, 5, "\(hitches)")
  }

  func testAFilmFromElsewhereIsSmooth() async throws {
    let player = Player()
    let hitches = try await measureHitches(iterations: 3) {
      let film = AsyncStream { film in
        for number in 1...40 { film.yield(number) }
        film.finish()
      }
      await player.play(film)
    }
    XCTAssertLessThan(hitches.p90Ratio, 5, "\(hitches)")
  }

  func testSavingStutters() throws {
    let player = Player()
    player.savesItsPlace = true
    let hitches = try measureHitches { player.play(pictures: 20) }
    XCTAssertGreaterThanOrEqual(hitches.count, 2)
    XCTAssertGreaterThanOrEqual(hitches.totalLateness, .milliseconds(304))
    XCTAssertEqual(hitches.causes.first?.name, "save place")
  }
}
