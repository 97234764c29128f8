import FlamelarkAnalysis
import FlamelarkTrace
import Glibc

/// Reads traces and prints what that costs.
///
///     ReadCost write FILE COUNT       writes a trace of COUNT spans, the same each time
///     ReadCost write-sums FILE COUNT  writes one of COUNT spans and sums of spans, mostly sums
///     ReadCost write-frames FILE COUNT FRAMES  writes one of about COUNT spans in frames
///     ReadCost pack FILE OUT          writes it packed, as `flamelark pack` does
///     ReadCost ratio FILE             the time to read it, as a multiple of a copy of its bytes
///     ReadCost memory FILE            the memory to read it, above the file, in bytes a span or sum
///     ReadCost blame FILE             the time to read and blame it, as a multiple of such a copy
///     ReadCost blame-memory FILE      the memory to read and blame it, above the file, in bytes a span
@main struct ReadCost {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3 else {
      print(
        "usage: ReadCost write FILE COUNT | write-sums FILE COUNT | write-frames FILE COUNT FRAMES",
        "| pack FILE OUT | ratio FILE | memory FILE | blame FILE | blame-memory FILE")
      exit(2)
    }
    let path = arguments[2]
    switch (arguments[1], arguments.count) {
    case ("write", 4), ("write-sums", 4):
      guard let count = Int(arguments[3]), let output = fopen(path, "w") else { exit(2) }
      var writer = TraceWriter(output)
      if arguments[1] == "write" {
        writer.write(spanCount: count)
      } else {
        writer.writeSums(count: count)
      }
      fclose(output)
    case ("write-frames", 5):
      guard let count = Int(arguments[3]), let frames = Int(arguments[4]), frames > 0,
        let output = fopen(path, "w")
      else { exit(2) }
      var writer = FramesWriter(TraceWriter(output), spansPerFrame: count / frames)
      writer.write(frameCount: frames)
      fclose(output)
    case ("pack", 4):
      guard let output = fopen(arguments[3], "w") else { exit(2) }
      _ = try RecordingCopy(of: path).write(packed: true) { bytes in
        fwrite(bytes.baseAddress, 1, bytes.count, output)
      }
      fclose(output)
    case ("ratio", 3): try printRatio(path)
    case ("memory", 3): try printMemory(path)
    case ("blame", 3): try printBlame(path)
    case ("blame-memory", 3): try printBlameMemory(path)
    default: exit(2)
    }
  }

  /// Copies and reads in turns, so that both meet the same machine; the best of five counts. CPU time,
  /// so that what else runs there is left out.
  static func printRatio(_ path: String) throws {
    let file = try MappedFile(path: path)
    let byteCount = file.count
    let source = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
    let copy = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
    memcpy(source, file.bytes.baseAddress!, byteCount)
    memcpy(copy, source, byteCount)
    var (bestCopy, bestRead) = (Int.max, Int.max)
    var spans = 1
    for round in 0..<5 {
      bestCopy = min(bestCopy, time { memcpy(copy, source, byteCount) })
      // What nobody looks at the compiler leaves out.
      let place = byteCount / 5 * round
      guard memcmp(source + place, copy + place, 1) == 0 else { exit(2) }
      bestRead = min(bestRead, try time { spans = try count(Trace(contentsOf: path)) })
    }
    let perSpan = Double(bestRead) / Double(spans)
    print(
      "ratio \(Double(bestRead) / Double(bestCopy)) ns \(perSpan)",
      "copy \(Double(bestCopy) / Double(spans)) bytes \(Double(byteCount) / Double(spans))")
  }

  static func time(_ work: () throws -> Void) rethrows -> Int {
    let start = nanoseconds()
    try work()
    return nanoseconds() - start
  }

  static func nanoseconds() -> Int {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return now.tv_sec * 1_000_000_000 + now.tv_nsec
  }

  /// The file itself counts to the resident memory too, since it is mapped and all of it is read.
  static func printMemory(_ path: String) throws {
    let byteCount = try MappedFile(path: path).count
    let before = peakBytes()
    let trace = try Trace(contentsOf: path)
    let above = peakBytes() - before - byteCount
    print("memory \(Double(above) / Double(count(trace))) spans \(trace.spans.count)")
    print("issues \(trace.issues.count)")
  }

  /// The same as ``printRatio(_:)`` with a blame of the frames of the first series, best of three.
  static func printBlame(_ path: String) throws {
    let file = try MappedFile(path: path)
    let byteCount = file.count
    let source = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
    let copy = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
    memcpy(source, file.bytes.baseAddress!, byteCount)
    memcpy(copy, source, byteCount)
    var (bestCopy, bestRead, bestBlame) = (Int.max, Int.max, Int.max)
    var (spans, frames, hitches) = (1, 0, 0)
    for round in 0..<3 {
      bestCopy = min(bestCopy, time { memcpy(copy, source, byteCount) })
      let place = byteCount / 3 * round
      guard memcmp(source + place, copy + place, 1) == 0 else { exit(2) }
      var trace = Trace()
      bestRead = min(bestRead, try time { trace = try Trace(contentsOf: path) })
      bestBlame = min(
        bestBlame,
        time {
          let blame = Blame(of: trace, series: trace.frameSeries[0])
          (frames, hitches) = (blame.frames.frames.count, blame.hitches.count)
        })
      spans = count(trace)
    }
    let perSpan = Double(bestRead + bestBlame) / Double(spans)
    print(
      "ratio \(Double(bestRead + bestBlame) / Double(bestCopy)) ns \(perSpan)",
      "read \(Double(bestRead) / Double(spans)) copy \(Double(bestCopy) / Double(spans))",
      "spans \(spans) frames \(frames) hitches \(hitches)")
  }

  static func printBlameMemory(_ path: String) throws {
    let byteCount = try MappedFile(path: path).count
    let before = peakBytes()
    let trace = try Trace(contentsOf: path)
    let read = peakBytes() - before - byteCount
    let blame = Blame(of: trace, series: trace.frameSeries[0])
    let above = peakBytes() - before - byteCount
    let spans = Double(count(trace))
    print("memory \(Double(above) / spans) read \(Double(read) / spans)")
    print("hitches \(blame.hitches.count) issues \(trace.issues.count)")
  }

  static func count(_ trace: Trace) -> Int { trace.spans.count + trace.folded.count }

  static func peakBytes() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  }
}
