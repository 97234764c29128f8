import FlamelarkTesting
import Player
import Testing

/// Each waits for the one before: a recording takes in the whole process, and work beside it disturbs.
@Suite(.serialized) struct PlayerTests {
  @Test func playingIsSmooth() throws {
    let player = Player()
    let hitches = try measureHitches(iterations: 3, skipping: .frames(5)) {
      player.play(pictures: 40)
    }
    #expect(hitches.ratio < 5, "\(hitches)")
  }

  @Test func aFilmFromElsewhereIsSmooth() async throws {
    let player = Player()
    let hitches = try await measureHitches(iterations: 3) {
      let film = AsyncStream { film in
        for number in 1...40 { film.yield(number) }
        film.finish()
      }
      await player.play(film)
    }
    #expect(hitches.p90Ratio < 5, "\(hitches)")
  }

  /// What a mistake looks like: remove `withKnownIssue` to see the report of a test that fails.
  @Test func savingStutters() throws {
    let player = Player()
    player.savesItsPlace = true
    let hitches = try measureHitches { player.play(pictures: 20) }
    withKnownIssue { #expect(hitches.ratio < 5, "\(hitches)") }
    // Two of twenty pictures take 252 ms in place of 100.
    #expect(hitches.count >= 2)
    #expect(hitches.totalLateness >= .milliseconds(304))
    #expect(hitches.causes.first?.name == "save place")
  }
}
