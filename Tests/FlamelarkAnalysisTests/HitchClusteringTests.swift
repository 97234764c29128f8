import FlamelarkTrace
import Testing

@testable import FlamelarkAnalysis

/// Which hitches are alike.
@Suite struct HitchClusteringTests {
  private func cause(
    _ path: [String], share: Double, kind: Cause.Kind = .span, thread: String? = nil,
    file: String? = nil, line: UInt32 = 0
  ) -> Cause {
    Cause(
      kind: kind, thread: thread, path: path, link: nil, gap: nil, file: file, line: line,
      blame: Int64(share * 1000), share: share, hitchCount: 1, topCount: 0, normalTime: 0,
      lateTime: 0, normalCalls: 0, lateCalls: 0, confidence: nil, ratioIfNormal: nil)
  }

  private func member(
    _ frame: Int, _ causes: [Cause], kind: Hitch.Kind = .appLate, lateness: Int64 = 1000
  ) -> HitchClustering.Member {
    (frame, lateness, kind, causes)
  }

  @Test func aCauseWithHalfOfAHitchNamesIt() {
    let found = HitchClustering([
      member(1, [cause(["frame", "load"], share: 0.5), cause(["frame", "a"], share: 0.5)]),
      member(2, [cause(["frame", "load"], share: 1)], lateness: 500),
      member(3, [cause(["frame", "load"], share: 1)], kind: .renderLate),
      member(4, [cause(["frame", "load"], share: 1, thread: "worker")]),
      member(5, [cause(["frame", "load"], share: 1, kind: .blocked)]),
    ])
    #expect(
      found.clusters.map(\.signature) == [
        "app late: frame > load", "render late: frame > load", "app late: worker: frame > load",
        "app late: frame > load (blocked)",
      ])
    #expect(found.clusters[0].frames == [1, 2])
    #expect(found.clusters[0].lateness == 1500)
    #expect(found.clusterOf == [0, 0, 1, 2, 3])
  }

  @Test func numbersInNamesAndPlacesInTheSourceDontMatter() {
    let found = HitchClustering([
      member(1, [cause(["cell 17", "x86"], share: 1, thread: "pool 3", file: "a", line: 1)]),
      member(2, [cause(["cell 4", "x64"], share: 1, thread: "pool 12", file: "b", line: 2)]),
    ])
    #expect(found.clusters.map(\.signature) == ["app late: pool #: cell # > x#"])
    #expect(found.clusters[0].frames == [1, 2])
  }

  @Test func mixedHitchesWithNearlyTheSameSharesAreAlike() {
    func mixed(_ frame: Int, _ shares: [Double]) -> HitchClustering.Member {
      member(frame, zip(["a", "b", "c", "d"], shares).map { cause([$0], share: $1) })
    }
    let found = HitchClustering([
      mixed(1, [0.45, 0.4, 0.15]), mixed(2, [0.4, 0.45, 0.15]), mixed(3, [0.1, 0.1, 0.4, 0.4]),
      mixed(4, [0.1, 0.1, 0.45, 0.35]),
    ])
    #expect(found.clusters.map(\.frames) == [[1, 2], [3, 4]])
    #expect(found.clusters[0].signature == "mixed: a + b")
  }

  @Test func whateverTheHitchesThereAreAtMost33MixedClusters() {
    let found = HitchClustering(
      (0..<200).map { frame in
        let name = String(repeating: "x", count: frame + 1)
        return member(
          frame, (0..<3).map { cause(["\(name)\("abc".dropFirst($0))"], share: 1.0 / 3) })
      })
    #expect(found.clusters.count == 33)
    #expect(found.clusters.reduce(0) { $0 + $1.frames.count } == 200)
    #expect(found.clusters[0].signature == "mixed")
    #expect(found.clusters.reduce(0) { $0 + $1.lateness } == 200_000)
  }

  @Test func theLargestComesFirstAndOfEqualsTheOneSeenFirst() {
    let members = [
      member(1, [cause(["a"], share: 1)]), member(2, [cause(["b"], share: 1)]),
      member(3, [cause(["c"], share: 1)], lateness: 5000),
    ]
    let found = HitchClustering(members)
    #expect(found.clusters.map(\.frames) == [[3], [1], [2]])
    #expect(found.clusterOf == [1, 2, 0])
    #expect(HitchClustering(members).clusters == found.clusters)
    #expect(HitchClustering([]).clusters.isEmpty)
  }
}
