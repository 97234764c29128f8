/// What the command line asks for.
struct Options: Equatable {
  /// The slownesses that stay in.
  var slow = Set(Slowness.allCases)
  var seed: UInt64 = 1
  var seconds = 10.0
  /// How much work there is; nil: as much as fits this machine.
  var work: Workload?
  /// Only say how much work fits this machine.
  var measures = false
  /// Where to record to; nil: `FLAMELARK_RECORD` decides.
  var output: String?

  static let usage = """
    usage: Feed [--fix NAME,…] [--only NAME,…] [--seed N] [--seconds S] [-o FILE]
                [--sizes N,…]
           Feed --measure
      --fix NAME,…   mend these, or all: text, constraints, images, transparency, header, tags
      --only NAME,…  mend all others
      --seed N       which posts and flicks (1)
      --seconds S    how long to scroll (10)
      --measure      print the sizes of work that fit this machine, and do nothing else
      --sizes N,…    these, so that several runs have the same work; without it each run measures
      -o FILE        record to this file; without it FLAMELARK_RECORD=FILE does the same
    """

  struct UsageError: Error {
    let message: String
  }

  init() {}

  init(parsing arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      if option == "--measure" {
        measures = true
        continue
      }
      guard ["--fix", "--only", "--seed", "--seconds", "--sizes", "-o"].contains(option) else {
        throw UsageError(message: "there is no option '\(option)'")
      }
      guard let value = rest.popFirst() else {
        throw UsageError(message: "\(option) needs a value")
      }
      try take(value, for: option)
    }
  }

  private mutating func take(_ value: String, for option: String) throws(UsageError) {
    switch option {
    case "--fix":
      for name in value.split(separator: ",") {
        if name == "all" { slow = [] } else { slow.remove(try Self.slowness(String(name))) }
      }
    case "--only":
      var named: Set<Slowness> = []
      for name in value.split(separator: ",") { named.insert(try Self.slowness(String(name))) }
      slow.formIntersection(named)
    case "--seed":
      guard let number = UInt64(value) else {
        throw UsageError(message: "--seed takes a whole number, not '\(value)'")
      }
      seed = number
    case "--seconds":
      guard let number = Double(value), number > 0, number <= 3600 else {
        throw UsageError(message: "--seconds takes a number from 0 to 3600, not '\(value)'")
      }
      seconds = number
    case "--sizes":
      guard let sizes = Workload(sizes: value) else {
        throw UsageError(message: "--sizes takes what --measure prints, not '\(value)'")
      }
      work = sizes
    default:
      output = value
    }
  }

  private static func slowness(_ name: String) throws(UsageError) -> Slowness {
    guard let slowness = Slowness(rawValue: name) else {
      let names = Slowness.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError(message: "there is no slowness '\(name)'; there are \(names)")
    }
    return slowness
  }
}
