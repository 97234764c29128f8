extension FrameSeries {
  /// Which frame is meant, when something is learnt of it later or on another thread.
  ///
  /// It is a number and no part of the recording: it may be kept, and says nothing once that has ended.
  public struct FrameID: Sendable, Hashable {
    /// The frame's number in its series, from 0; -1 when nothing is recorded.
    public let number: Int64

    #if !CompiledOut
    /// Its number for monitors, -1 when the series has none.
    @usableFromInline let watched: Int64
    /// The series, and the low half of the recording's number.
    @usableFromInline let series: UInt32
    @usableFromInline let session: UInt32

    init(number: Int64, watched: Int64, series: UInt32, session: UInt32) {
      self.number = number
      self.watched = watched
      self.series = series
      self.session = session
    }

    /// Whether it is recorded or watched.
    @inlinable @inline(__always)
    var isFollowed: Bool { number >= 0 || watched >= 0 }

    func isOf(_ session: Int) -> Bool { self.session == UInt32(truncatingIfNeeded: session) }
    #endif

    @inlinable @inline(__always)
    init() {
      number = -1
      #if !CompiledOut
      watched = -1
      series = 0
      session = 0
      #endif
    }

    /// The id of all frames that are neither recorded nor watched.
    @inlinable public static var none: FrameID { FrameID() }
  }

  /// A frame that has begun. It ends once: by `end()`, or when the token goes out of scope.
  public struct OpenFrame: ~Copyable {
    /// What to call it later, and on other threads.
    public let id: FrameID
    /// When it is due: its target, or where that can't be, one refresh interval from its timestamp.
    public let target: SuspendingClock.Instant

    #if !CompiledOut
    @usableFromInline let recorder: FrameRecorder?

    @inlinable @inline(__always)
    init(id: FrameID, recorder: FrameRecorder?, due: SuspendingClock.Instant) {
      self.id = id
      self.recorder = recorder
      target = due
    }
    #else
    @inlinable @inline(__always)
    init(due: SuspendingClock.Instant) {
      id = .none
      target = due
    }
    #endif

    /// Its number in the series, from 0; -1 when nothing is recorded.
    @inlinable public var number: Int64 { id.number }

    /// How long it is until the frame is due; negative when that is past.
    ///
    /// It is for the program's own decisions, and tells the same whether anything is recorded or not.
    /// Costs one clock read.
    @inlinable
    public var timeLeft: Duration { SuspendingClock().now.duration(to: target) }

    /// Ends the frame: its work is done and it can be shown.
    @inlinable @inline(__always)
    public consuming func end() {}

    @inlinable @inline(__always)
    deinit {
      #if !CompiledOut
      recorder?.end(id)
      #endif
    }
  }
}
