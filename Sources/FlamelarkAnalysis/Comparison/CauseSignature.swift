/// What a cause of late frames is called in every trace of a program: its kind, what its thread is for,
/// and its path, each run of digits as `#`.
///
/// This is the one place where causes of different traces are matched.
public struct CauseSignature: Sendable, Hashable {
  /// What it is.
  public let kind: Cause.Kind
  /// What the thread is for that spent the time. nil: the loop's own.
  public let thread: String?
  /// The names from the root to the span; at most ``mostNames``.
  public let path: [String]

  /// What lies deeper belongs to the span at this depth.
  static let mostNames = 256

  /// The signature of a kind, a thread and a path as a trace has them.
  public init(kind: Cause.Kind, thread: String?, path: [String]) {
    self.kind = kind
    self.thread = thread.map(Self.withoutNumbers)
    self.path = path.prefix(Self.mostNames).map(Self.withoutNumbers)
  }

  /// The signature of a cause.
  public init(_ cause: Cause) {
    self.init(kind: cause.kind, thread: cause.thread, path: cause.path)
  }

  private init(kind: Cause.Kind, thread: String?, numberlessPath: [String]) {
    self.kind = kind
    self.thread = thread
    path = numberlessPath
  }

  static let other = CauseSignature(kind: .other, thread: nil, path: [])
  static let backlog = CauseSignature(kind: .backlog, thread: nil, path: [])

  /// The place around it, on the same thread; nil if it is not within a span.
  var around: CauseSignature? {
    guard !path.isEmpty else { return nil }
    // What was left out lies in spans that were recorded.
    return CauseSignature(
      kind: kind == .folded ? .span : kind, thread: thread, numberlessPath: path.dropLast())
  }

  /// Kind, thread and path in one line.
  public var text: String {
    let words = [
      path.joined(separator: " > "), kind == .span && !path.isEmpty ? "" : "(\(kind.rawValue))",
    ]
    let thread = thread.map { $0 + ": " } ?? ""
    return thread + words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Each run of digits as `#`.
  static func withoutNumbers(_ name: String) -> String {
    guard name.utf8.contains(where: { (48...57).contains($0) }) else { return name }
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if !("0"..."9").contains(scalar) {
        result.append(scalar)
      } else if result.last != "#" {
        result.append("#")
      }
    }
    return String(result)
  }
}

extension CauseSignature: Comparable {
  /// By path, then kind, then thread.
  public static func < (a: Self, b: Self) -> Bool {
    if a.path != b.path { return a.path.lexicographicallyPrecedes(b.path) }
    return (a.kind.rawValue, a.thread ?? "") < (b.kind.rawValue, b.thread ?? "")
  }
}

extension CauseSignature {
  /// What the places of a tree bear themselves.
  static func blame(of nodes: [BlameNode]) -> [CauseSignature: Int64] {
    var result: [CauseSignature: Int64] = [:]
    var thread: String?
    var path: [String] = []
    for node in nodes {
      var signature = Self.other
      // The tree is root > class > role > span > … > span.
      switch node.depth {
      case 0: break
      case 1: if node.kind == .backlog { signature = Self.backlog }
      case 2:
        thread = node.name == "the loop" ? nil : withoutNumbers(node.name)
        path = []
        signature = CauseSignature(kind: node.kind, thread: thread, numberlessPath: [])
      default:
        let depth = node.depth - 3
        guard depth < mostNames else {
          if node.own > 0 {
            let deepest = CauseSignature(kind: node.kind, thread: thread, numberlessPath: path)
            result[deepest] = (result[deepest] ?? 0).plus(node.own)
          }
          continue
        }
        path.removeLast(max(0, path.count - depth))
        path.append(withoutNumbers(node.name))
        guard node.own > 0 else { continue }
        signature = CauseSignature(kind: node.kind, thread: thread, numberlessPath: path)
      }
      if node.own > 0 { result[signature] = (result[signature] ?? 0).plus(node.own) }
    }
    return result
  }
}
