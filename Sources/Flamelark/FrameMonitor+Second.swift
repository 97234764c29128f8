extension FrameMonitor {
  /// How the frames of a second came.
  ///
  /// A second has at least one frame.
  public struct Second: Sendable, Equatable {
    /// How many frames came: those that were wanted, and have ended. Where the program says when
    /// frames are shown, those that were.
    public let frames: Int
    /// How many of them were late.
    public let hitches: Int
    /// By how much they were late together, in nanoseconds.
    let hitchNanoseconds: Int64
    /// The time in which frames were wanted, in nanoseconds: at least a second.
    let activeNanoseconds: Int64
    /// The frame that was latest; where none was late, the one that took longest.
    public let worstFrame: Frame

    /// Frames in a second of active time.
    public var fps: Double { Double(frames) / Double(activeNanoseconds) * 1e9 }

    /// Milliseconds of lateness in a second of active time: 0…1000. Below 5 is good for scrolling,
    /// above 10 critical: Xcode's Organizer.
    public var hitchRatio: Double {
      Double(hitchNanoseconds) / Double(activeNanoseconds) * 1000
    }

    /// By how much frames were late together. Never more than ``activeTime``.
    public var hitchTime: Duration { .nanoseconds(hitchNanoseconds) }

    /// The time in which frames were wanted: a second and what the last frame took beyond it.
    public var activeTime: Duration { .nanoseconds(activeNanoseconds) }
  }

  /// A frame that a monitor tells of.
  public struct Frame: Sendable, Equatable {
    /// Its number in the recording, which `flamelark hitch` takes; nil when it is not recorded.
    public let number: Int64?
    let nanoseconds: Int64
    let lateNanoseconds: Int64

    /// How long it took, to the beginning of the next or of a rest; where the program says when frames are
    /// shown, from when the one before it was.
    public var duration: Duration { .nanoseconds(nanoseconds) }

    /// By how much it was late, zero if it was not.
    public var lateness: Duration { .nanoseconds(lateNanoseconds) }
  }
}
