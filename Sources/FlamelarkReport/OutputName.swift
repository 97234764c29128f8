/// The name of an exported file, as speedscope sees it: it takes some names for other formats
/// before it looks at the content.
package struct OutputName {
  private let name: Substring

  /// The name of the file at a path.
  package init(_ path: String) {
    name = path.split(separator: "/", omittingEmptySubsequences: true).last ?? ""
  }

  /// Whether the file is to be compressed.
  package var isGzip: Bool { name.hasSuffix(".gz") }

  /// What speedscope takes the file for because of its name, nil if it looks at the content.
  package var routedFormat: String? {
    if name.hasSuffix(".speedscope.json") { return "its own format" }
    if containsDate(after: "Trace-") { return "a Chrome timeline" }
    if name.hasSuffix(".chrome.json") || containsDate(after: "Profile-") {
      return "a Chrome CPU profile"
    }
    for (ending, format) in Self.endings where name.hasSuffix(ending) { return format }
    return name.hasPrefix("callgrind.") ? "callgrind's output" : nil
  }

  private static let endings = [
    (".stackprof.json", "a Ruby profile"), (".instruments.txt", "a copy from Instruments"),
    (".linux-perf.txt", "the output of perf"), (".collapsedstack.txt", "collapsed stacks"),
    (".v8log.json", "a log of V8"), (".heapprofile", "a Chrome heap profile"),
    ("-recording.json", "a Safari recording"), (".pmcstat.graph", "the output of pmcstat"),
    (".jfr", "a Java recording"),
  ]

  /// Whether the name has the words and behind them eight digits, a T and six digits.
  private func containsDate(after word: String) -> Bool {
    let bytes = Array(name.utf8)
    let word = Array(word.utf8)
    guard bytes.count >= word.count + 15 else { return false }
    return (0...bytes.count - word.count - 15).contains { start in
      guard bytes[start..<start + word.count].elementsEqual(word) else { return false }
      let date = bytes[(start + word.count)..<(start + word.count + 15)]
      return date.enumerated().allSatisfy { index, byte in
        index == 8
          ? byte == UInt8(ascii: "T") : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
    }
  }
}
