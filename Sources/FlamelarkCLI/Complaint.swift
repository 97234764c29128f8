/// What keeps a command from being done: one sentence with what, where and what to do.
struct Complaint: Error {
  let sentence: String

  init(_ sentence: String) { self.sentence = sentence }
}

/// How a command ended.
enum ExitStatus: Int32 {
  case fine = 0
  /// The question's answer is "no".
  case no = 1
  /// Bad input or usage.
  case bad = 2
}
