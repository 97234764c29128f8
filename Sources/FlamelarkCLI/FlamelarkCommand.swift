#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#else
#error("which libc?")
#endif

/// The `flamelark` command.
@main struct FlamelarkCommand {
  static func main() {
    let status: ExitStatus
    do {
      status = try run(Array(CommandLine.arguments.dropFirst()))
    } catch let complaint as Complaint {
      Terminal.say(complaint.sentence)
      status = .bad
    } catch {
      Terminal.say("\(error)")
      status = .bad
    }
    exit(status.rawValue)
  }

  private static func run(_ words: [String]) throws -> ExitStatus {
    if words == ["--version"] {
      try Terminal.print(Array(Help.version.utf8))
      return .fine
    }
    if words == ["--help"] || words == ["-h"] {
      try Terminal.print(Array(Help.overview.utf8))
      return .fine
    }
    let arguments = try Arguments(words)
    if arguments.wantsHelp {
      try Terminal.print(Array(Help.of(arguments.verb).utf8))
      return .fine
    }
    switch arguments.verb {
    case .help: return try help(arguments)
    case .blame: return try BlameCommand.run(arguments)
    case .hitch: return try HitchCommand.run(arguments)
    case .frames: return try FramesCommand.run(arguments)
    case .compare: return try CompareCommand.run(arguments)
    case .check: return try CheckCommand.run(arguments)
    case .flame: return try FlameCommand.run(arguments)
    case .spans: return try SpansCommand.run(arguments)
    case .info: return try InfoCommand.run(arguments)
    case .export: return try ExportCommand.run(arguments)
    case .pack: return try CopyCommand.pack(arguments)
    case .recover: return try CopyCommand.recover(arguments)
    }
  }

  private static func help(_ arguments: Arguments) throws -> ExitStatus {
    guard let word = arguments.operands.first else {
      try Terminal.print(Array(Help.overview.utf8))
      return .fine
    }
    let topic = try Arguments([word])
    try Terminal.print(Array(Help.of(topic.verb).utf8))
    return .fine
  }
}
