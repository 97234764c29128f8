import FlamelarkReport
import Foundation
import Testing

@Suite struct JSONWriterTests {
  private func text(_ write: (inout JSONWriter) -> Void) -> String {
    var json = JSONWriter()
    json.object { write(&$0) }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test func membersStandOnLinesOfTheirOwnOrOnOne() {
    let text = text { json in
      json.member("name", "a")
      json.object("empty") { _ in }
      json.array("list", of: 1...2) { json, number in
        json.object(onOneLine: true) { json in
          json.member("n", number)
          json.array("path", of: ["x", "y"])
        }
      }
      json.member("last", true)
    }
    #expect(
      text == """
        {
          "name": "a",
          "empty": {},
          "list": [
            {"n": 1, "path": ["x", "y"]},
            {"n": 2, "path": ["x", "y"]}
          ],
          "last": true
        }

        """)
  }

  @Test func whatIsNotKnownIsNull() {
    let text = text { json in
      json.member("a", nil as Int64?)
      json.member("b", nil as String?)
      json.member("c", Double.nan)
      json.member("d", Double.infinity)
    }
    #expect(text == "{\n  \"a\": null,\n  \"b\": null,\n  \"c\": null,\n  \"d\": null\n}\n")
  }

  @Test func everyTextReadsBackAndNoneCanCommandATerminal() throws {
    var hostile = String(String.UnicodeScalarView((0..<0x300).compactMap { Unicode.Scalar($0) }))
    hostile += "\u{2028}\u{202E}\u{FFFF}👩‍💻"
    let text = text { $0.member(hostile, hostile) }
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String]
    #expect(value == [hostile: hostile])
    #expect(
      text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
  }

  @Test func numbersReadBackAsTheyWere() throws {
    let numbers: [Double] = [0, 0.1, 25.41, 1e-7, 1e300, 1 / 3]
    let text = text { json in
      for (index, number) in numbers.enumerated() { json.member("\(index)", number) }
      json.member("least", Int64.min)
      json.member("greatest", UInt64.max)
    }
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: NSNumber]
    for (index, number) in numbers.enumerated() {
      #expect(value?["\(index)"]?.doubleValue == number)
    }
    #expect(value?["least"]?.int64Value == .min)
    #expect(value?["greatest"]?.uint64Value == .max)
  }
}
