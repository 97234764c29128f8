import FlamelarkInterchange
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

@Suite struct DecimalTests {
  /// The nanoseconds between 0 and a time in decimal text.
  private func nanoseconds(_ text: String) throws -> Int64 {
    let trace = try read(
      """
      [{"name":"zero","ph":"i","ts":0,"pid":1,"tid":1},{"name":"t","ph":"i","ts":\(text),"pid":1,"tid":1}]
      """)
    let zero = try #require(trace.markers.first { trace.name(of: $0) == "zero" })
    let time = try #require(trace.markers.first { trace.name(of: $0) == "t" })
    return time.time - zero.time
  }

  @Test(arguments: [
    ("0", 0), ("1", 1000), ("1.5", 1500), ("1.0005", 1001), ("1.0004999999999999999999999", 1000),
    ("0.0005", 1), ("0.00049", 0), ("-1", -1000), ("-1.2504", -1250), ("-1.2506", -1251),
    ("1e3", 1_000_000), ("1E+3", 1_000_000), ("15e-1", 1500), ("1.25e2", 125_000),
    ("2500e-7", 0), ("1e-3", 1), ("5e-4", 1), ("4.9e-4", 0), ("0.1e1", 1000), ("0e5", 0),
    ("1732107141551429.123", 1_732_107_141_551_429_123),
    ("1732107141551429.1235", 1_732_107_141_551_429_124),
    ("1.7321071415514291235e15", 1_732_107_141_551_429_124),
    ("0.12345678901234567890123", 123), ("123456789012345678.5e-3", 123_456_789_012_345_679),
    ("000000000000000000000012.5", 12_500), ("48589267363.400", 48_589_267_363_400),
    ("\"12.5\"", 12_500), ("\"-3\"", -3000), ("999999999999999.9995", 1_000_000_000_000_000_000),
  ])
  func textBecomesNanoseconds(text: String, expected: Int64) throws {
    #expect(try nanoseconds(text) == expected)
  }

  @Test(arguments: ["\"12x\"", "\"\"", "NaN", "-Infinity", "1e", "--1", "{}", "\"0x10\"", "true"])
  func whatIsNoNumberIsNoTime(text: String) throws {
    let trace = try read(
      """
      [{"name":"a","ph":"X","ts":\(text),"dur":1,"pid":1,"tid":1},
      {"name":"b","ph":"X","ts":1,"dur":1,"pid":1,"tid":1}]
      """)
    #expect(trace.tree == "thread 1: b@0+1000")
    #expect(trace.count(of: "events whose time is not a number") == 1)
  }

  @Test(arguments: 1..<5) func randomDecimalsAreExact(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let whole = Int64.random(in: 0...2_000_000_000_000_000, using: &random)
      let digits = Int.random(in: 0...9, using: &random)
      let fraction = (0..<digits).map { _ in Int64.random(in: 0...9, using: &random) }
      // By hand: three digits count, the fourth rounds.
      func digit(_ place: Int) -> Int64 { place < digits ? fraction[place] : 0 }
      let expected =
        whole * 1000 + digit(0) * 100 + digit(1) * 10 + digit(2) + (digit(3) >= 5 ? 1 : 0)
      let text = "\(whole)" + (digits > 0 ? "." + fraction.map(String.init).joined() : "")
      #expect(try nanoseconds(text) == expected, "seed \(seed): \(text)")
    }
  }
}

extension Trace {
  /// The name of a marker.
  func name(of marker: Marker) -> String { names[callSites[Int(marker.site.index)].name] }
}
