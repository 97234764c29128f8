/// The names of a file's counters, made of the event's name, its id and the argument's.
struct CounterNames {
  private let scanner: EventScanner
  private let arguments: [CounterKey: Int]
  private let hasManyProcesses: Bool

  init(_ scanner: EventScanner) {
    self.scanner = scanner
    // How many arguments each counter has.
    arguments = scanner.counterKeys.reduce(into: [:]) { counts, key in
      counts[Self.withoutArgument(key), default: 0] += 1
    }
    hasManyProcesses = Set(scanner.counterKeys.map(\.process)).count > 1
  }

  private static func withoutArgument(_ key: CounterKey) -> CounterKey {
    var key = key
    key.argument = RawNameTable.none
    return key
  }

  /// `memory`, `memory[id]`, `memory free` where there are several arguments.
  func text(of counter: Int) -> String {
    let key = scanner.counterKeys[counter]
    func string(_ name: UInt32) -> String {
      scanner.text.string(scanner.names.ranges[Int(name)]).text
    }
    var text = key.name == RawNameTable.none ? "(unnamed)" : string(key.name)
    if key.id != RawNameTable.none { text += "[\(string(key.id))]" }
    if arguments[Self.withoutArgument(key)] != 1 { text += " \(string(key.argument))" }
    if hasManyProcesses {
      switch key.process.kind {
      case .missing, .async: break
      case .number: text += " (process \(key.process.value))"
      case .text: text += " (process \(string(UInt32(key.process.value))))"
      }
    }
    return text
  }
}
