import Flamelark

/// Work in spans, with a result that is known, and a count of the spans.
///
/// Of a thread that is the only one, both counts are the number of spans that were begun while the
/// recording ran. Where others may end it in between, that number lies between them.
struct Workload {
  private(set) var begunAtLeast = 0
  private(set) var begunAtMost = 0
  private(set) var result = 0

  /// Runs passes of three spans, two of them in the third.
  mutating func run(passes: Int) {
    for pass in 0..<passes {
      span("pass") { this in
        this.span("add") { $0.result &+= pass }
        this.span("mix") { $0.result ^= pass &* 31 }
      }
    }
  }

  mutating func span(_ name: StaticString, _ body: (inout Workload) -> Void) {
    if Recording.isActive { begunAtMost += 1 }
    withSpan(name) {
      if Recording.isActive { begunAtLeast += 1 }
      body(&self)
    }
  }

  mutating func add(_ other: Workload) {
    begunAtLeast += other.begunAtLeast
    begunAtMost += other.begunAtMost
    result &+= other.result
  }

  /// Two lines for the test.
  func report() {
    print("begun \(begunAtLeast) \(begunAtMost)")
    print("result \(result)")
  }
}
