/// Tells a program once a second how its frames come, while nothing needs to be recorded.
///
///     let monitor = FrameMonitor(of: frames) { second in
///       label.text = "\(second.fps) fps, \(second.hitchRatio) ms/s"
///     }
///
/// It judges frames by the rule of the reports: of a loop that is recorded beside it, the seconds add up to
/// what the analysis finds. It ends once: by ``stop()``, or when it goes out of scope; until then it has
/// to be kept. A series may have several.
///
/// A second is one of active time, in which frames are wanted: rest and pauses are no part of it. The frame
/// with which it is full closes it and the next frame begins the next second, so that no frame is
/// between two of them. A frame that takes longer than a second closes its second, which then is as long.
///
/// A mark with a monitor costs 400 instructions, some 45 ns; a frame of a display link 1,200, some 110 ns.
/// Where nobody follows frames they cost what they cost without monitors.
public struct FrameMonitor: ~Copyable, Sendable {
  #if !CompiledOut
  @usableFromInline let recorder: FrameRecorder
  @usableFromInline let watcher: FrameWatcher
  #endif

  /// Begins with the next frame of a series. On any thread, also while frames run.
  ///
  /// - Parameters:
  ///   - frames: The series.
  ///   - report: Is called with each second, where the frame ends that closes it: in ``FrameSeries/mark()`` or
  ///     `begin` of the next frame, on the loop's thread, whose time it takes. Where the program says when
  ///     frames are shown, that may also be the thread that says it. No lock is held: in it
  ///     frames may end and begin, and monitors too, this one included.
  @inlinable @inline(__always)
  public init(of frames: FrameSeries, _ report: @escaping @Sendable (Second) -> Void) {
    #if !CompiledOut
    self.init(recorder: frames.recorder, report)
    #endif
  }

  #if !CompiledOut
  @usableFromInline
  init(recorder: FrameRecorder, _ report: @escaping @Sendable (Second) -> Void) {
    self.recorder = recorder
    watcher = FrameWatcher(report)
    recorder.add(watcher)
  }
  #endif

  /// Ends the monitor, on any thread. A call that another thread makes just then is finished; no other
  /// follows, and a second that is not full is told to nobody.
  @inlinable @inline(__always)
  public consuming func stop() {}

  @inlinable @inline(__always)
  deinit {
    #if !CompiledOut
    Self.remove(watcher, from: recorder)
    #endif
  }

  #if !CompiledOut
  @usableFromInline
  static func remove(_ watcher: FrameWatcher, from recorder: FrameRecorder) {
    recorder.remove(watcher)
  }
  #endif
}
