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
  /// stand over what `options` say; `FLAMELARK_FILTERS='name=tile,minimum=1ms;category=text,depth=3'`
  /// over their filters.
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
    guard let options = overridden(options) else {
      throw RecordingError(.invalidOptions, path: path)
    }
    if variable("FLAMELARK_SIGNALS") == "1" {
      try SignalWatch.begin(path: path, options: options)
      return nil
    }
    return try start(writingTo: path, options: options)
  }

  /// Options with what the environment says in place of theirs, nil if that is not understood.
  private static func overridden(_ options: Options) -> Options? {
    var options = options
    if let text = variable("FLAMELARK_MAXIMUM_DEPTH") {
      guard let depth = Int(text) else { return nil }
      options.maximumDepth = depth
    }
    if let text = variable("FLAMELARK_MINIMUM_DURATION") {
      guard let duration = duration(text) else { return nil }
      options.minimumDuration = duration
    }
    if let text = variable("FLAMELARK_FILTERS") {
      let filters = text.split(separator: ";").map(filter)
      guard !filters.contains(where: { $0 == nil }) else { return nil }
      options.filters = filters.compactMap(\.self)
    }
    return options
  }

  /// One filter, as `name=tile,minimum=1ms,depth=3`.
  private static func filter(_ text: Substring) -> Filter? {
    var subject: Filter.Subject?
    var depth: Int?
    var minimum: Duration?
    for part in text.split(separator: ",") {
      guard let equals = part.firstIndex(of: "=") else { return nil }
      let value = String(part[part.index(after: equals)...])
      switch part[..<equals] {
      case "name": subject = .name(value)
      case "category": subject = .category(value)
      case "depth":
        depth = Int(value)
        if depth == nil { return nil }
      case "minimum":
        minimum = duration(value)
        if minimum == nil { return nil }
      default: return nil
      }
    }
    return subject.map { Filter(subject: $0, maximumDepth: depth, minimumDuration: minimum) }
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
