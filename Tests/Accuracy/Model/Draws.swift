import Glibc

/// Random numbers that follow from a seed alone, on every machine.
struct Draws {
  private var state: UInt64

  /// The numbers of one purpose: those of two purposes don't depend on each other.
  init(seed: UInt64, purpose: String) {
    state = seed &* 0x9E37_79B9_7F4A_7C15
    for byte in purpose.utf8 {
      state ^= UInt64(byte)
      _ = bits()
    }
  }

  /// 64 bits: SplitMix64.
  mutating func bits() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }

  /// From 0 to below 1.
  mutating func uniform() -> Double { Double(bits() >> 11) * 0x1p-53 }

  /// From the lower bound to below the upper.
  mutating func uniform(_ range: Range<Double>) -> Double {
    range.lowerBound + uniform() * (range.upperBound - range.lowerBound)
  }

  /// From 0 to below `count`.
  mutating func index(below count: Int) -> Int { Int(uniform() * Double(count)) }

  /// Of the gamma distribution with a mean. The shape is at least 1: Marsaglia and Tsang, "A simple
  /// method for generating gamma variables", 2000.
  mutating func gamma(shape: Double, mean: Double) -> Double {
    let d = shape - 1.0 / 3
    let c = 1 / (9 * d).squareRoot()
    while true {
      let x = normal()
      let root = 1 + c * x
      guard root > 0 else { continue }
      let v = root * root * root
      if log(1 - uniform()) < 0.5 * x * x + d - d * v + d * log(v) { return d * v * mean / shape }
    }
  }

  /// Of the normal distribution around 0: Marsaglia's polar method.
  private mutating func normal() -> Double {
    while true {
      let (x, y) = (uniform(-1..<1), uniform(-1..<1))
      let square = x * x + y * y
      if square > 0, square < 1 { return x * (-2 * log(square) / square).squareRoot() }
    }
  }
}
