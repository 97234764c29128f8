import FlamelarkInterchange
import FlamelarkTrace
import Testing
import _FlamelarkTestSupport

/// Changed bytes of small files: whatever comes out, nothing traps and every trace holds together.
@Suite struct FuzzTests {
  private static let files = [
    #"[{"name":"a","ph":"B","ts":0,"pid":1,"tid":1},{"name":"b","ph":"B","ts":2,"pid":1,"tid":1},"#
      + #"{"name":"b","ph":"E","ts":4,"pid":1,"tid":1},{"ph":"E","ts":9.25,"pid":1,"tid":1}]"#,
    #"{"displayTimeUnit":"ns","traceEvents":[{"name":"p","ph":"X","ts":1e3,"dur":50,"pid":1,"#
      + #""tid":"x"},{"name":"c","ph":"X","ts":1010.5,"dur":20,"pid":1,"tid":"x","args":{"k":[1]}}"#
      + #",{"name":"\u00e9\n","ph":"X","ts":1015.25,"dur":30.125,"pid":1,"tid":"x"},{}]}"#,
    """
    [{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"main"}},
    {"name":"mem","ph":"C","ts":5,"pid":1,"args":{"a":1.5,"b":"2"}},
    {"name":"Frame","ph":"i","s":"p","ts":6,"pid":1,"tid":2},
    {"name":"f","ph":"X","ts":5,"dur":9,"pid":1,"tid":2},
    {"name":"g","ph":"B","ts":6,"pid":1,"tid":2},{"name":"g","ph":"E","ts":7,"pid":1,"tid":2}
    """,
  ]
  private static let pieces = [
    "{", "}", "[", "]", "\"", "\\", ",", ":", "-", "0", "9", "e", ".", "\n", "\u{0}",
    "99999999999999",
    "\"ph\":\"E\"", "\"ts\":", "null", "1e999", "-9223372036854775808", "\"dur\":-5", "{}",
  ]

  @Test(arguments: 0..<24) func nothingTraps(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var readable = 0
    for _ in 0..<250 {
      var bytes = Array(Self.files.randomElement(using: &random)!.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[position] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: position)
        case 2:
          bytes.insert(contentsOf: Self.pieces.randomElement(using: &random)!.utf8, at: position)
        case 3: bytes.removeSubrange(position..<min(position + 20, bytes.count))
        default:
          let end = min(position + 60, bytes.count)
          bytes.insert(contentsOf: bytes[position..<end], at: position)
        }
        if bytes.isEmpty { bytes = [0x5B] }
      }
      do throws(ImportError) {
        let trace = try read(bytes)
        readable += 1
        // What was read can be written, and is JSON of the kind that others read.
        let (export, _) = exported(trace)
        if trace.spans.count > 0 {
          #expect(throws: Never.self, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))") {
            _ = try SpeedscopeModel(export)
          }
        }
      } catch {
        #expect(error.offset <= bytes.count, "seed \(seed)")
      }
    }
    #expect(readable > 100, "seed \(seed)")
  }

  @Test(arguments: 0..<12) func randomBeginsAndEndsMakeATree(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<60 {
      let events = (0..<Int.random(in: 1...30, using: &random)).map { _ in
        let name = ["\"name\":\"a\",", "\"name\":\"b\",", "\"name\":\"c\",", ""]
          .randomElement(using: &random)!
        let phase = ["B", "E", "B", "E", "X"].randomElement(using: &random)!
        let time = Int.random(in: 0...8, using: &random)
        let duration = phase == "X" ? ",\"dur\":\(Int.random(in: 0...4, using: &random)).5" : ""
        return "{\(name)\"ph\":\"\(phase)\",\"ts\":\(time)\(duration),\"pid\":1,\"tid\":1}"
      }
      let file = "[\(events.joined(separator: ","))]"
      do throws(ImportError) {
        let trace = try read(file)
        // Nothing is lost: each begin and each complete event is a span.
        let begun = events.filter { !$0.contains("\"ph\":\"E\"") }.count
        #expect(trace.spans.count == begun, "seed \(seed): \(file)")
      } catch {
        #expect(!file.contains("\"B\"") && !file.contains("\"X\""), "seed \(seed): \(error)")
      }
    }
  }
}
