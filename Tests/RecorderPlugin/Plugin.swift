import Flamelark

/// What a program that knows nothing of the recorder calls in a library that records.
@_cdecl("plugin_start")
public func start(_ path: UnsafePointer<CChar>) -> Int32 {
  (try? Recording.start(writingTo: String(cString: path))) == nil ? 1 : 0
}

/// Takes so many spans.
@_cdecl("plugin_work")
public func work(_ count: Int32) {
  for _ in 0..<count { withSpan("plugin work") {} }
}
