/// Goes once through Trace Event JSON and collects what a trace is made of.
///
/// It reads files that a strict reader rejects: without their end, with missing or superfluous
/// commas, with damaged elements. It doesn't recurse, makes no object for an event, and reads
/// each byte a bounded number of times.
struct EventScanner {
  let text: ScanText
  var names: RawNameTable
  var threads = ThreadTable()
  var events: [ScannedEvent] = []
  var counters: [CounterKey: Int] = [:]
  var counterKeys: [CounterKey] = []
  var samples: [ScannedSample] = []
  var asyncs = AsyncTable()
  var flows: [ScannedFlow] = []
  /// Where the name of a thread or process stands; the last one in the file counts.
  var threadNames: [UInt32: Range<Int>] = [:]
  var processNames: [Identity: Range<Int>] = [:]
  /// String members of `otherData` and `metadata`.
  var properties: [(key: Range<Int>, value: Range<Int>)] = []
  var issues = ScanIssues()
  /// An array of events was found.
  private(set) var hasEventList = false
  /// How many elements were looked at.
  private(set) var elementCount = 0
  /// Bytes that were read in vain, behind which reading went on further ahead.
  private var wastedBytes = 0

  init(_ text: ScanText) {
    self.text = text
    names = RawNameTable(of: text)
    // A short event has about 64 bytes. Pages that stay empty cost nothing.
    events.reserveCapacity(min(text.count / 64, 1 << 27))
  }

  /// Reads everything.
  mutating func scan() throws(ImportError) {
    var p = text.has("\u{FEFF}", at: 0) ? 3 : 0
    p = text.afterSpace(p)
    guard p < text.count else { throw ImportError(.empty, at: p) }
    guard text.byte(p) == UInt8(ascii: "[") || text.byte(p) == UInt8(ascii: "{") else {
      throw ImportError(.notATrace(found: "neither [ nor {"), at: p)
    }
    // Usually one value; but some writers put arrays, or a line for each event, one after another.
    while p < text.count {
      switch text.byte(p) {
      case UInt8(ascii: "["): p = try array(at: p)
      case UInt8(ascii: "{"): p = try topObject(at: p)
      case UInt8(ascii: ","): p += 1
      default:
        issues.add(.trailingBytes, at: p)
        return
      }
      p = text.afterSpace(p)
    }
  }

  /// Reads an array of events. Gives the position behind it.
  private mutating func array(at start: Int) throws(ImportError) -> Int {
    hasEventList = true
    var p = start + 1
    while true {
      p = text.afterSpace(p)
      guard p < text.count else {
        issues.add(.cut, at: p)
        return p
      }
      switch text.byte(p) {
      case UInt8(ascii: ","): p += 1
      case UInt8(ascii: "]"): return p + 1
      case UInt8(ascii: "{"): p = try element(at: p)
      case UInt8(ascii: "}"):
        // What is left of a damaged element, or the end of an object whose array has no end.
        issues.add(.otherElements, at: p)
        p += 1
      default:
        issues.add(.otherElements, at: p)
        elementCount += 1
        p = max(text.afterValue(p) ?? text.afterLiteral(p), p + 1)
      }
    }
  }

  /// Reads one element, or goes past it. Gives the position behind it.
  private mutating func element(at start: Int) throws(ImportError) -> Int {
    elementCount += 1
    guard events.count < Int(UInt32.max) - 1 else {
      throw ImportError(.tooManyEvents, at: start)
    }
    if let end = event(at: start) { return end }
    return afterDamage(at: start)
  }

  /// Where reading can go on behind an element that couldn't be read.
  private mutating func afterDamage(at start: Int) -> Int {
    guard wastedBytes < text.count * 8 + 1 << 20 else {
      issues.add(.unreadableRest, at: start)
      return text.count
    }
    // The end of the element, if its quotes and brackets are in order.
    if let end = text.afterNested(start) {
      issues.add(.unreadableElements, at: start)
      wastedBytes += end - start
      return end
    }
    wastedBytes += text.count - start
    // Else the next line that begins like an element.
    var p = start + 1
    while p < text.count {
      if text.byte(p) == 0x0A {
        let line = text.afterSpace(p)
        if text.byte(line) == UInt8(ascii: "{") {
          issues.add(.unreadableElements, at: start)
          return line
        }
        p = max(line, p + 1)
      } else {
        p += 1
      }
    }
    // The last element, cut in its middle.
    issues.add(.cut, at: start)
    return text.count
  }

  /// Reads an object around a list of events, or an event that stands for itself.
  private mutating func topObject(at start: Int) throws(ImportError) -> Int {
    var p = start + 1
    var depth = 1
    while true {
      p = text.afterSpace(p)
      guard p < text.count else {
        issues.add(.cut, at: p)
        return p
      }
      switch text.byte(p) {
      case UInt8(ascii: ","):
        p += 1
        continue
      case UInt8(ascii: "}"):
        p += 1
        depth -= 1
        if depth == 0 { return p }
        continue
      case UInt8(ascii: "\""): break
      default:
        issues.add(.trailingBytes, at: p)
        return text.count
      }
      guard let keyEnd = text.stringEnd(p + 1) else {
        issues.add(.cut, at: p)
        return text.count
      }
      let key = p + 1..<keyEnd
      p = text.afterSpace(keyEnd + 1)
      guard text.byte(p) == UInt8(ascii: ":") else {
        issues.add(p < text.count ? .trailingBytes : .cut, at: p)
        return text.count
      }
      p = text.afterSpace(p + 1)
      if text.isText(key, "ph"), !hasEventList || depth == 1, text.byte(p) == UInt8(ascii: "\"") {
        hasEventList = true
        return try element(at: start)
      }
      if text.isText(key, "traceEvents") {
        if text.byte(p) == UInt8(ascii: "[") {
          p = try array(at: p)
          continue
        }
        if text.byte(p) == UInt8(ascii: "{") {
          depth += 1
          p += 1
          continue
        }
      }
      guard let end = text.afterValue(p) else {
        issues.add(.cut, at: p)
        return text.count
      }
      note(member: key, value: p..<end)
      p = end
    }
  }

  /// What a member beside the events says.
  private mutating func note(member key: Range<Int>, value: Range<Int>) {
    let first = text.byte(value.lowerBound)
    if text.isText(key, "samples") {
      let inner = text.afterSpace(value.lowerBound + 1)
      if first == UInt8(ascii: "["), text.byte(inner) != UInt8(ascii: "]") {
        issues.add(.stackSamples, at: value.lowerBound)
      }
    } else if text.isText(key, "systemTraceEvents") {
      issues.add(.systemTrace, at: value.lowerBound)
    } else if text.isText(key, "otherData"), first == UInt8(ascii: "{") {
      forEachMember(of: value.lowerBound) { scanner, key, value in
        guard scanner.properties.count < 256,
          scanner.text.byte(value.lowerBound) == UInt8(ascii: "\"")
        else { return }
        scanner.properties.append((key, value.lowerBound + 1..<value.upperBound - 1))
      }
    }
  }

  /// Goes over the members of an object that was read before. Values still have their quotes.
  mutating func forEachMember(
    of start: Int, _ body: (inout EventScanner, _ key: Range<Int>, _ value: Range<Int>) -> Void
  ) {
    var p = start + 1
    while true {
      p = text.afterSpace(p)
      if text.byte(p) == UInt8(ascii: ",") {
        p += 1
        continue
      }
      guard text.byte(p) == UInt8(ascii: "\""), let keyEnd = text.stringEnd(p + 1) else { return }
      let key = p + 1..<keyEnd
      p = text.afterSpace(keyEnd + 1)
      guard text.byte(p) == UInt8(ascii: ":") else { return }
      p = text.afterSpace(p + 1)
      guard let end = text.afterValue(p) else { return }
      body(&self, key, p..<end)
      p = end
    }
  }
}
