extension FrameRule {
  /// What a rule says of some frames.
  public struct Outcome: Sendable, Equatable {
    /// The rule.
    public let rule: FrameRule
    /// The time of a frame that it looked at.
    public let time: Time
    /// How many frames it could judge.
    public let judged: Int
    /// The kinds of bad frames, in the order of its owner's words.
    public let classes: [Class]
    /// What its owner computes from them.
    public let figures: [Figure]
  }

  /// The time of a frame that a rule looks at.
  public enum Time: String, Sendable {
    /// From a frame's timestamp to when the program had it ready.
    case work
    /// From a frame's timestamp to that of the next.
    case frameToFrame = "frame-to-frame"
    /// From when the frame before it was shown to when it was.
    case shownToShown = "shown-to-shown"
  }

  /// The frames that a rule calls by one name.
  public struct Class: Sendable, Equatable {
    /// The name that the rule's owner uses.
    public let name: String
    /// The class whose frames these are too, nil if they are in no other.
    public var partOf: String?
    /// The numbers of the frames, ascending.
    public var frames: [Int]

    /// How many they are.
    public var count: Int { frames.count }
  }

  /// A named number with its unit.
  public struct Figure: Sendable, Equatable {
    /// The name that the rule's owner uses.
    public let name: String
    /// The number, nil where there was nothing to compute it from.
    public let value: Double?
    /// What it counts.
    public let unit: Unit
  }

  /// What a figure counts.
  public enum Unit: String, Sendable {
    /// Hundredths of a whole.
    case percent = "%"
    /// Milliseconds.
    case milliseconds = "ms"
    /// Seconds.
    case seconds = "s"
    /// How many in a minute.
    case perMinute = "/min"
    /// How many in ten minutes.
    case perTenMinutes = "/10min"
  }
}

extension FrameRule.Outcome {
  /// The numbers of the frames that are in any class, ascending. O(n log n) of them.
  public var badFrames: [Int] {
    // No frame is in two classes of which neither is part of the other.
    let whole = classes.filter { $0.partOf == nil }
    return whole.count == 1 ? whole[0].frames : whole.flatMap(\.frames).sorted()
  }
}

extension FrameRule.Class {
  init(_ name: String, partOf: String? = nil) {
    self.init(name: name, partOf: partOf, frames: [])
  }
}

extension FrameRule.Figure {
  /// Hundredths, nil where the whole is nothing.
  static func percent(_ name: String, _ part: some BinaryInteger, of whole: some BinaryInteger)
    -> Self
  {
    Self(name: name, value: whole > 0 ? Double(part) / Double(whole) * 100 : nil, unit: .percent)
  }

  /// How many in each `seconds`, nil where no time passed.
  static func rate(
    _ name: String, _ count: Int, each seconds: Int, in time: Int64, _ unit: FrameRule.Unit
  )
    -> Self
  {
    let value = time > 0 ? Double(count) * Double(seconds) / (Double(time) / 1e9) : nil
    return Self(name: name, value: value, unit: unit)
  }

  static func milliseconds(_ name: String, _ nanoseconds: Double?) -> Self {
    Self(name: name, value: nanoseconds.map { $0 / 1e6 }, unit: .milliseconds)
  }
}
