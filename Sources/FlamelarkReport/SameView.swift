/// What somebody asked to see, as words of a command: a command that a report suggests has them, and
/// so shows the same frames in the same way.
public struct SameView: Sendable, Equatable {
  /// An option that says which frames are shown, or how they are judged.
  public enum Option: String, Sendable, CaseIterable {
    case frames = "--frames"
    case series = "--series"
    case refresh = "--refresh"
    case from = "--from"
    case to = "--to"
    case activity = "--activity"
    case skip = "--skip"
  }

  /// The trace, as it was named.
  public let file: String
  private var values: [Option: String]

  /// The view of a file. `values` are the options that were given, as they were written.
  public init(of file: String, values: [Option: String] = [:]) {
    self.file = file
    self.values = values
  }

  /// The same for one of the series of the file, which has to be named if there are several.
  func only(_ series: String, among count: Int) -> SameView {
    guard count > 1, values[.frames] == nil else { return self }
    var view = self
    view.values[.series] = series
    return view
  }

  /// A command as a shell takes it: `command`, those of the `options` that were given, what is
  /// `added`, the file, and the `operands` behind it.
  package func words(
    _ command: String, _ options: Set<Option>, adding added: [String] = [],
    operands: [String] = []
  ) -> [String] {
    let given = Option.allCases.filter { options.contains($0) }.compactMap { option in
      values[option].map { "\(option.rawValue) \(shellWord($0))" }
    }
    // A name with a dash in front would be taken for an option.
    let name = shellWord(file.hasPrefix("-") ? "./" + file : file)
    return ["flamelark \(command)"] + given + added + [name] + operands
  }
}

extension Set<SameView.Option> {
  /// The options by which every verb finds the frames of a series.
  static var whichFrames: Self { [.frames, .series, .refresh] }
  /// Those of `flame`.
  static var ofFlame: Self { Set(SameView.Option.allCases) }
}
