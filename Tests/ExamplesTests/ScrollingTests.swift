import Testing
import _FlamelarkTestSupport

@testable import Feed

@Suite struct ScrollingTests {
  typealias Tick = DisplayLink.Tick

  @Test func aFrameInTimeIsFollowedAtItsTarget() {
    let last = Tick(timestamp: 1000, target: 1100)
    #expect(DisplayLink.refresh(after: last, at: 1000) == 1100)
    #expect(DisplayLink.refresh(after: last, at: 1100) == 1100)
  }

  @Test func anOverrunIsFollowedAtTheNextRefresh() {
    let last = Tick(timestamp: 1000, target: 1100)
    #expect(DisplayLink.refresh(after: last, at: 1101) == 1200)
    #expect(DisplayLink.refresh(after: last, at: 1200) == 1200)
    #expect(DisplayLink.refresh(after: last, at: 1555) == 1600)
  }

  @Test func theTallyCountsWholeLatenessAndNoRateChange() {
    var tally = FrameTally()
    // 120 Hz, then 60 Hz: the interval doubles and nothing is late. Then one refresh is missed.
    tally.add(Tick(timestamp: 0, target: 8_333_333))
    tally.add(Tick(timestamp: 8_333_333, target: 25_000_000))
    tally.add(Tick(timestamp: 25_000_000, target: 41_666_667))
    #expect(tally.late == 0)
    tally.add(Tick(timestamp: 58_333_334, target: 75_000_001))
    // Within the tolerance of 0.5 ms.
    tally.add(Tick(timestamp: 75_400_000, target: 92_066_667))
    #expect(tally.frames == 5)
    #expect(tally.late == 1)
    #expect(abs(tally.ratio - 16.666_667 * 1000 / 75.4) < 0.01)
    #expect(tally.summary == "feed: 5 frames, 1 late, 221.04 ms/s")
  }

  @Test func aFlickSlowsDownAndStops() {
    let flick = Flick(start: 500, origin: 10, speed: 4000)
    #expect(flick.offset(at: 500) == 10)
    #expect(flick.speed(at: 500) == 4000)
    var time: Int64 = 500
    var offset = 10.0
    while !flick.isOver(at: time) {
      time += 8_333_333
      #expect(flick.offset(at: time) > offset)
      offset = flick.offset(at: time)
    }
    #expect(abs(flick.speed(at: flick.end) - Flick.leastSpeed) < 0.001)
    #expect(time - flick.end < 8_333_333)
    // It never gets farther than speed × decay.
    #expect(offset < 2010 && offset > 1950)
  }

  /// A feed of forty posts.
  private static func view(
    slow: Set<Slowness>, title: String = "Larks", extras: Bool = true
  ) throws -> FeedView {
    let work = Workload(
      screenColumns: 39, longWords: 60, viewsPerCell: 6, pictureSide: 16, cutoutSide: 60,
      coverSide: 48, tagSamples: 2)
    var numbers = SeededNumbers(seed: 5)
    var posts = Post.feed(count: 40, longWords: 60, pictures: 4, cutouts: 3, using: &numbers)
    if !extras {
      for index in posts.indices { (posts[index].tags, posts[index].cutout) = ([], nil) }
    }
    return try OneRecording.alone {
      let pictures = try PictureStore(
        count: 4, side: 16, keeps: !slow.contains(.images), using: &numbers)
      let cutouts = CutoutStore(
        count: 3, side: work.cutoutSide, keeps: !slow.contains(.transparency), using: &numbers)
      let view = FeedView(
        title: title, posts: posts, pictures: pictures, cutouts: cutouts,
        cover: .made(side: work.coverSide, using: &numbers), work: work, slow: slow)
      view.prepare()
      return view
    }
  }

  @Test(arguments: Slowness.allCases.map { [$0] } + [Slowness.allCases])
  func mendingChangesNoPixel(slownesses: [Slowness]) throws {
    var views = try [Set(slownesses), []].map { try Self.view(slow: $0) }
    var colors: Set<UInt32> = []
    // To and past the end of the feed, and back.
    let down = Array(stride(from: 0.0, to: 8000, by: 130))
    for offset in down + down.reversed() {
      OneRecording.alone {
        for index in views.indices {
          views[index].like(Int(offset))
          views[index].show(offset: offset)
        }
      }
      #expect(views[0].screen.pixels == views[1].screen.pixels, "at \(offset)")
      colors.formUnion(views[0].screen.pixels)
    }
    // There was something to see.
    #expect(colors.count > 50)
  }

  @Test func tagsAndCutoutsAreSeen() throws {
    var with = try Self.view(slow: [])
    var without = try Self.view(slow: [], extras: false)
    OneRecording.alone {
      with.show(offset: 0)
      without.show(offset: 0)
    }
    #expect(with.screen.pixels != without.screen.pixels)
  }

  @Test(arguments: [[], [.header]] as [Set<Slowness>])
  func theHeaderShowsAnotherTitle(slow: Set<Slowness>) throws {
    var view = try Self.view(slow: slow)
    var other = try Self.view(slow: slow, title: "Other larks")
    OneRecording.alone {
      view.show(offset: 0)
      other.show(offset: 0)
    }
    #expect(view.screen.pixels != other.screen.pixels)
    OneRecording.alone {
      view.title = "Other larks"
      view.show(offset: 0)
    }
    #expect(view.screen.pixels == other.screen.pixels)
  }
}
