internal import CFlamelark
internal import FlamelarkFormat
internal import Synchronization

/// Judges the frames of all series together while a closure runs: a scroll, a transition.
///
/// Ratios and percentiles are taken over activities. Costs two records, not one a frame.
@inlinable @discardableResult
public func withActivity<Result: ~Copyable, Failure: Error>(
  _ name: StaticString, file: StaticString = #fileID, line: UInt32 = #line,
  _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  #if CompiledOut
  return try body()
  #else
  let activity = unsafe OpenActivity(
    name: name.characters, file: file.characters, line: line, series: 0)
  let result = try body()
  activity.end()
  return result
  #endif
}

/// An activity that has begun. It ends once: by `end()`, or when the token goes out of scope.
public struct OpenActivity: ~Copyable {
  #if !CompiledOut
  private static let count = Atomic<UInt64>(0)

  /// 0 when it is not recorded.
  @usableFromInline let number: UInt64

  @usableFromInline
  init(name: UnsafePointer<CChar>, file: UnsafePointer<CChar>, line: UInt32, series: UInt32) {
    guard fl_enter_to_record() else {
      number = 0
      return
    }
    defer { fl_leave() }
    guard unsafe fl_room() != nil else {
      number = 0
      return
    }
    number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    let site = unsafe fl_site(name, file, line, "")
    RecordWriter.write(.activityBegin, id: site, number, UInt64(series))
  }

  @usableFromInline
  static func end(_ number: UInt64) {
    guard fl_enter_to_record() else { return }
    RecordWriter.write(.activityEnd, id: 0, number, 0)
    fl_leave()
  }
  #else
  @inlinable @inline(__always)
  init() {}
  #endif

  /// Ends the activity, on any thread.
  @inlinable @inline(__always)
  public consuming func end() {}

  @inlinable @inline(__always)
  deinit {
    #if !CompiledOut
    if number != 0 { Self.end(number) }
    #endif
  }
}
