import FlamelarkInterchange
import FlamelarkTrace
import Testing

/// Files that a strict reader of JSON rejects.
@Suite struct SyntaxTests {
  private static let a = #"{"name":"a","ph":"X","ts":0,"dur":1,"pid":1,"tid":1}"#
  private static let b = #"{"name":"b","ph":"X","ts":5,"dur":1,"pid":1,"tid":1}"#
  private static let both = "thread 1: a@0+1000 b@5000+1000"

  @Test(arguments: [
    "[\(a),\(b)]", " \n[\(a),\n\(b)\n]\n", "\u{FEFF}[\(a),\(b)]", "[\(a),\r\n\(b)\r\n]",
    #"{"traceEvents":[\#(a),\#(b)]}"#,
    #"{"displayTimeUnit":"xs","otherData":{"x":[{}]},"traceEvents":[\#(a),\#(b)],"z":null}"#,
    #"{"traceEvents":{"traceEvents":[\#(a),\#(b)]}}"#,
    // Commas too many, too few.
    "[\(a),\(b),]", "[,\(a),\(b)]", "[\(a)\(b)]", "[\(a)\n\(b)]", "[\(a),,\(b)]",
    #"{"traceEvents":[\#(a),\#(b),],}"#,
    // Several values.
    "[\(a)][\(b)]", "[\(a)]\n[\(b)]", "\(a)\n\(b)\n", "\(a),\(b)",
    // Spaces as other writers put them.
    #"[{ "ph" : "X", "name" : "a", "ts" : 0, "dur" : 1, "pid" : 1, "tid" : 1 } ,\#(b)]"#,
    "[{\n \"tid\": 1,\n \"pid\": 1,\n \"ph\": \"X\",\n \"name\": \"a\",\n \"ts\": 0,\n \"dur\": 1\n},\(b)]",
    // Escaped keys are other keys; later ones win.
    #"[{"name":"x","name":"a","ph":"B","ph":"X","ts":9,"ts":0,"dur":1,"pid":1,"tid":1},\#(b)]"#,
    // Values that mean nothing to us.
    #"[{"args":{"v":NaN,"w":-Infinity,"s":"]}\"[{","x":[[{}]]},"z":N/A,\#(a.dropFirst()),\#(b)]"#,
    #"[{"id":[],"cat":null,"sf":1.5,\#(a.dropFirst()),\#(b)]"#,
  ])
  func areReadWhole(file: String) throws {
    let trace = try read(file)
    #expect(trace.tree == Self.both)
    #expect(trace.issues.isEmpty, "\(trace.issues)")
  }

  @Test(arguments: [
    ("[\(a),\(b)", "files cut"), ("[\(a),\(b),", "files cut"),
    (#"{"traceEvents":[\#(a),\#(b)"#, "files cut"), (#"{"traceEvents":[\#(a),\#(b)]"#, "files cut"),
    (#"[\#(a),\#(b),{"name":"c","ph":"X","ts":1"#, "files cut"),
    (#"[\#(a),\#(b),{"name":"c"#, "files cut"), (#"[\#(a),\#(b),{"args":{"x":[1,"#, "files cut"),
    (#"{"traceEvents":[\#(a),\#(b)],"otherData":{"x":"#, "files cut"),
    ("[{},\(a),\(b)]", "empty elements"), ("[\(a),\(b),{}]", "empty elements"),
    ("[\(a),null,\(b)]", "elements that are not"), ("[\(a),\"x\",\(b)]", "elements that are not"),
    ("[\(a),[1,[2]],\(b)]", "elements that are not"), ("[\(a),-5e3,\(b)]", "elements that are not"),
    ("[\(a),\(b)] and more", "texts behind"),
    (#"[\#(a),{"name":"q"},\#(b)]"#, "events without a phase"),
    (#"[\#(a),{"ph":"","ts":1},\#(b)]"#, "events without a phase"),
    (#"[\#(a),{"ph":"XX","ts":1,"dur":1},\#(b)]"#, "events of unknown phases"),
    (#"[\#(a),{"ph":"q","ts":1},\#(b)]"#, "events of unknown phases"),
    (#"[\#(a),{"ph":"X","name":"t","dur":1},\#(b)]"#, "events without a time"),
    (#"[\#(a),{"ph":"T","ts":1,"id":1},\#(b)]"#, "steps of asynchronous events"),
    (#"[\#(a),{"ph":"N","ts":1,"id":1},\#(b)]"#, "object events"),
    (#"[\#(a),{"ph":"P","ts":1},\#(b)]"#, "sample events"),
    (#"[\#(a),{"ph":"M","name":"thread_name","tid":1,"args":{}},\#(b)]"#, "names of threads"),
    (#"{"traceEvents":[\#(a),\#(b)],"samples":[{"x":1}]}"#, "lists of samples"),
    // Quotes that should have been escaped, in the middle and at the end of a line.
    ("[\(a),\n{\"name\":\"print(\"x\")\",\"ph\":\"X\",\"ts\":1},\n\(b)]", "damaged elements"),
    ("[\(a),\n{\"name\":\"C:\\dir\\\",\"ph\":\"X\",\"ts\":1},\n\(b)\n]", "damaged elements"),
    ("[\(a),{\"name\" \"x\"},\(b)]", "damaged elements"),
    ("[\(a),{\"ph\":\"X\",\"ts\":1,x,\"dur\":1},\(b)]", "damaged elements"),
  ])
  func giveWhatIsWhole(file: String, issue: String) throws {
    let trace = try read(file)
    #expect(trace.tree == Self.both)
    #expect(trace.issues.map(\.count) == [1], "\(trace.issues)")
    #expect(trace.count(of: issue) == 1, "\(trace.issues)")
  }

  @Test func aDecimalCommaIsUnderstood() throws {
    let trace = try read(
      #"[{"name":"a","ph":"X","ts":10,5,"dur": 1,25,"pid":1,"tid":1},{"name":"b","ph":"X","ts":20,"dur":1,"pid":1,"tid":1}]"#
    )
    #expect(trace.tree == "thread 1: a@0+1250 b@9500+1000")
    #expect(trace.count(of: "times with a decimal comma") == 2)
  }

  @Test func everyCutOfAFileKeepsItsWholeEvents() throws {
    let events = (0..<6).map {
      #"{"name":"e\#($0)","ph":"X","ts":\#($0),"dur":1,"pid":1,"tid":1,"args":{"k":"v\\"}}"#
    }
    let bytes = Array("{\"traceEvents\":[\n\(events.joined(separator: ",\n"))\n]}".utf8)
    let ends = events.indices.map {
      "{\"traceEvents\":[\n".utf8.count + ($0 + 1) * (events[0].utf8.count + 2) - 2
    }
    for count in 0..<bytes.count {
      let whole = ends.filter { $0 <= count }.count
      do throws(ImportError) {
        let trace = try read(Array(bytes[..<count]))
        #expect(trace.spans.count == whole, "cut at \(count)")
        #expect(trace.count(of: "files cut") == 1, "cut at \(count)")
      } catch {
        #expect(whole == 0, "cut at \(count): \(error)")
        #expect(error.offset <= count)
      }
    }
  }

  @Test(arguments: [
    (#"\u00e9"#, "é"), (#"a\/b"#, "a/b"), (#"\ud83d\ude00"#, "😀"),
    (#"\"\\\n\t\r\b\f"#, "\"\\\n\t\r\u{8}\u{C}"),
    ("raw\u{1}control\n", "raw\u{1}control\n"), ("😀", "😀"), (#"\ud83d"#, "\u{FFFD}"),
    (#"\ude00x"#, "\u{FFFD}x"), (#"\ud83d\u0041"#, "\u{FFFD}A"), (#"C:\Users\q"#, #"C:\Users\q"#),
    (#"\u12"#, #"\u12"#), ("", "(unnamed)"),
  ])
  func namesAreDecoded(written: String, expected: String) throws {
    let trace = try read(#"[{"name":"\#(written)","ph":"X","ts":0,"dur":1,"pid":1,"tid":1}]"#)
    #expect(trace.name(ofSpan: 0) == expected)
  }

  @Test func namesThatAreNoTextAreMendedAndCounted() throws {
    var bytes = Array(#"[{"name":"a"#.utf8)
    bytes += [0xFF, 0xE2, 0x82]
    bytes += Array(#"b","ph":"X","ts":0,"dur":1,"pid":1,"tid":1},"#.utf8)
    bytes += Array(#"{"name":12,"ph":"X","ts":2,"dur":1,"pid":1,"tid":1},"#.utf8)
    bytes += Array(#"{"ph":"X","ts":4,"dur":1,"pid":1,"tid":1}]"#.utf8)
    let trace = try read(bytes)
    #expect((0..<3).map { trace.name(ofSpan: $0) } == ["a\u{FFFD}\u{FFFD}b", "12", "(unnamed)"])
    #expect(trace.count(of: "names with invalid text") == 1)
    #expect(trace.count(of: "events without a name") == 1)
  }

  @Test(arguments: [
    ("", "the file is empty"), ("  \n", "the file is empty"),
    ("hello", "neither [ nor { at byte 0"),
    ("{}", "JSON without traceEvents"), (#"{"nodes":[1],"samples":[2]}"#, "samples only"),
    ("[]", "no scopes"), (#"{"traceEvents":[]}"#, "no scopes"), ("[", "cut at byte 1"),
    (#"{"otherData": {},"traceEvents":["#, "cut at byte 32"),
    (#"[{"ph":"M","name":"thread_name","args":{"name":"x"}}]"#, "no scopes"),
    (#"[{"ph":"T","ts":1,"id":1}]"#, "1 steps of asynchronous events"),
    (#"[{"ph":"P","ts":1,"name":"x"}]"#, "samples only"),
  ])
  func filesWithoutATraceSayWhy(file: String, sentence: String) {
    let error = #expect(throws: ImportError.self) { try read(file) }
    #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
  }

  @Test func onlyInstantsMakeATraceThatSaysSo() throws {
    let trace = try read(#"[{"name":"Frame","ph":"i","ts":1,"pid":1,"tid":1}]"#)
    #expect(trace.markers.count == 1)
    #expect(trace.count(of: "traces without scopes") == 1)
  }

  @Test func damageThatRepeatsDoesntTakeForever() throws {
    // Each line looks like an element and runs to the end of the file.
    let line = "{\"args\":{\"x\":[\n"
    let file = "[\(Self.a),\n" + String(repeating: line, count: 40_000)
    let trace = try read(file)
    #expect(trace.spans.count == 1)
    #expect(trace.count(of: "ends of files too damaged") == 1)
  }
}
