import FlamelarkInterchange
import FlamelarkTrace
import Foundation
import Testing
import _FlamelarkTestSupport

/// The bytes of an export.
func exported(_ trace: Trace, _ options: ExportOptions = ExportOptions()) -> (
  bytes: [UInt8], summary: ExportSummary
) {
  var bytes: [UInt8] = []
  let summary = unsafe TraceEventExport(trace, options: options).write { piece in
    unsafe bytes.append(contentsOf: piece)
  }
  return (bytes, summary)
}

@Suite struct ExportTests {
  @Test(arguments: 0..<60) func speedscopeBuildsTheTreeOfTheTrace(seed: UInt64) throws {
    let trace = RandomTrace(seed: seed).trace
    try trace.checkInvariants()
    let model = try SpeedscopeModel(exported(trace).bytes)
    for row in 0..<3 {
      // A row without spans is no profile.
      let profile = model.profiles.first { $0.name == "row \(row)" }
      #expect(profile?.warnings ?? 0 == 0, "seed \(seed), row \(row)")
      #expect(
        profile?.spans ?? [] == trace.treeSpans(ofTrack: row).afterRuleFour().rebased(),
        "seed \(seed), row \(row)")
    }
  }

  @Test(arguments: 0..<60) func ourImporterBuildsTheTreeOfTheTrace(seed: UInt64) throws {
    let trace = RandomTrace(seed: seed).trace
    let (bytes, summary) = exported(trace)
    let again = try read(bytes)
    #expect(again.issues.isEmpty, "seed \(seed): \(again.issues)")
    for row in 0..<3 {
      let expected = trace.treeSpans(ofTrack: row).afterRuleFour()
      #expect(again.tracks[row].name == "row \(row)")
      #expect(
        again.treeSpans(ofTrack: row).rebased() == expected.rebased(), "seed \(seed), row \(row)")
      #expect(summary.tracks[row].slices == expected.count)
    }
    #expect(again.markers.count == summary.tracks.reduce(0) { $0 + $1.instants })
  }

  @Test(arguments: 0..<40) func framesGetAScopeThatBreaksNoSpan(seed: UInt64) throws {
    var random = RandomTrace(seed: seed)
    random.addFrames(length: 12)
    let trace = random.trace
    let (bytes, summary) = exported(trace)
    #expect(
      summary.frameScopes + summary.framesWithoutScope == trace.frameSeries[0].frames.count)
    #expect(summary.frameScopes > 0, "seed \(seed)")
    let model = try SpeedscopeModel(bytes)
    let again = try read(bytes)
    // Frames that a span crosses, by comparing each with each.
    let spans = trace.treeSpans(ofTrack: 0)
    let scopes = trace.frameSeries[0].frames.map { $0.begin..<$0.end! }.filter { frame in
      !spans.contains { span in
        span.start < frame.lowerBound && frame.lowerBound < span.end && span.end < frame.upperBound
          || frame.lowerBound < span.start && span.start < frame.upperBound
            && frame.upperBound < span.end
      }
    }
    #expect(summary.frameScopes == scopes.count, "seed \(seed)")
    let expected = spans.afterRuleFour(frames: scopes).rebased()
    #expect(model.profiles[0].warnings == 0)
    #expect(model.profiles[0].spans.removing("Frame").rebased() == expected, "seed \(seed)")
    #expect(again.treeSpans(ofTrack: 0).removing("Frame").rebased() == expected, "seed \(seed)")
    #expect(model.profiles[0].spans.filter { $0.name == "Frame" }.count == scopes.count)
    let frames = again.markers.filter {
      again.names[again.callSites[Int($0.site.index)].name] == "Frame"
    }
    #expect(frames.count == trace.frameSeries[0].frames.count)
    #expect(again.counters.map { again.names[$0.name] } == ["frame_ms"])
    #expect(again.counters[0].values.allSatisfy { $0 == 0.000012 })
  }

  @Test(arguments: 0..<40) func aPartIsCutAtItsEdges(seed: UInt64) throws {
    let trace = RandomTrace(seed: seed).trace
    let length = trace.range.upperBound
    let range = length / 4..<length / 2
    var options = ExportOptions()
    options.range = range
    let (bytes, summary) = exported(trace, options)
    let model = try SpeedscopeModel(bytes)
    let again = try read(bytes)
    for row in 0..<3 {
      let cut = trace.treeSpans(ofTrack: row).compactMap { span -> TreeSpan? in
        guard span.start < range.upperBound,
          span.end > range.lowerBound || span.start >= range.lowerBound
        else { return nil }
        return TreeSpan(
          depth: span.depth, name: span.name, start: max(span.start, range.lowerBound),
          end: min(span.end, range.upperBound))
      }
      let expected = cut.afterRuleFour().rebased()
      #expect(summary.tracks[row].slices == expected.count)
      // A row without spans is no profile.
      let profile = model.profiles.first { $0.name == "row \(row)" }
      #expect(profile?.warnings ?? 0 == 0)
      #expect(profile?.spans ?? [] == expected, "seed \(seed), row \(row)")
      let track = again.tracks.firstIndex { $0.name == "row \(row)" }
      #expect(
        track.map { again.treeSpans(ofTrack: $0).rebased() } ?? [] == expected,
        "seed \(seed), row \(row)")
    }
  }

  @Test(arguments: 0..<40) func theEventedFormatHoldsEverySpan(seed: UInt64) throws {
    let trace = RandomTrace(seed: seed).trace
    var bytes: [UInt8] = []
    _ = unsafe SpeedscopeExport(trace).write { unsafe bytes.append(contentsOf: $0) }
    let profiles = try EventedReader(bytes).profiles
    #expect(profiles.map(\.name) == ["row 0", "row 1", "row 2"])
    for (row, profile) in profiles.enumerated() {
      #expect(profile.spans == trace.treeSpans(ofTrack: row), "seed \(seed), row \(row)")
    }
  }

  @Test func compressedExportsReadBack() throws {
    let trace = RandomTrace(seed: 5, rows: 2, spansPerRow: 20_000).trace
    var compressed: [UInt8] = []
    var gzip = GzipStream()
    _ = unsafe TraceEventExport(trace).write { piece in
      unsafe gzip.write(piece) { unsafe compressed.append(contentsOf: $0) }
    }
    unsafe gzip.finish { unsafe compressed.append(contentsOf: $0) }
    let plain = exported(trace).bytes
    #expect(compressed.count < plain.count / 4)
    let (kind, back) = unsafe compressed.withUnsafeBytes { bytes in
      (
        unsafe InputKind.detect(bytes),
        Result { () throws(ImportError) in
          let padded = try unsafe PaddedBytes(decompressing: bytes)
          return unsafe Array(padded.bytes)
        }
      )
    }
    #expect(kind == .gzip)
    #expect(try back.get() == plain)
  }

  @Test(arguments: ExportFormat.allCases)
  func formatsHaveNames(format: ExportFormat) throws {
    let trace = RandomTrace(seed: 9).trace
    var compressed: [UInt8] = []
    let summary = unsafe trace.export(as: format, isCompressed: true) {
      unsafe compressed.append(contentsOf: $0)
    }
    let back = try unsafe compressed.withUnsafeBytes { bytes in
      Result { () throws(ImportError) in
        let padded = try unsafe PaddedBytes(decompressing: bytes)
        return unsafe Array(padded.bytes)
      }
    }.get()
    #expect(back == trace.encoded(as: format))
    #expect(summary.tracks.count == 3)
    #expect(ExportFormat(rawValue: format == .speedscope ? "speedscope" : "trace-event") == format)
  }

  @Test func aSinkMayThrow() {
    struct DiskFull: Error {}
    let trace = RandomTrace(seed: 1).trace
    #expect(throws: DiskFull.self) {
      try unsafe TraceEventExport(trace).write { _ throws(DiskFull) in throw DiskFull() }
    }
    #expect(throws: DiskFull.self) {
      try unsafe SpeedscopeExport(trace).write { _ throws(DiskFull) in throw DiskFull() }
    }
  }
}

/// Reads speedscope's evented format.
struct EventedReader {
  struct Profile {
    var name: String
    var spans: [TreeSpan]
  }

  struct Broken: Error { var reason: String }

  let profiles: [Profile]

  init(_ bytes: [UInt8]) throws {
    let json = try JSONSerialization.jsonObject(with: Data(bytes))
    let file = try #require(json as? [String: Any])
    #expect(file["$schema"] as? String == "https://www.speedscope.app/file-format-schema.json")
    let shared = try #require(file["shared"] as? [String: Any])
    let frames = try #require(shared["frames"] as? [[String: Any]])
    let list = try #require(file["profiles"] as? [[String: Any]])
    profiles = try list.map { profile in
      #expect(profile["type"] as? String == "evented")
      #expect(profile["unit"] as? String == "nanoseconds")
      var spans: [TreeSpan] = []
      var open: [Int] = []
      var last = try #require((profile["startValue"] as? NSNumber)?.int64Value)
      for event in try #require(profile["events"] as? [[String: Any]]) {
        let frame = try #require((event["frame"] as? NSNumber)?.intValue)
        let at = try #require((event["at"] as? NSNumber)?.int64Value)
        let name = try #require(frames[frame]["name"] as? String)
        guard at >= last else { throw Broken(reason: "\(at) after \(last)") }
        last = at
        if event["type"] as? String == "O" {
          open.append(spans.count)
          spans.append(TreeSpan(depth: open.count - 1, name: name, start: at, end: .max))
        } else {
          guard let top = open.popLast() else { throw Broken(reason: "nothing is open") }
          guard spans[top].name == name else { throw Broken(reason: "\(name) is not open") }
          spans[top].end = at
        }
      }
      #expect(open.isEmpty)
      #expect(last <= (profile["endValue"] as? NSNumber)?.int64Value ?? -1)
      return Profile(name: profile["name"] as? String ?? "", spans: spans)
    }
  }
}
