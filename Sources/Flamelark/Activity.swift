internal import CFlamelark
internal import FlamelarkFormat
internal import Synchronization

/// Judges the frames of all series together while a closure runs: a scroll, a transition.
///
/// Ratios and percentiles are taken over activities. Costs two records, not one a frame.
@discardableResult
public func withActivity<Result: ~Copyable, Failure: Error>(
  _ name: StaticString, file: StaticString = #fileID, line: UInt32 = #line,
  _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  let activity = unsafe OpenActivity(
    name: name.characters, file: file.characters, line: line, series: 0)
  let result = try body()
  activity.end()
  return result
}

/// An activity that has begun. It ends once: by `end()`, or when the token goes out of scope.
public struct OpenActivity: ~Copyable {
  private static let count = Atomic<UInt64>(0)

  /// 0 when it is not recorded.
  private let number: UInt64

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
    let site = unsafe UInt32(truncatingIfNeeded: fl_site(name, file, line, ""))
    RecordWriter.write(.activityBegin, id: site, number, UInt64(series))
  }

  /// Ends the activity, on any thread.
  public consuming func end() {}

  deinit {
    guard number != 0, fl_enter_to_record() else { return }
    RecordWriter.write(.activityEnd, id: 0, number, 0)
    fl_leave()
  }
}
