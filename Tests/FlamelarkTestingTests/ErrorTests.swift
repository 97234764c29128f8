import Flamelark
import FlamelarkTesting
import Foundation
import Testing
import _FlamelarkTestSupport

/// What can't be measured is said in one sentence.
@Suite struct ErrorTests {
  private static let link = SimulatedLink("errors")
  private static let other = SimulatedLink("others")

  /// Why a measurement fails.
  private func reason(
    _ body: () throws -> Hitches, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> HitchMeasurementError.Reason {
    var failure: (any Error)?
    do {
      _ = try body()
    } catch {
      failure = error
    }
    let error = try #require(failure as? HitchMeasurementError, sourceLocation: sourceLocation)
    #expect(!error.description.contains("\n"))
    #expect(error.description.contains(":"), "what to do: \(error)", sourceLocation: sourceLocation)
    #expect(!Recording.isActive, sourceLocation: sourceLocation)
    return error.reason
  }

  @Test func aClosureWithoutFrames() throws {
    #expect(try reason { try measureAlone {} } == .noFrames(iteration: 1))
    var runs = 0
    #expect(
      try reason {
        try measureAlone(iterations: 3) {
          runs += 1
          if runs == 1 { Self.link.run([10, 10]) }
        }
      } == .noFrames(iteration: 2))
    #expect(runs == 2, "the third would be in vain")
  }

  @Test func framesOfWhichNoneCounts() throws {
    func nothing(_ frames: Int, _ why: HitchMeasurementError.Uncounted)
      -> HitchMeasurementError.Reason
    {
      .nothingCounts(iteration: 1, frames: frames, series: "errors", why)
    }
    #expect(try reason { try measureAlone { Self.link.run([]) } } == nothing(1, .noEnd))
    #expect(
      try reason { try measureAlone(skipping: .frames(9)) { Self.link.run([10, 10]) } }
        == nothing(3, .warmUp))
    #expect(
      try reason { try measureAlone(skipping: .seconds(1)) { Self.link.run([10, 10]) } }
        == nothing(3, .warmUp))
    #expect(
      try reason {
        try measureAlone(activity: "scroll") {
          withActivity("scroll") {}
          Self.link.run([10, 10])
        }
      } == nothing(3, .activity("scroll")))
    let resting = SimulatedLink("resting")
    #expect(
      try reason {
        try measureAlone {
          resting.frames.needsNoFrame()
          resting.run([10, 10])
        }
      } == .nothingCounts(iteration: 1, frames: 3, series: "resting", .rest))
  }

  @Test func seriesThatAreNotClear() throws {
    func runBoth() {
      Self.link.run([10, 10])
      Self.other.run([10, 10])
    }
    #expect(
      try reason { try measureAlone { runBoth() } } == .severalSeries(["errors", "others"]))
    #expect(
      try reason { try measureAlone(series: "error") { runBoth() } }
        == .unknownSeries("error", among: ["errors", "others"]))
    #expect(
      try reason {
        try measureAlone {
          for _ in 0..<2 { SimulatedLink("twin").run([10, 10]) }
        }
      } == .sameName("twin"))
    var runs = 0
    #expect(
      try reason {
        try measureAlone(iterations: 2) {
          runs += 1
          (runs == 1 ? Self.link : Self.other).run([10, 10])
        }
      } == .severalSeries(["errors", "others"]))
    // One is made anew in each iteration, as a view's may be.
    let hitches = try measureAlone(iterations: 2) { SimulatedLink("anew").run([10, 10]) }
    #expect(hitches.frameCount == 4)
  }

  @Test func anActivityThatThereIsNot() throws {
    #expect(
      try reason { try measureAlone(activity: "scroll") { Self.link.run([10, 10]) } }
        == .unknownActivity("scroll", among: []))
    #expect(
      try reason {
        try measureAlone(activity: "scroll") {
          withActivity("fling") { Self.link.run([10, 10]) }
        }
      } == .unknownActivity("scroll", among: ["fling"]))
  }

  @Test func questionsThatCantBeAnswered() throws {
    var runs = 0
    func run() {
      runs += 1
      Self.link.run([10, 10])
    }
    #expect(try reason { try measureAlone(iterations: 0) { run() } } == .noIterations(0))
    #expect(try reason { try measureAlone(iterations: -3) { run() } } == .noIterations(-3))
    for warmUp in [
      WarmUp.frames(-1), .seconds(-1), .time(.seconds(Int64.max)), .milliseconds(-1),
    ] {
      #expect(try reason { try measureAlone(skipping: warmUp) { run() } } == .impossibleWarmUp)
    }
    #expect(
      try reason { try measureAlone(options: .init(maximumSize: 1 << 20)) { run() } }
        == .limitedTrace)
    #expect(throws: RecordingError.self) {
      try measureAlone(options: .init(maximumDepth: 0)) { run() }
    }
    #expect(runs == 0)
    #expect(try measureAlone { run() }.count == 0, "measuring goes on after that")
  }

  @Test func aRecordingThatRuns() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try OneRecording.alone {
      let recording = try Recording.start(writingTo: folder.appending(path: "t.lark").path)
      let error = #expect(throws: HitchMeasurementError.self) {
        try measureHitches { Self.link.run([10, 10]) }
      }
      #expect(error?.reason == .recordsAlready)
      #expect(Recording.isActive, "it goes on")
      try recording.stop()
      #expect(try measureHitches { Self.link.run([10, 10]) }.frameCount == 2)
    }
  }

  @Test func oneInsideOfAnother() throws {
    var inner: HitchMeasurementError?
    let hitches = try measureAlone {
      Self.link.run([10, 20])
      inner = #expect(throws: HitchMeasurementError.self) {
        try measureHitches { Self.link.run([50, 50]) }
      }
    }
    #expect(
      inner?.reason
        == .measuresAlready(at: "FlamelarkTestingTests/SimulatedLink.swift:29"))
    #expect(hitches.frameCount == 2, "the outer one goes on")
  }

  @Test func oneBesideAnother() throws {
    var failure: HitchMeasurementError?
    let hitches = try measureAlone {
      Self.link.run([10, 20])
      let refused = Handed<HitchMeasurementError>()
      let thread = Thread {
        do {
          _ = try measureHitches { Self.other.run([10, 10]) }
        } catch {
          refused.value = error as? HitchMeasurementError
        }
      }
      thread.start()
      while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
      failure = refused.value
    }
    guard case .measuresAlready = failure?.reason else {
      Issue.record("not refused: \(String(describing: failure))")
      return
    }
    #expect(hitches.series == "errors")
  }

  @Test func aFolderThatCantBe() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try Data().write(to: URL(filePath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    for path in [file, file + "/traces"] {
      let reason = try reason {
        try measureAlone(keepingTracesIn: path) { Self.link.run([10, 10]) }
      }
      guard case .cannotCreateFolder(path, let words) = reason else {
        Issue.record("\(reason)")
        continue
      }
      #expect(words == "Not a directory")
    }
    #expect(try measureAlone { Self.link.run([10, 10]) }.count == 0)
  }
}

/// A value that one thread hands to another, which waits for it by other means.
final class Handed<Value>: @unchecked Sendable {
  var value: Value?
}
