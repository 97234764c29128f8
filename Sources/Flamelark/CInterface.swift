/// What `flamelark.h` declares and Swift does. The recording that C has started is kept here.
internal import Synchronization

private let startedByC = Mutex<Recording?>(nil)

private func start(_ make: () throws(RecordingError) -> Recording?) -> Bool {
  do {
    let recording = try make()
    startedByC.withLock { $0 = recording ?? $0 }
    return true
  } catch {
    StandardError.say("\(error)")
    return false
  }
}

@_cdecl("flamelark_start")
func startFromC(_ path: UnsafePointer<CChar>) -> Bool {
  let path = unsafe String(cString: path)
  return start { () throws(RecordingError) in try Recording.start(writingTo: path) }
}

@_cdecl("flamelark_start_if_requested")
func startFromCIfRequested() -> Bool {
  start { () throws(RecordingError) in try Recording.startIfRequested() }
}

@_cdecl("flamelark_stop")
func stopFromC() -> Bool {
  let recording = startedByC.withLock { recording in
    defer { recording = nil }
    return recording
  }
  do {
    try recording?.stop()
    return true
  } catch {
    StandardError.say("\(error)")
    return false
  }
}

@_cdecl("flamelark_name_thread")
func nameThreadFromC(_ name: UnsafePointer<CChar>) {
  Recording.nameThread(unsafe String(cString: name))
}
