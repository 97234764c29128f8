/// What a method says a hitch is caused by.
enum CauseKey: Hashable {
  case injection(Injection)
  /// Something that no injection is about.
  case other(String)

  /// What is blamed if a span is.
  init(_ role: Role) {
    self =
      switch role {
      case .frame: .injection(.uninstrumented)
      case .configure, .text: .injection(.configure)
      case .decode: .injection(.decode)
      case .collect: .injection(.collect)
      case .save: .injection(.save)
      case .parse: .injection(.parse)
      case .draw: .injection(.draw)
      case .measure: .injection(.measure)
      case .flush: .injection(.flush)
      case .setup: .injection(.setup)
      case .animate: .injection(.drift)
      case .scan: .injection(.scan)
      default: .other("\(role)")
      }
  }

  var label: String {
    switch self {
    case .injection(let injection): injection.label
    case .other(let text): text
    }
  }
}

/// The parts of what a method blames, that add up to 1.
typealias Shares = [CauseKey: Double]

extension Shares {
  /// Amounts as parts of their sum.
  init(normalizing amounts: [CauseKey: Double]) {
    let sum = amounts.values.reduce(0, +)
    self = sum > 0 ? amounts.mapValues { $0 / sum } : [:]
  }

  /// The largest first.
  var ranked: [(key: CauseKey, share: Double)] {
    map { ($0.key, $0.value) }.sorted { ($1.1, $0.0.label) < ($0.1, $1.0.label) }
  }

  /// As text, the largest first.
  var text: String {
    ranked.prefix(4).map { "\($0.key.label) \(Int(($0.share * 100).rounded())) %" }
      .joined(separator: ", ")
  }
}
