import FlamelarkInterchange
import FlamelarkTrace
import Testing

/// Flow events: s, t and f.
@Suite struct FlowImportTests {
  /// `s a 3 0x7 2` begins flow a at 3 µs under id 0x7 on thread 2.
  private func read(_ events: String...) throws -> Trace {
    let threads = [1, 2].map { #"{"ph":"X","name":"x","ts":0,"dur":50,"pid":1,"tid":\#($0)}"# }
    let flows = events.map { text in
      let words = text.split(separator: " ").map(String.init)
      return #"{"ph":"\#(words[0])","bp":"e","cat":"c","name":"\#(words[1])","ts":\#(words[2]),"#
        + #""id":"\#(words[3])","pid":1,"tid":\#(words[4])}"#
    }
    return try FlamelarkInterchangeTests.read(
      "[\((threads + flows).joined(separator: ","))]")
  }

  private func text(_ trace: Trace) -> [String] {
    trace.flows.map { flow in
      func text(_ point: Trace.Flow.Point) -> String {
        "\(trace.names[trace.callSites[Int(point.site.index)].name])@\(point.time)/\(point.track)"
      }
      return "\(flow.number): \(flow.begin.map(text) ?? "-") "
        + flow.ends.map(text).joined(separator: " ")
    }
  }

  @Test func aFlowHasItsBeginAndAllItsEnds() throws {
    let trace = try read("f a 9 0x1f 1", "s a 3 0x1f 1", "t a 5 0x1f 2")
    #expect(text(trace) == ["31: a@3000/0 a@5000/1 a@9000/0"])
    #expect(trace.issues.isEmpty)
  }

  @Test func flowsAreToldApartByNameAndId() throws {
    let trace = try read("s a 1 7 1", "s b 2 7 1", "f b 3 7 2", "f a 4 7 2", "s a 5 8 1")
    #expect(text(trace) == ["7: a@1000/0 a@4000/1", "9: b@2000/0 b@3000/1", "8: a@5000/0 "])
  }

  @Test func atOneMomentAFlowBeginsFirst() throws {
    #expect(text(try read("f a 3 7 2", "s a 3 7 1")) == ["7: a@3000/0 a@3000/1"])
  }

  @Test func anIdThatBeginsAnewIsAnotherFlow() throws {
    let trace = try read("s a 1 7 1", "f a 2 7 2", "s a 3 7 1", "f a 4 7 2")
    #expect(text(trace) == ["7: a@1000/0 a@2000/1", "8: a@3000/0 a@4000/1"])
  }

  @Test func whatDidNotBeginHereHasOnlyEnds() throws {
    #expect(text(try read("f a 3 x 2", "t a 4 x 1")) == ["1: - a@3000/1 a@4000/0"])
  }

  @Test func aThreadOfAFlowHasARow() throws {
    let trace = try read("s a 1 7 1", "f a 2 7 3")
    #expect(trace.tracks.map(\.name) == ["thread 1", "thread 2", "thread 3"])
    #expect(text(trace) == ["7: a@1000/0 a@2000/2"])
  }
}
