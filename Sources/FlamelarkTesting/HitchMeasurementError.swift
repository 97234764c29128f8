internal import FlamelarkReport

/// Why hitches could not be measured.
public struct HitchMeasurementError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is in the way.
  public enum Reason: Sendable, Equatable {
    /// Another measurement runs in this process, at a file and line.
    case measuresAlready(at: String)
    /// This process records, and no measurement started that.
    case recordsAlready
    /// The package trait `CompiledOut` leaves nothing to be measured.
    case compiledOut
    /// Fewer than one iteration was asked for.
    case noIterations(Int)
    /// The warm-up is negative, or longer than 2³² seconds.
    case impossibleWarmUp
    /// The options limit the size of the trace, which then has not all frames.
    case limitedTrace
    /// The folder for traces could not be made: its path and the system's words.
    case cannotCreateFolder(String, String)
    /// The closure made no frames.
    case noFrames(iteration: Int)
    /// The closure made frames, but none of them counts: how many of the series there are, and why.
    case nothingCounts(iteration: Int, frames: Int, series: String, Uncounted)
    /// Frames of several series were made, and none of them was named.
    case severalSeries([String])
    /// Several series of the same name made frames.
    case sameName(String)
    /// No frames of the named series were made, but of others.
    case unknownSeries(String, among: [String])
    /// There was no activity of the name, but perhaps others.
    case unknownActivity(String, among: [String])
  }

  /// Why no frame counts.
  public enum Uncounted: Sendable, Equatable {
    /// None has an end: the loop came round once.
    case noEnd
    /// No frame was needed all the time.
    case rest
    /// The warm-up took all.
    case warmUp
    /// None lies within an activity of this name, outside of the warm-up.
    case activity(String)
  }

  /// What is in the way.
  public let reason: Reason

  init(_ reason: Reason) { self.reason = reason }

  /// One sentence: what, where, what to do.
  public var description: String {
    switch reason {
    case .measuresAlready(let place):
      "measureHitches at \(place) still runs in this process, and only one can: keep tests that "
        + "measure apart, in one suite with the trait .serialized, and don't call one inside another"
    case .recordsAlready:
      "this process records already, and only one recording can: stop it before measureHitches "
        + "(Recording.start, or FLAMELARK_RECORD in the environment of the tests)"
    case .compiledOut:
      "spans and frames are compiled out, so there is nothing to measure: build the tests without "
        + "the package trait CompiledOut"
    case .noIterations(let count):
      "measureHitches can't run \(count) iterations: ask for at least 1"
    case .impossibleWarmUp:
      "measureHitches can't skip that: the warm-up must be at least 0 and less than 2^32 seconds"
    case .limitedTrace:
      "measureHitches needs whole traces: leave maximumSize out of the recording's options"
    case .cannotCreateFolder(let path, let words):
      "can't create the folder \(path) for traces: \(words); choose one that can be written"
    case .noFrames(let iteration):
      "the closure made no frames\(of(iteration)): mark each pass of the loop with frames.mark(), "
        + #"where frames = FrameSeries("name", refresh: .hertz(60)), or begin and end them"#
    case .nothingCounts(let iteration, let frames, let series, let why):
      "of \(Figure.count(frames, "frame")) of \(quoted(series)) none counts\(of(iteration)): "
        + sentence(why)
    case .severalSeries(let names):
      "frames of \(Figure.count(names.count)) series were made, \(list(names)): say which one "
        + "counts, with series:; perhaps a test beside this one made the others"
    case .sameName(let name):
      "several series named \(quoted(name)) made frames: keep one FrameSeries for one loop"
    case .unknownSeries(let name, let known):
      "no frames of a series \(quoted(name)) were made, but of \(list(known)): check series:"
    case .unknownActivity(let name, let known):
      known.isEmpty
        ? "there was no activity \(quoted(name)) and no other: tell of it with withActivity or "
          + "frames.beginActivity"
        : "there was no activity \(quoted(name)), but \(list(known)): check activity:"
    }
  }

  private func sentence(_ why: Uncounted) -> String {
    switch why {
    case .noEnd: "each lasts until the next begins, so let the loop come round more often"
    case .rest: "the program said all the time that it needs none"
    case .warmUp: "all are left out as warm-up, so skip less or let the closure run longer"
    case .activity(let name):
      "none begins within \(quoted(name)) and outside of the warm-up, so check activity: and "
        + "skipping:"
    }
  }

  private func of(_ iteration: Int) -> String { iteration > 1 ? " in iteration \(iteration)" : "" }

  private func list(_ names: [String]) -> String {
    let shown = names.prefix(8).map { quoted($0) }.joined(separator: ", ")
    return names.count > 8 ? shown + " and \(names.count - 8) more" : shown
  }

  private func quoted(_ name: String) -> String { "\"\(PrintableText(name).text)\"" }
}
