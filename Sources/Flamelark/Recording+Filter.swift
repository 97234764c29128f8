extension Recording {
  /// What spans of one name or one category are left out by, where that differs from what holds for
  /// all.
  ///
  /// What a filter of the name doesn't say, one of the category says, else the options do. So a
  /// name can also be kept from the least duration of all the others: `shorterThan: .zero`.
  public struct Filter: Sendable, Equatable {
    enum Subject: Sendable, Equatable {
      case name(String)
      case category(String)
    }

    let subject: Subject
    let maximumDepth: Int?
    let minimumDuration: Duration?

    /// Filters the spans of a name.
    ///
    /// - Parameters:
    ///   - name: The name of the spans.
    ///   - depth: Not recorded inside this many others, 0…255; 0: never. They are counted. nil: as
    ///     others.
    ///   - duration: Shorter ones are summed up. nil: as others.
    /// - Returns: The filter, for the options of a recording.
    public static func name(
      _ name: String, deeperThan depth: Int? = nil, shorterThan duration: Duration? = nil
    ) -> Filter {
      Filter(subject: .name(name), maximumDepth: depth, minimumDuration: duration)
    }

    /// Filters the spans of a category, in the same way.
    public static func category(
      _ category: String, deeperThan depth: Int? = nil, shorterThan duration: Duration? = nil
    ) -> Filter {
      Filter(subject: .category(category), maximumDepth: depth, minimumDuration: duration)
    }

    var isPossible: Bool {
      (0...255).contains(maximumDepth ?? 0) && (minimumDuration ?? .zero).isPossibleMinimum
    }
  }
}

extension Duration {
  /// Whether it can be a least duration: 0 to 11 days.
  var isPossibleMinimum: Bool { self >= .zero && self < .seconds(1_000_000) }

  /// In nanoseconds, the rest cut off; not negative.
  var wholeNanoseconds: UInt64 {
    let parts = components
    return UInt64(parts.seconds) * 1_000_000_000 + UInt64(parts.attoseconds / 1_000_000_000)
  }
}
