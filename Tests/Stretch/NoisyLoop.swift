import FlamelarkTrace
import Foundation
import _FlamelarkTestSupport

/// A loop of 500 frames with 36 to 60 small parts each, all of which vary by themselves. What a
/// frame may take is set so that about 4 % are late.
struct NoisyLoop {
  /// How its parts vary.
  enum Noise: String, CaseIterable {
    /// Each by a gamma distribution of its own.
    case gamma = "each part by itself"
    /// All by one factor, as where the processor's clock goes down.
    case clock = "all by one factor"
    /// Each with a heavy tail: mostly alike, now and then up to four times as much.
    case tails = "each with a heavy tail"
  }

  static let frame = "frame"
  private static let frames = 500
  private let noise: Noise
  private var random: SeededGenerator
  /// Mean times of the parts of each group, in nanoseconds.
  private var groups: [[Double]] = []
  /// How even the parts are: the shape of their distribution.
  private var shapes: [[Double]] = []

  init(seed: UInt64, noise: Noise) {
    self.noise = noise
    random = SeededGenerator(seed: seed)
    for _ in 0..<6 {
      let count = Int.random(in: 6...10, using: &random)
      groups.append((0..<count).map { _ in Double.random(in: 80_000...400_000, using: &random) })
      shapes.append((0..<count).map { _ in Double.random(in: 2...12, using: &random) })
    }
  }

  /// The trace, and how many frames a second it should have.
  mutating func run() throws -> (Trace, rate: Double) {
    let times = (0..<Self.frames).map { _ in frameTimes() }
    let totals = times.map { $0.joined().reduce(0, +) }.sorted()
    // Late is what comes 3 % behind its target.
    let budget = Double(totals[Self.frames * 96 / 100]) / 1.03
    var builder = TraceBuilder()
    builder.track("main")
    for frame in times {
      builder.span(Self.frame) { builder in
        for (group, parts) in frame.enumerated() {
          builder.span("group \(group)") { builder in
            for (part, time) in parts.enumerated() {
              builder.span("part \(group).\(part)", lasting: time)
            }
          }
        }
      }
      builder.pass(100_000)
    }
    return (try builder.build(), 1e9 / budget)
  }

  private mutating func frameTimes() -> [[Int64]] {
    let factor =
      noise == .clock && Int.random(in: 0..<12, using: &random) == 0
      ? Double.random(in: 1.1...1.6, using: &random) : 1
    return groups.indices.map { group in
      groups[group].indices.map { part in
        Int64((groups[group][part] * variation(shapes[group][part]) * factor).rounded())
      }
    }
  }

  /// A factor whose mean is about 1.
  private mutating func variation(_ shape: Double) -> Double {
    switch noise {
    case .gamma: gamma(shape) / shape
    case .clock: gamma(60) / 60
    case .tails:
      // Pareto: one in a hundred is over 2.8 times the mean, none over 4 times, so that no part makes a
      // frame late alone.
      min(4, 0.7 / pow(1 - Double.random(in: 0..<1, using: &random), 1 / 3.3))
    }
  }

  /// After Marsaglia and Tsang, "A Simple Method for Generating Gamma Variables"; for shapes of at
  /// least 1.
  private mutating func gamma(_ shape: Double) -> Double {
    let d = shape - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let x = normal()
      let v = pow(1 + c * x, 3)
      let u = Double.random(in: Double.leastNonzeroMagnitude..<1, using: &random)
      if v > 0, log(u) < 0.5 * x * x + d - d * v + d * log(v) { return d * v }
    }
  }

  private mutating func normal() -> Double {
    let radius = Double.random(in: Double.leastNonzeroMagnitude..<1, using: &random)
    let angle = Double.random(in: 0..<2 * .pi, using: &random)
    return (-2 * log(radius)).squareRoot() * cos(angle)
  }
}
