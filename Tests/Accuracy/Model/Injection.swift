/// What is put into frames to make them late.
enum Injection: Int, CaseIterable {
  /// One call takes longer.
  case decode
  /// More calls than normal.
  case configure
  /// A span that good frames don't have.
  case collect
  /// Another thread holds a lock for longer.
  case save
  /// What another thread does and the loop awaits takes longer.
  case parse
  /// The loop's thread loses its processor.
  case preempted
  /// The loop's thread takes time outside of every span.
  case uninstrumented
  /// The stage behind the loop takes longer.
  case draw
  /// The innermost call of a recursion takes longer.
  case measure
  /// A span of the loop takes longer.
  case flush
  /// Another thread loses its processor while it has a lock.
  case inversion
  /// What only first frames do.
  case setup
  /// A span takes a little more with each frame.
  case drift
  /// The last stage takes longer.
  case scan

  /// Those of the base cells, each as likely as the others.
  static let base = allCases.prefix(10)

  /// What to call it in lists.
  var label: String {
    switch self {
    case .preempted, .uninstrumented, .inversion: "(\(self))"
    default: "\(self)"
    }
  }
}
