import FlamelarkInterchange
import FlamelarkTrace
import Testing

/// Begins and ends (B, E), by the rows of the importer's rules.
@Suite struct PairingTests {
  /// `B a 0, E a 10`, times in microseconds; `E _ 5` has no name.
  private func events(_ text: String) -> String {
    text.split(separator: ",").map { event in
      let words = event.split(separator: " ").map(String.init)
      let name = words[1] == "_" ? "" : #""name":"\#(words[1])","#
      let duration = words.count > 3 ? #","dur":\#(words[3])"# : ""
      return #"{\#(name)"ph":"\#(words[0])","ts":\#(words[2])\#(duration),"pid":1,"tid":1}"#
    }.joined(separator: ",")
  }

  private func trace(_ text: String) throws -> Trace {
    try read("[\(events(text))]")
  }

  @Test(arguments: [
    ("B a 0,B b 2,E b 4,E a 10", "a@0+10000 >b@2000+2000"),
    // Ends and begins of one moment, in the order of the file.
    ("B p 0,B a 0,E a 5,B b 5,E b 9,E p 9", "p@0+9000 >a@0+5000 >b@5000+4000"),
    ("B f 0,B f 0,E f 5,B f 5,E f 9,E f 9", "f@0+9000 >f@0+5000 >f@5000+4000"),
    ("B p 0,B z 5,E z 5,B y 5,E y 5,E p 9", "p@0+9000 >z@5000+0 >y@5000+0"),
    ("B p 0,B z 9,E z 9,E p 9", "p@0+9000 >z@9000+0"),
    // The file's order makes no sense: ends first.
    ("B a 0,B b 5,E a 5,E b 9", "a@0+5000 b@5000+4000"),
    ("B p 0,B a 0,B b 5,E p 9,E a 5,E b 9", "p@0+9000 >a@0+5000 >b@5000+4000"),
    ("B p 0,B a 1,B q 5,E p 5,E a 5,E q 9", "p@0+5000 >a@1000+4000 q@5000+4000"),
    // Sorted by time, not by the file.
    ("E a 10,B b 2,E b 4,B a 0", "a@0+10000 >b@2000+2000"),
    // Without a name: the innermost.
    ("B a 0,B b 2,E _ 4,E _ 6", "a@0+6000 >b@2000+2000"),
    ("B _ 0,B b 2,E b 4,E _ 6", "(unnamed)@0+6000 >b@2000+2000"),
  ])
  func pairs(events: String, tree: String) throws {
    let trace = try trace(events)
    #expect(trace.tree == "thread 1: \(tree)")
    #expect(trace.issues.filter { !$0.text.hasPrefix("events without a name") }.isEmpty)
  }

  @Test func anEndClosesTheNearestOfItsNameAndThoseAbove() throws {
    let trace = try trace("B a 0,B b 2,E a 4,E b 6,B c 8,E c 9")
    #expect(trace.tree == "thread 1: a@0+4000 >b@2000+2000 c@8000+1000")
    #expect(trace.count(of: "spans without an end closed") == 1)
    #expect(trace.count(of: "ends without a beginning") == 1)
  }

  @Test func anEndWithoutABeginIsIgnored() throws {
    let trace = try trace("E x 0,B a 1,E y 2,E a 3,E _ 4")
    #expect(trace.tree == "thread 1: a@1000+2000")
    #expect(trace.count(of: "ends without a beginning") == 3)
    #expect(trace.issues.first { $0.text.hasPrefix("ends without") }?.offset == 1)
  }

  @Test func whatIsOpenAtTheEndIsUnfinished() throws {
    let trace = try trace("B a 0,B b 2,B c 3,E c 7")
    #expect(trace.tree == "thread 1: a@0+7000! >b@2000+5000! >>c@3000+4000")
    #expect(trace.spans.unfinished == [0, 1])
    #expect(trace.count(of: "spans without an end taken") == 2)
  }

  @Test func anEndBeforeItsBeginMakesNoDuration() throws {
    let trace = try trace("B o 0,B a 10,E a 5,B b 12,E b 13,E o 20")
    #expect(trace.tree == "thread 1: o@0+20000 >a@10000+0 >b@12000+1000")
    #expect(trace.count(of: "ends before their beginning") == 1)
    #expect(trace.issues.count == 1)
  }

  @Test func beginsAndCompleteEventsNestTogether() throws {
    let trace = try trace("X p 0 10,B a 2,E a 6,X c 3 2,B q 10,X d 11 1,E q 20")
    #expect(
      trace.tree
        == "thread 1: p@0+10000 >a@2000+4000 >>c@3000+2000 q@10000+10000 >d@11000+1000")
    #expect(trace.issues.isEmpty)
  }

  @Test func anOpenBeginAmongCompleteEventsEndsWithTheOneAround() throws {
    let trace = try trace("X p 0 10,B a 2,X c 3 2,X q 20 10")
    #expect(trace.tree == "thread 1: p@0+10000 >a@2000+8000! >>c@3000+2000 q@20000+10000")
  }
}
