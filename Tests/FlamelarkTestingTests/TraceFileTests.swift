import Flamelark
import FlamelarkTesting
import FlamelarkTrace
import Foundation
import Testing

/// Where traces are, and when they go away.
@Suite struct TraceFileTests {
  private static let link = SimulatedLink("files")

  private struct Mistake: Error, Equatable {}

  private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  private func folder(of hitches: Hitches) -> URL {
    URL(filePath: hitches.traces[0]).deletingLastPathComponent()
  }

  @Test func tracesGoAwayWithTheLastCopy() throws {
    var hitches: Hitches? = try measureAlone(iterations: 2) { Self.link.run([10, 20]) }
    let traces = try #require(hitches?.traces)
    #expect(traces.count == 2)
    #expect(traces[0].hasSuffix("/SimulatedLink.measureAlone-1.lark"))
    for path in traces { #expect(try Trace(contentsOf: path).frameSeries.count > 0) }
    let copy = try #require(hitches)
    // Figures alone keep nothing.
    #expect(copy.ratio > 0 && copy.causes.count > 0)
    hitches = nil
    #expect(isThere(traces[0]))
    let folder = folder(of: copy)
    #expect(isThere(folder.path))
    _ = consume copy
    #expect(!isThere(traces[0]) && !isThere(traces[1]))
    #expect(!isThere(folder.path))
  }

  @Test(arguments: [true, false])
  func tracesStayThatAReportNamesOrThatAreKept(isReport: Bool) throws {
    var hitches: Hitches? = try measureAlone { Self.link.run([10, 20]) }
    let path = try #require(hitches?.traces.first)
    if isReport {
      #expect(hitches?.description.contains(path) == true)
    } else {
      #expect(hitches?.keepTraces() == [path])
    }
    let folder = try folder(of: #require(hitches))
    hitches = nil
    #expect(isThere(path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    try FileManager.default.removeItem(at: folder)
  }

  @Test func aNamedFolderIsMadeAndStays() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    let path = root.path + "/100%p/traces"
    for _ in 0..<2 {
      _ = try measureAlone(iterations: 2, keepingTracesIn: path) { Self.link.run([10, 10]) }
    }
    // None is overwritten.
    let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    #expect(
      names == [
        "SimulatedLink.measureAlone-1.2.lark", "SimulatedLink.measureAlone-1.lark",
        "SimulatedLink.measureAlone-2.2.lark", "SimulatedLink.measureAlone-2.lark",
      ])
  }

  @Test func aClosureThatThrowsIsRecordedNoFurther() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    var runs = 0
    #expect(throws: Mistake()) {
      try measureAlone(iterations: 3, keepingTracesIn: root.path) {
        runs += 1
        Self.link.run([10, 20])
        if runs == 2 { throw Mistake() }
      }
    }
    #expect(runs == 2)
    #expect(!Recording.isActive)
    // What was recorded until then is whole.
    let names = try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
    #expect(names == ["SimulatedLink.measureAlone-1.lark", "SimulatedLink.measureAlone-2.lark"])
    let trace = try Trace(contentsOf: root.appending(path: names[1]).path)
    #expect(trace.source.ending == .stopped)
    #expect(trace.frameSeries.contains { $0.frames.count == 3 })
    #expect(try measureAlone { Self.link.run([10, 10]) }.frameCount == 2)
  }

  @Test func nothingIsRecordedAfterwards() throws {
    let hitches = try measureAlone { Self.link.run([10, 10]) }
    #expect(!Recording.isActive)
    let before = try Data(contentsOf: URL(filePath: hitches.traces[0])).count
    Self.link.run([10, 10, 10])
    #expect(try Data(contentsOf: URL(filePath: hitches.traces[0])).count == before)
    #expect(!isThere(hitches.traces[0] + ".live"))
  }

  /// What is recorded beside the closure is in the trace, and none of its frames.
  @Test func otherThreadsAreInTheTrace() throws {
    let hitches = try measureAlone {
      let thread = Thread { withSpan("beside") {} }
      thread.start()
      while !thread.isFinished { Thread.sleep(forTimeInterval: 0.001) }
      Self.link.run([10, 10])
    }
    let trace = try Trace(contentsOf: hitches.traces[0])
    #expect((0..<trace.spans.count).contains { trace.name(ofSpan: $0) == "beside" })
    #expect(hitches.frameCount == 2)
  }
}
