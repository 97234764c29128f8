public import Flamelark

/// Records what a closure does and judges the frames that it makes.
///
/// For tests: run the app's loop in the closure, then say what ratio is good.
///
///     let hitches = try measureHitches(iterations: 5, skipping: .seconds(1)) { app.scroll() }
///     #expect(hitches.ratio < 5, "\(hitches)")
///     XCTAssertLessThan(hitches.ratio, 5, "\(hitches)")
///
/// The app says what its frames are, with a `FrameSeries`, as it does outside of tests. Only frames of
/// this process count. The trace also has the spans of all other threads that record meanwhile.
///
/// Only one measurement runs in a process, since a recording takes in all of it; a second one throws,
/// also inside of the closure. Swift Testing runs tests beside each other: put those that measure into
/// one suite with the trait `.serialized`, which keeps them apart.
///
/// Starting and reading a recording takes some milliseconds an iteration, outside of what is measured.
///
/// - Parameters:
///   - iterations: How often the closure runs, each time in a recording of its own.
///   - warmUp: What is left out at the beginning of each iteration, counted from its first frame.
///   - series: The name of the frame series. nil: the only one that has frames.
///   - activity: Only frames within activities of this name count, of `withActivity` or
///     `FrameSeries.beginActivity`. nil: all.
///   - options: What the recordings leave out.
///   - folder: Where the traces are kept, made if it isn't there. nil: what the environment variable
///     `FLAMELARK_TRACES` says; without it, see ``Hitches/traces``.
///   - file: Left out.
///   - line: Left out.
///   - function: Left out. It gives the traces their names.
///   - body: What to measure.
/// - Returns: What the frames were like, over all iterations.
/// - Throws: What the closure throws; ``HitchMeasurementError`` where nothing could be judged;
///   `RecordingError` and `TraceReadError` where a trace could not be written or read.
public func measureHitches(
  iterations: Int = 1, skipping warmUp: WarmUp = .nothing, series: String? = nil,
  activity: String? = nil, options: Recording.Options = .init(),
  keepingTracesIn folder: String? = nil, file: StaticString = #fileID, line: UInt32 = #line,
  function: StaticString = #function, _ body: () throws -> Void
) throws -> Hitches {
  let question = Question(
    series: series, activity: activity, warmUp: warmUp, iterations: iterations,
    options: options, place: Place(file: file, line: line, function: function))
  var measurement = try Measurement(question, keepingTracesIn: folder)
  defer { measurement.end() }
  for _ in 0..<iterations {
    let iteration = try measurement.begin()
    do {
      try body()
    } catch {
      iteration.abandon()
      throw error
    }
    try measurement.take(iteration.stop())
  }
  return measurement.hitches
}

/// The same for a closure with `await` in it, which is isolated as the code around it.
///
/// - Parameters:
///   - iterations: How often the closure runs, each time in a recording of its own.
///   - warmUp: What is left out at the beginning of each iteration, counted from its first frame.
///   - series: The name of the frame series. nil: the only one that has frames.
///   - activity: Only frames within activities of this name count. nil: all.
///   - options: What the recordings leave out.
///   - folder: Where the traces are kept.
///   - file: Left out.
///   - line: Left out.
///   - function: Left out.
///   - body: What to measure.
/// - Returns: What the frames were like, over all iterations.
/// - Throws: As the one without `await`.
public nonisolated(nonsending) func measureHitches(
  iterations: Int = 1, skipping warmUp: WarmUp = .nothing, series: String? = nil,
  activity: String? = nil, options: Recording.Options = .init(),
  keepingTracesIn folder: String? = nil, file: StaticString = #fileID, line: UInt32 = #line,
  function: StaticString = #function, _ body: @concurrent () async throws -> Void
) async throws -> Hitches {
  let question = Question(
    series: series, activity: activity, warmUp: warmUp, iterations: iterations,
    options: options, place: Place(file: file, line: line, function: function))
  var measurement = try Measurement(question, keepingTracesIn: folder)
  defer { measurement.end() }
  for _ in 0..<iterations {
    let iteration = try measurement.begin()
    do {
      try await body()
    } catch {
      iteration.abandon()
      throw error
    }
    try measurement.take(iteration.stop())
  }
  return measurement.hitches
}
