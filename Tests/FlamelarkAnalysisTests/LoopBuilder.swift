import FlamelarkAnalysis
import FlamelarkTrace
import _FlamelarkTestSupport

/// A loop whose passes are spans called `frame`, 20 ms apart or as long as they take.
struct LoopBuilder {
  private(set) var builder = TraceBuilder()
  private var starts: [Int64] = []

  init() { builder.track("main") }

  /// A pass.
  mutating func pass(_ body: (inout TraceBuilder) -> Void) {
    starts.append(builder.now)
    builder.span("frame", body)
    builder.advance(to: max(builder.now, starts[starts.count - 1] + .ms(20)))
  }

  /// A pass whose parts take some milliseconds each; `""` is time outside of spans.
  mutating func pass(_ parts: KeyValuePairs<String, Double>) {
    pass { frame in
      for (name, time) in parts {
        if name.isEmpty { frame.pass(.ms(time)) } else { frame.span(name, lasting: .ms(time)) }
      }
    }
  }

  mutating func passes(_ count: Int, _ parts: KeyValuePairs<String, Double>) {
    for _ in 0..<count { pass(parts) }
  }

  /// The blame of the loop, whose passes may take some milliseconds.
  func blame(
    refresh: Double, options: Blame.Options = .init()
  ) throws -> Blame {
    let trace = try builder.build()
    guard let series = trace.frames(named: "frame", refresh: .ms(refresh)) else {
      return Blame(of: trace, series: .init(name: "frame", mode: .spans), options: options)
    }
    return Blame(of: trace, series: series, options: options)
  }
}

extension Sequence<Cause> {
  /// The causes as text: the last name or the kind, and the blame.
  var summary: [String] {
    map { cause in
      let path = cause.path.joined(separator: ">")
      return switch cause.kind {
      case .span: "\(path) \(cause.blame)"
      case .folded: "\(path) (folded) \(cause.blame)"
      default: "(\(cause.kind)) \(cause.blame)"
      }
    }
  }

  /// The lateness that the cause of a path bears, 0 if it is none.
  func blame(of path: String...) -> Int64 {
    filter { $0.path == path && $0.kind == .span }.reduce(0) { $0 + $1.blame }
  }

  /// The lateness that no cause bears.
  var other: Int64 { filter { $0.kind == .other }.reduce(0) { $0 + $1.blame } }

  var total: Int64 { reduce(0) { $0 + $1.blame } }
}
