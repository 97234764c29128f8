internal import CFlamelark

// What `flamelark.h` declares of frames and Swift does. A series lives as long as the process.

@_cdecl("flamelark_frames_create")
func createFramesFromC(_ name: UnsafePointer<CChar>, _ hertz: Double) -> OpaquePointer? {
  guard hertz >= 1e-9, hertz <= 1e9 else { return nil }
  #if CompiledOut
  return unsafe OpaquePointer(bitPattern: 1)
  #else
  let recorder = FrameRecorder(name: unsafe String(cString: name), refresh: .hertz(hertz))
  return unsafe OpaquePointer(Unmanaged.passRetained(recorder).toOpaque())
  #endif
}

#if CompiledOut
@_cdecl("flamelark_frames_mark_on")
func markFromC(_ frames: OpaquePointer) {}

@_cdecl("flamelark_frame_begin_on")
func beginFrameFromC(
  _ frames: OpaquePointer, _ timestamp: Int64, _ target: Int64,
  _ frame: UnsafeMutablePointer<fl_frame>
) {}

@_cdecl("flamelark_frame_end_on")
func endFrameFromC(_ frames: OpaquePointer, _ frame: UnsafePointer<fl_frame>) {}

@_cdecl("flamelark_frame_presented_on")
func presentedFromC(_ frames: OpaquePointer, _ frame: UnsafePointer<fl_frame>, _ time: Int64) {}

@_cdecl("flamelark_frame_discarded_on")
func discardedFromC(_ frames: OpaquePointer, _ frame: UnsafePointer<fl_frame>) {}

@_cdecl("flamelark_frames_change")
func changeFramesFromC(_ frames: OpaquePointer, _ change: Int32) {}
#else
private func recorder(_ frames: OpaquePointer) -> FrameRecorder {
  unsafe Unmanaged<FrameRecorder>.fromOpaque(UnsafeRawPointer(frames)).takeUnretainedValue()
}

extension FrameSeries.FrameID {
  fileprivate init(_ frame: fl_frame) {
    self.init(
      number: frame.number, watched: frame.watched, series: frame.series, session: frame.session)
  }
}

@_cdecl("flamelark_frames_mark_on")
func markFromC(_ frames: OpaquePointer) { unsafe recorder(frames).mark() }

@_cdecl("flamelark_frame_begin_on")
func beginFrameFromC(
  _ frames: OpaquePointer, _ timestamp: Int64, _ target: Int64,
  _ frame: UnsafeMutablePointer<fl_frame>
) {
  let id = unsafe recorder(frames).begin(
    timestamp: timestamp, target: target > timestamp ? target : nil)
  unsafe frame.pointee = fl_frame(
    number: id.number, watched: id.watched, series: id.series, session: id.session)
}

@_cdecl("flamelark_frame_end_on")
func endFrameFromC(_ frames: OpaquePointer, _ frame: UnsafePointer<fl_frame>) {
  unsafe recorder(frames).end(FrameSeries.FrameID(frame.pointee))
}

@_cdecl("flamelark_frame_presented_on")
func presentedFromC(_ frames: OpaquePointer, _ frame: UnsafePointer<fl_frame>, _ time: Int64) {
  unsafe recorder(frames).presented(FrameSeries.FrameID(frame.pointee), at: time)
}

@_cdecl("flamelark_frame_discarded_on")
func discardedFromC(_ frames: OpaquePointer, _ frame: UnsafePointer<fl_frame>) {
  unsafe recorder(frames).discarded(FrameSeries.FrameID(frame.pointee))
}

/// 0 pauses, 1 goes on, 2 needs no frame, 3 needs one: also while nothing is recorded, since what is needed
/// outlasts a recording.
@_cdecl("flamelark_frames_change")
func changeFramesFromC(_ frames: OpaquePointer, _ change: Int32) {
  let recorder = unsafe recorder(frames)
  switch change {
  case 0: recorder.pause()
  case 1: recorder.resume()
  case 2: recorder.needsNoFrame()
  default: recorder.needsFrame()
  }
}
#endif
