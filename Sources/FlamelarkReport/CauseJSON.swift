internal import FlamelarkAnalysis

extension Cause {
  /// Writes what a cause is and what it bears.
  func write(to json: inout JSONWriter) {
    let reason = CauseReason(of: self)
    json.array("path", of: path)
    json.member("kind", kind.rawValue)
    json.member("thread", thread)
    json.member("link", link?.rawValue)
    if let gap {
      json.object("gap", onOneLine: true) { json in
        json.member("after", gap.after)
        json.member("before", gap.before)
      }
    } else {
      json.member("gap", nil as String?)
    }
    json.member("blame_ns", blame)
    json.member("share", share)
    json.member("reason", reason.word)
    json.member("factor", reason.factor ?? .nan)
    json.member("normal_ns", normalTime)
    json.member("late_ns", lateTime)
    json.member("normal_calls", normalCalls)
    json.member("late_calls", lateCalls)
    json.member("file", file)
    json.member("line", line > 0 ? line : nil)
  }
}
