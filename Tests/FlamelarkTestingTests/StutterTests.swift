import Flamelark
import FlamelarkTesting
import Foundation
import Testing

/// Frames that are late because something takes long in them. A machine that does other things can
/// only make them later, and others late too.
@Suite struct StutterTests {
  private static let frames = FrameSeries("stutter", refresh: .every(.milliseconds(100)))
  private static let line: UInt32 = #line + 6

  private static func loop(_ count: Int, stallingAt stalls: Set<Int>) {
    frames.mark()
    for number in 0..<count {
      if stalls.contains(number) {
        withSpan("stall") { Thread.sleep(forTimeInterval: 0.15) }
      } else {
        withSpan("step") { Thread.sleep(forTimeInterval: 0.001) }
      }
      frames.mark()
    }
  }

  @Test func aStallOfKnownSizeIsFoundAndNamed() throws {
    let hitches = try measureAlone(iterations: 2) { Self.loop(20, stallingAt: [5, 12]) }
    #expect(hitches.frameCount == 40)
    #expect(hitches.count >= 4)
    #expect(hitches.totalLateness >= .milliseconds(200))
    // A frame in time takes at most 103 ms, and one that is later has less of them to divide by.
    #expect(hitches.ratio >= 200 / (4 * 0.15 + 36 * 0.103))
    #expect(hitches.ratio <= 1000)
    #expect(hitches.worst.map { $0.lateness >= .milliseconds(50) } == true)

    let cause = try #require(hitches.causes.first)
    #expect(cause.path == ["stall"])
    #expect(cause.name == "stall")
    #expect(cause.file == "FlamelarkTestingTests/StutterTests.swift")
    #expect(cause.line == Int(Self.line))
    #expect(cause.hitchCount == 4)
    #expect(cause.blame >= .milliseconds(190))
    #expect(abs(cause.ratio - cause.share * hitches.ratio) < 1e-9 * hitches.ratio)
    let ifNormal = try #require(cause.ratioIfNormal)
    #expect(ifNormal < hitches.ratio)
    #expect(hitches.causes.reduce(.zero) { $0 + $1.blame } == hitches.totalLateness)
    #expect(hitches.explained > 0.5)

    let report = "\(hitches)"
    #expect(report.hasPrefix("CRITICAL "))
    #expect(report.contains("  stall  "))
    #expect(report.contains("FlamelarkTestingTests/StutterTests.swift:\(Self.line)"))
    #expect(report.contains(hitches.traces[1]))
    let folder = URL(filePath: hitches.traces[0]).deletingLastPathComponent()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    try FileManager.default.removeItem(at: folder)
  }

  @Test func lostProcessorsAreCounted() throws {
    let hitches = try measureAlone {
      Self.frames.mark()
      Self.frames.mark()
      // Twice as many as there are processors: some have to wait for others.
      let threads = 2 * ProcessInfo.processInfo.activeProcessorCount
      let all = (0..<threads).map { _ in
        Thread {
          let end = ContinuousClock.now + .milliseconds(200)
          while ContinuousClock.now < end {}
        }
      }
      for thread in all { thread.start() }
      while all.contains(where: { !$0.isFinished }) { Thread.sleep(forTimeInterval: 0.01) }
    }
    #expect(hitches.preemptions > 0)
    #expect(hitches.preemptions == hitches.iterations[0].preemptions)
  }
}
