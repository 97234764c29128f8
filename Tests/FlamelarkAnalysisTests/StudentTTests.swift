import Testing

@testable import FlamelarkAnalysis

@Suite struct StudentTTests {
  /// From SciPy's t.ppf.
  @Test(arguments: [
    (0.05, [(1, 12.7062), (2, 4.30265), (3, 3.18245), (7, 2.36462), (30, 2.04227)]),
    (0.03, [(1, 21.20495), (2, 5.64278), (3, 3.89605), (7, 2.71457), (100, 2.2015)]),
    (0.001, [(1, 636.61925), (2, 31.59905), (3, 12.92398), (30, 3.64596), (300, 3.32325)]),
    (0.4, [(1, 1.37638), (2, 1.06066), (3, 0.97847), (30, 0.85377), (300, 0.84282)]),
  ])
  func quantilesAreThoseOfOthers(_ probability: Double, _ known: [(Double, Double)]) {
    for (degrees, value) in known {
      let found = StudentT.quantile(beyond: probability, degrees: degrees)
      #expect((found - value).magnitude < value * 1e-5 + 1e-5, "\(degrees): \(found)")
    }
  }

  @Test func betweenWholeDegreesItIsNearlyThatOfOthers() {
    for (degrees, value) in [(2.5, 4.49304), (4.4, 3.1583), (10.5, 2.50808)] {
      let found = StudentT.quantile(beyond: 0.03, degrees: degrees)
      #expect((StudentT.beyond(value, degrees: degrees) - 0.03).magnitude < 0.001)
      #expect((found / value - 1).magnitude < 0.015, "\(degrees): \(found)")
    }
  }

  @Test func theProbabilityFallsWithTheDistance() {
    for degrees in [1, 1.5, 2, 9, 9.7, 1000] {
      var last = 1.0
      #expect(StudentT.beyond(0, degrees: degrees) == 1)
      for step in 1...60 {
        let next = StudentT.beyond(Double(step) / 4, degrees: degrees)
        #expect(next <= last + 1e-12 && next >= 0)
        #expect(next == StudentT.beyond(-Double(step) / 4, degrees: degrees))
        last = next
      }
    }
    #expect(StudentT.beyond(.infinity, degrees: 3) == 0)
    #expect(StudentT.beyond(.nan, degrees: 3).isNaN)
  }
}
