internal import FlamelarkTrace

/// What the importer repairs, drops or doesn't read. Everything is counted.
enum ScanIssue: Int, CaseIterable {
  case cut, unreadableRest, trailingBytes, unreadableElements, emptyElements, otherElements
  case noPhase, unknownPhase, noTime, timeNotANumber, timeOutOfRange, decimalCommas
  case noDuration, cpuDuration, negativeDuration
  case orphanEnds, closedByOuterEnd, endBeforeBegin, neverEnded
  case clampedToParent, clampedToNext, overlapping, tooManyLanes, childFirst
  case noName, mendedNames, metadataWithoutName, counterValues, rogueTimes
  case asyncSteps, objects, memoryDumps, samples, otherPhases
  case stackSamples, systemTrace, noScopes

  /// In the plural, as ``Trace/Issue/text`` wants it.
  var text: String {
    switch self {
    case .cut: "files cut: whole events are kept, the rest is missing"
    case .unreadableRest: "ends of files too damaged to read on"
    case .trailingBytes: "texts behind the end of the JSON ignored"
    case .unreadableElements: "damaged elements skipped"
    case .emptyElements: "empty elements skipped"
    case .otherElements: "elements that are not events skipped"
    case .noPhase: "events without a phase skipped"
    case .unknownPhase: "events of unknown phases not read"
    case .noTime: "events without a time skipped"
    case .timeNotANumber: "events whose time is not a number skipped"
    case .timeOutOfRange: "events whose time is beyond 146 years skipped"
    case .decimalCommas: "times with a decimal comma read as with a point"
    case .noDuration: "spans without a duration taken as unfinished"
    case .cpuDuration: "spans without a duration given their CPU time"
    case .negativeDuration: "negative durations taken as zero"
    case .orphanEnds: "ends without a beginning ignored"
    case .closedByOuterEnd: "spans without an end closed by the end of one around them"
    case .endBeforeBegin: "ends before their beginning taken as zero duration"
    case .neverEnded: "spans without an end taken as unfinished"
    case .clampedToParent: "spans cut by up to 1 µs to end with the one around them"
    case .clampedToNext: "spans cut by up to 1 µs to end before the next"
    case .overlapping: "spans that overlap another moved to a lane"
    case .tooManyLanes: "spans cut at the end of the one around them: too many overlap"
    case .childFirst: "equal spans nested by the order of a writer that writes children first"
    case .noName: "events without a name"
    case .mendedNames: "names with invalid text mended"
    case .metadataWithoutName: "names of threads or processes without a text ignored"
    case .counterValues: "counter values that are not numbers skipped"
    case .rogueTimes: "events far away from all others, outside of the shown range"
    case .asyncSteps: "steps of asynchronous events not read"
    case .objects: "object events not read"
    case .memoryDumps: "memory dumps not read"
    case .samples: "sample events not read"
    case .otherPhases: "events of other phases not read"
    case .stackSamples: "lists of samples not read"
    case .systemTrace: "embedded system traces not read"
    case .noScopes: "traces without scopes: only instants and counters"
    }
  }
}

/// How often each issue happened, and where first.
struct ScanIssues {
  private var counts = [Int](repeating: 0, count: ScanIssue.allCases.count)
  private var offsets = [Int?](repeating: nil, count: ScanIssue.allCases.count)

  mutating func add(_ issue: ScanIssue, at offset: Int?, count: Int = 1) {
    if issue == .cut, counts[issue.rawValue] > 0 { return }
    counts[issue.rawValue] += count
    guard let offset else { return }
    offsets[issue.rawValue] = min(offsets[issue.rawValue] ?? .max, offset)
  }

  func count(of issue: ScanIssue) -> Int { counts[issue.rawValue] }
  func offset(of issue: ScanIssue) -> Int? { offsets[issue.rawValue] }

  var list: [Trace.Issue] {
    ScanIssue.allCases.compactMap { issue in
      let count = counts[issue.rawValue]
      return count == 0
        ? nil : Trace.Issue(issue.text, count: count, offset: offsets[issue.rawValue])
    }
  }
}
