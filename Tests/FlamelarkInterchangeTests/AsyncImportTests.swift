import FlamelarkInterchange
import FlamelarkTrace
import Testing

/// What is of no thread's stack: b, e, n, S and F.
@Suite struct AsyncImportTests {
  /// `b load 0 7` is a begin at 0 µs under id 7, in category c and thread 1 of process 1.
  private func event(_ text: String) -> String {
    let words = text.split(separator: " ").map(String.init)
    let thread = words.count > 4 ? words[4] : "1"
    let id = words[3] == "-" ? "" : #","id":"\#(words[3])""#
    return #"{"ph":"\#(words[0])","cat":"c","name":"\#(words[1])","ts":\#(words[2])\#(id),"#
      + #""pid":1,"tid":\#(thread)}"#
  }

  private func read(_ events: String...) throws -> Trace {
    let thread = #"{"ph":"X","name":"x","ts":0,"dur":50,"pid":1,"tid":1}"#
    return try FlamelarkInterchangeTests.read(
      "[\(([thread] + events.map { event($0) }).joined(separator: ","))]")
  }

  /// The rows without that of the thread.
  private func tree(_ trace: Trace) -> String {
    trace.tracks.indices.dropFirst().map {
      #expect(trace.tracks[$0].kind == .task)
      return "\(trace.tracks[$0].name): \(trace.tree(ofTrack: $0))"
    }.joined(separator: " | ")
  }

  @Test func whatHasOneIdNestsInTheOrderOfTime() throws {
    let trace = try read("b load 0 7", "b parse 2 7", "e parse 5 7", "e load 9 7")
    #expect(tree(trace) == "load: load@0+9000 >parse@2000+3000")
    #expect(trace.issues.isEmpty)
  }

  @Test func idsOfOneNameShareRowsWhereTheyDontOverlap() throws {
    let trace = try read(
      "b get 0 1", "b get 2 2", "b put 3 4", "e get 5 1", "b get 6 3", "e get 8 2", "e get 9 3",
      "e put 20 4")
    #expect(
      tree(trace)
        == "get: get@0+5000 get@6000+3000 | get (2): get@2000+6000 | put: put@3000+17000")
  }

  @Test func oneIdForManyNestsLikeAStack() throws {
    // As clang writes its sources: all have id 0, and each its duration too.
    let trace = try read(
      "b Source 0 0", "b Source 1 0", "e Source 4 0", "b Source 4 0", "e Source 8 0",
      "e Source 9 0")
    #expect(tree(trace) == "Source: Source@0+9000 >Source@1000+3000 >Source@4000+4000")
  }

  @Test func theOldPhasesAreToldApartByNameAndProcess() throws {
    let trace = try read("S a 0 1", "S b 1 1", "T a 2 1", "F a 4 1", "F b 9 1")
    #expect(tree(trace) == "a: a@0+4000 | b: b@1000+8000")
    #expect(trace.count(of: "steps of asynchronous events not read") == 1)
  }

  @Test func withoutAnIdANameIsOne() throws {
    let trace = try read("b a 0 -", "b b 1 -", "e a 4 -", "e b 9 -")
    #expect(tree(trace) == "a: a@0+4000 | b: b@1000+8000")
  }

  @Test func momentsAreMarkersOnTheirRow() throws {
    let trace = try read("b a 0 1", "n sent 3 1", "e a 4 1")
    #expect(tree(trace) == "a: a@0+4000")
    #expect(trace.markers.map(\.time) == [3000])
    #expect(trace.markers.map(\.track) == [1])
  }

  @Test func whereItBeganAndEndedIsKnown() throws {
    let trace = try read("X a 1 - 2", "b a 0 1 1", "e a 4 1 2", "b b 6 3 2", "e b 9 3 77")
    #expect(trace.tracks.map(\.kind) == [.thread, .thread, .task, .task])
    #expect(
      trace.taskSpans == [
        Trace.TaskSpan(span: 2, begin: 0, end: 1), Trace.TaskSpan(span: 3, begin: 1, end: nil),
      ])
  }

  @Test func whatDoesntEndIsUnfinishedAndEndsAreIgnoredWithoutABegin() throws {
    let trace = try read("b a 0 1", "b b 3 1", "e c 4 1", "n d 9 1")
    #expect(tree(trace) == "a: a@0+4000! >b@3000+1000!")
    #expect(trace.count(of: "ends without a beginning") == 1)
    #expect(trace.count(of: "spans without an end taken") == 2)
  }

  @Test func anIdMayCountForOneProcessOrForAll() throws {
    func event(_ phase: String, _ time: Int, _ process: Int, _ id: String) -> String {
      #"{"ph":"\#(phase)","cat":"c","name":"a","ts":\#(time),\#(id),"pid":\#(process),"tid":1}"#
    }
    let all = try FlamelarkInterchangeTests.read(
      "[\(event("b", 0, 1, #""id":5"#)),\(event("e", 7, 2, #""id":"5""#))]")
    #expect(all.tree == "a: a@0+7000")
    let local = #""id2":{"local":"0x5"}"#
    let each = try FlamelarkInterchangeTests.read(
      "[\(event("b", 0, 1, local)),\(event("b", 2, 2, local)),\(event("e", 3, 1, local)),"
        + "\(event("e", 7, 2, local))]")
    #expect(each.tree == "a: a@0+3000 | a: a@2000+5000")
    #expect(each.tracks.map(\.processID) == [1, 2])
    let global = #""id2":{"global":"0x5"}"#
    let one = try FlamelarkInterchangeTests.read(
      "[\(event("b", 0, 1, global)),\(event("e", 7, 2, global))]")
    #expect(one.tree == "a: a@0+7000")
  }

  @Test func manyIdsTakeNoLongerThanTheirNumber() throws {
    let count = 20_000
    let events = (0..<count).map { index in
      event("b get \(index) 0x\(String(index, radix: 16))") + ","
        + event("e get \(index + 8) 0x\(String(index, radix: 16))")
    }
    let trace = try FlamelarkInterchangeTests.read("[\(events.joined(separator: ","))]")
    #expect(trace.spans.count == count)
    #expect(trace.tracks.count == 8)
  }
}
