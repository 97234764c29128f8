import FlamelarkAnalysis
import FlamelarkInterchange
import FlamelarkTrace
import Foundation
import _FlamelarkTestSupport

/// Makes one named span of a real trace longer in one to four frames, so that each is late by 0.25
/// to 1 of what it may take, and looks whether that span comes first in the blame for those frames.
///
/// It does if the first cause is its path, or a path around it of whose time above normal it makes
/// at least 70 %.
struct StretchCheck {
  private let sources: [RealTrace]
  private let command: BlameCommand
  private var random: SeededGenerator

  /// Real traces whose frames have to be named, beside those where they are clear.
  private static let named: [String: [String]] = [
    "real/lighthouse-animation.json.gz": ["BeginMainThreadFrame", "BeginFrame"],
    "catapult/lthi_cats.json.gz": ["BeginFrame", "SwapBuffers"],
    "catapult/perf_sampling_trace_with_trace_events.json.gz": [
      "BeginFrame", "ContentViewCore:updateFrameInfo",
      "BenchmarkInstrumentation::MainThreadRenderingStats",
    ],
    "catapult/multiple_input_latency.json.gz": [
      "BenchmarkInstrumentation::MainThreadRenderingStats",
      "BenchmarkInstrumentation::ImplThreadRenderingStats",
    ],
  ]

  init(corpus: String, command: BlameCommand, seed: UInt64) throws {
    self.command = command
    random = SeededGenerator(seed: seed)
    let index = try String(contentsOfFile: corpus + "/INDEX.tsv", encoding: .utf8)
    let files = index.split(separator: "\n").dropFirst().compactMap {
      $0.split(separator: "\t").first.map(String.init)
    }
    // Files that are hand-made, or none at all, have no frames.
    let real = files.filter { !$0.hasPrefix("synthetic/") }
    var sources: [RealTrace] = []
    for file in real {
      guard let trace = Self.trace(at: corpus + "/" + file) else { continue }
      let names: [String?] = Self.named[file] ?? [nil]
      for name in names {
        guard let source = RealTrace(trace, name: file, frames: name) else {
          if let name { print("\(file): frames \(name) don't qualify") }
          continue
        }
        sources.append(source)
        let inTime = source.judged.frames.count { $0.lateness == 0 }
        print(
          "\(file): frames \(source.frames), \(source.judged.frames.count), \(source.rate) Hz,",
          "\(inTime) in time, \(source.places.count) paths on \(trace.tracks[source.track].name)")
      }
    }
    guard !sources.isEmpty else {
      throw BlameCommand.Failure(description: "no trace of \(corpus) has frames")
    }
    self.sources = sources
  }

  private static func trace(at path: String) -> Trace? {
    guard let file = try? MappedFile(path: path) else { return nil }
    switch unsafe InputKind.detect(file.bytes) {
    case .gzip:
      guard let bytes = try? unsafe PaddedBytes(decompressing: file.bytes) else { return nil }
      return try? Trace(traceEvents: bytes)
    default: return try? Trace(traceEvents: PaddedBytes(file))
    }
  }

  /// A frame that was made late.
  private struct Case {
    let frame: Int
    let gap: Gap
    let lateness: Int64
  }

  /// Judges so many frames. Prints each that was blamed wrongly, and how many were not.
  ///
  /// - Returns: How many were blamed rightly.
  mutating func run(count: Int) throws -> Int {
    var tallies = Array(repeating: (right: 0, all: 0), count: sources.count)
    var left = count
    while left > 0 {
      let index = Int.random(in: sources.indices, using: &random)
      let (cases, path) = cases(of: sources[index], atMost: left)
      let right = try judge(cases, path: path, in: sources[index])
      tallies[index].right += right
      tallies[index].all += cases.count
      left -= cases.count
    }
    for (source, tally) in zip(sources, tallies) where tally.all > 0 {
      print("\(source.name), \(source.frames): \(tally.right) of \(tally.all)")
    }
    return tallies.reduce(0) { $0 + $1.right }
  }

  /// One to four frames, at least four apart, and a path that they all have.
  private mutating func cases(of source: RealTrace, atMost: Int) -> ([Case], path: [String]) {
    let (path, places) = source.places[
      Int.random(in: source.places.indices, using: &random)]
    let wanted = min(atMost, Int.random(in: 1...4, using: &random))
    var cases: [Case] = []
    for place in places.shuffled(using: &random) where cases.count < wanted {
      if cases.contains(where: { abs($0.frame - place.frame) < 4 }) { continue }
      let frame = source.judged.frames[place.frame]
      let part = Double.random(in: 0.25...1, using: &random)
      let lateness = Int64((part * Double(frame.interval)).rounded())
      let slack = frame.target - frame.window.upperBound
      let span = place.spans[Int.random(in: place.spans.indices, using: &random)]
      cases.append(
        Case(
          frame: place.frame, gap: Gap(span: span, length: slack + lateness), lateness: lateness))
    }
    return (cases, source.paths[path])
  }

  private func judge(_ cases: [Case], path: [String], in source: RealTrace) throws -> Int {
    var trace = source.trace
    // The last first, so that the times of the others stay.
    for stretched in cases.sorted(by: { $0.frame > $1.frame }) {
      trace = stretched.gap.inserted(into: trace)
    }
    try trace.checkInvariants()
    let series = try command.blame(trace, frames: source.frames, rate: source.rate)
    var right = 0
    for stretched in cases {
      let hitch = series.hitches.first { $0.frame == stretched.frame }
      guard let hitch, abs(hitch.lateness_ns - stretched.lateness) < 1000 else {
        throw BlameCommand.Failure(
          description: "\(source.name): frame \(stretched.frame) should be late by "
            + "\(stretched.lateness) ns, but is by \(hitch?.lateness_ns ?? 0)")
      }
      if let first = hitch.causes.first, isRight(first, path: path, by: stretched.gap.length) {
        right += 1
      } else {
        print(
          "  wrong: \(source.name), frame \(stretched.frame): \(path.joined(separator: " > "))",
          "longer by \(stretched.gap.length / 1000) us, late by \(stretched.lateness / 1000) us")
        for cause in hitch.causes.prefix(3) { print("    \(cause)") }
      }
    }
    return right
  }

  private func isRight(_ cause: BlamedCause, path: [String], by length: Int64) -> Bool {
    guard cause.kind == "span", cause.thread == nil, path.starts(with: cause.path) else {
      return false
    }
    return cause.path.count == path.count
      || Double(length) >= 0.7 * Double(cause.late_ns - cause.normal_ns)
  }
}
