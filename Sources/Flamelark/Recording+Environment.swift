#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

extension Recording {
  /// Starts recording if the environment variable `FLAMELARK_RECORD` names a file.
  ///
  /// The one line that a program needs to be recorded from outside. `%p` in the name stands for the
  /// process id. `FLAMELARK_MAXIMUM_DEPTH=64` and `FLAMELARK_MINIMUM_DURATION=50us` (ns, us, ms, s)
  /// stand over what `options` say.
  ///
  /// With `FLAMELARK_SIGNALS=1` the process starts a recording when it gets SIGUSR1 and stops it when
  /// it gets SIGUSR2, as often as it gets them; a line on the standard error says what goes wrong. A
  /// thread of the recorder's waits for the two, and the thread that calls this blocks them, for
  /// itself, for the threads and for the programs that it starts. So this has to be called before
  /// other threads start. Without that variable no signal is touched.
  ///
  /// - Parameter options: What to leave out.
  /// - Returns: nil when the variable is not set or empty, or signals start the recording.
  /// - Throws: If the files can't be made, a variable is not understood, or it is too late for
  ///   signals.
  public static func startIfRequested(
    options: Options = Options()
  ) throws(RecordingError) -> Recording? {
    guard let path = variable("FLAMELARK_RECORD") else { return nil }
    var options = options
    if let text = variable("FLAMELARK_MAXIMUM_DEPTH") {
      guard let depth = Int(text) else { throw RecordingError(.invalidOptions, path: path) }
      options.maximumDepth = depth
    }
    if let text = variable("FLAMELARK_MINIMUM_DURATION") {
      guard let duration = duration(text) else { throw RecordingError(.invalidOptions, path: path) }
      options.minimumDuration = duration
    }
    if variable("FLAMELARK_SIGNALS") == "1" {
      try SignalWatch.begin(path: path, options: options)
      return nil
    }
    return try start(writingTo: path, options: options)
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  /// A whole number and its unit.
  private static func duration(_ text: String) -> Duration? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int64(digits) else { return nil }
    return switch text[digits.endIndex...] {
    case "ns": .nanoseconds(number)
    case "us", "µs": .microseconds(number)
    case "ms": .milliseconds(number)
    case "s": .seconds(number)
    default: nil
    }
  }
}
