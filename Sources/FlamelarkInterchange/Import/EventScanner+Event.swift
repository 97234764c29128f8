/// The members of one event that matter.
struct EventFields {
  /// 0: none.
  var phase: UInt8 = 0
  var phaseIsLong = false
  var name = RawNameTable.none
  var start = DecimalTime()
  var duration = DecimalTime()
  var cpuDuration = DecimalTime()
  var process = Identity.missing
  var thread = Identity.missing
  /// Where the object of arguments begins, 0: nowhere.
  var arguments = 0
  var id = RawNameTable.none
  /// Its id counts within its process alone.
  var idIsLocal = false
  /// What the id belongs to, if the event says so.
  var idScope = RawNameTable.none
  /// Where the text of its category begins and ends, both 0: nowhere.
  var categoryStart = 0
  var categoryEnd = 0
  /// The scope of an instant, `t` if it says nothing.
  var scope = UInt8(ascii: "t")
  var isEmpty = true
}

/// The first four bytes of a key and its quote, as one number.
private enum Key {
  static let ph: UInt32 = 0x3A22_6870  // ph":
  static let ts: UInt32 = 0x3A22_7374  // ts":
  static let id: UInt32 = 0x3A22_6469  // id":
  static let dur: UInt32 = 0x2272_7564  // dur"
  static let pid: UInt32 = 0x2264_6970  // pid"
  static let tid: UInt32 = 0x2264_6974  // tid"
  static let cat: UInt32 = 0x2274_6163  // cat"
  static let name: UInt32 = 0x656D_616E  // name
  static let args: UInt32 = 0x7367_7261  // args
  static let tdur: UInt32 = 0x7275_6474  // tdur
}

extension EventScanner {
  /// Reads the object that begins here as an event. Gives the position behind it; nil: it is
  /// damaged or doesn't end, and nothing was taken from it.
  @inline(__always) mutating func event(at start: Int) -> Int? {
    var fields = EventFields()
    var p = start &+ 1
    while true {
      if text.byte(p) != UInt8(ascii: "\"") {
        p = text.afterSpace(p)
        switch text.byte(p) {
        case UInt8(ascii: ","):
          p &+= 1
          continue
        case UInt8(ascii: "}"):
          take(fields, at: start)
          return p &+ 1
        case UInt8(ascii: "\""): break
        default: return nil
        }
      }
      guard let end = member(at: p &+ 1, into: &fields), end < text.count else { return nil }
      p = end
      // Between members stands a comma, at the end a bracket; white space is the loop's.
      var separator = text.byte(p)
      if separator != UInt8(ascii: ","), separator != UInt8(ascii: "}") {
        p = text.afterSpace(p)
        separator = text.byte(p)
        guard separator == UInt8(ascii: ",") || separator == UInt8(ascii: "}") else { return nil }
      }
      if separator == UInt8(ascii: ",") {
        p &+= 1
        if text.byte(p) == 0x20 { p &+= 1 }
      }
    }
  }

  /// Reads a key, whose first byte stands here, and its value. Gives the position behind it.
  @inline(__always) private mutating func member(
    at key: Int, into fields: inout EventFields
  ) -> Int? {
    fields.isEmpty = false
    let word = text.four(key)
    // The keys of almost every event, written as almost every writer does.
    switch word {
    case Key.ph:
      let v = value(key &+ 4)
      if text.byte(v) == UInt8(ascii: "\""), text.byte(v &+ 2) == UInt8(ascii: "\""),
        text.byte(v &+ 1) > UInt8(ascii: "\"")
      {
        fields.phase = text.byte(v &+ 1)
        fields.phaseIsLong = false
        return v &+ 3
      }
    case Key.ts:
      if let end = time(at: value(key &+ 4), into: &fields.start) { return end }
    case Key.dur where text.byte(key &+ 4) == UInt8(ascii: ":"):
      if let end = time(at: value(key &+ 5), into: &fields.duration) { return end }
    case Key.pid where text.byte(key &+ 4) == UInt8(ascii: ":"):
      if let end = integer(at: value(key &+ 5), into: &fields.process) { return end }
    case Key.tid where text.byte(key &+ 4) == UInt8(ascii: ":"):
      if let end = integer(at: value(key &+ 5), into: &fields.thread) { return end }
    case Key.name where text.four(key &+ 4) & 0xFFFF == 0x3A22:
      let v = value(key &+ 6)
      if text.byte(v) == UInt8(ascii: "\"") {
        guard let end = text.stringEnd(v &+ 1) else { return nil }
        fields.name = names.intern(v &+ 1, end)
        return end &+ 1
      }
    case Key.cat where text.byte(key &+ 4) == UInt8(ascii: ":"):
      let v = value(key &+ 5)
      if text.byte(v) == UInt8(ascii: "\"") {
        guard let end = text.stringEnd(v &+ 1) else { return nil }
        fields.categoryStart = v &+ 1
        fields.categoryEnd = end
        return end &+ 1
      }
    default: break
    }
    return anyMember(at: key, into: &fields)
  }

  /// Where a value begins behind a colon, if at most one space is between.
  @inline(__always) private func value(_ position: Int) -> Int {
    text.byte(position) == 0x20 ? position &+ 1 : position
  }

  /// Reads a time. A comma between two digits can only be a decimal one: a key has quotes.
  @inline(__always) private mutating func time(
    at position: Int, into time: inout DecimalTime
  ) -> Int? {
    guard let end = text.time(at: position, into: &time) else { return nil }
    if text.byte(end) == UInt8(ascii: ","), text.byte(end &+ 1) &- UInt8(ascii: "0") <= 9 {
      issues.add(.decimalCommas, at: end)
      return text.exactTime(at: position, into: &time, point: UInt8(ascii: ","))
    }
    return end
  }

  /// Reads a small number. nil: it is something else.
  @inline(__always) private func integer(at position: Int, into identity: inout Identity) -> Int? {
    var p = position
    var value: Int64 = 0
    while true {
      let digit = text.byte(p) &- UInt8(ascii: "0")
      if digit > 9 { break }
      value = value &* 10 &+ Int64(digit)
      p &+= 1
    }
    guard p != position, p &- position <= 18 else { return nil }
    let next = text.byte(p)
    guard next == UInt8(ascii: ",") || next == UInt8(ascii: "}") || next == 0x0A else { return nil }
    identity = .number(value)
    return p
  }

  /// Reads any member in any notation.
  @inline(never) private mutating func anyMember(
    at key: Int, into fields: inout EventFields
  ) -> Int? {
    guard let keyEnd = text.stringEnd(key) else { return nil }
    var p = text.afterSpace(keyEnd + 1)
    guard text.byte(p) == UInt8(ascii: ":") else { return nil }
    p = text.afterSpace(p + 1)
    guard let end = text.afterValue(p) else { return nil }
    let isString = text.byte(p) == UInt8(ascii: "\"")
    let content = isString ? p + 1..<end - 1 : p..<end
    let isNested = text.byte(p) == UInt8(ascii: "{") || text.byte(p) == UInt8(ascii: "[")
    let range = key..<keyEnd
    if text.isText(range, "ph") {
      fields.phase = content.isEmpty ? 0 : text.byte(content.lowerBound)
      fields.phaseIsLong = content.count > 1
    } else if text.isText(range, "ts") {
      readTime(content, into: &fields.start)
    } else if text.isText(range, "dur") {
      readTime(content, into: &fields.duration)
    } else if text.isText(range, "tdur") {
      readTime(content, into: &fields.cpuDuration)
    } else if text.isText(range, "name"), !isNested {
      fields.name = isNull(content, isString) ? RawNameTable.none : intern(content)
    } else if text.isText(range, "pid"), !isNested {
      fields.process = isNull(content, isString) ? .missing : identity(content)
    } else if text.isText(range, "tid"), !isNested {
      fields.thread = isNull(content, isString) ? .missing : identity(content)
    } else if text.isText(range, "args") {
      fields.arguments = text.byte(p) == UInt8(ascii: "{") ? p : 0
    } else if text.isText(range, "id"), !isNested {
      fields.id = intern(content)
    } else if text.isText(range, "id2"), text.byte(p) == UInt8(ascii: "{") {
      readScopedIdentifier(at: p, into: &fields)
    } else if text.isText(range, "scope"), isString {
      fields.idScope = intern(content)
    } else if text.isText(range, "cat"), isString {
      (fields.categoryStart, fields.categoryEnd) = (content.lowerBound, content.upperBound)
    } else if text.isText(range, "s"), isString, content.count == 1 {
      fields.scope = text.byte(content.lowerBound)
    }
    return end
  }

  /// `{"local": …}` or `{"global": …}`.
  private mutating func readScopedIdentifier(at start: Int, into fields: inout EventFields) {
    var found: (Range<Int>, isLocal: Bool)?
    forEachMember(of: start) { scanner, key, value in
      let isString = scanner.text.byte(value.lowerBound) == UInt8(ascii: "\"")
      let content = isString ? value.lowerBound + 1..<value.upperBound - 1 : value
      if scanner.text.isText(key, "local") { found = (content, true) }
      if scanner.text.isText(key, "global") { found = (content, false) }
    }
    guard let found else { return }
    fields.id = intern(found.0)
    fields.idIsLocal = found.isLocal
  }

  private mutating func intern(_ range: Range<Int>) -> UInt32 {
    names.intern(range.lowerBound, range.upperBound)
  }

  private func isNull(_ range: Range<Int>, _ isString: Bool) -> Bool {
    !isString && text.isText(range, "null")
  }

  /// A time that may be a string, with nothing behind its digits.
  private func readTime(_ range: Range<Int>, into time: inout DecimalTime) {
    time = DecimalTime()
    if text.isText(range, "null") { return }
    guard let end = text.time(at: range.lowerBound, into: &time), end == range.upperBound else {
      time = DecimalTime()
      time.state = .notANumber
      return
    }
  }

  /// A number if the text is one of at most 64 bits, with or without quotes.
  private mutating func identity(_ range: Range<Int>) -> Identity {
    let isNegative = text.byte(range.lowerBound) == UInt8(ascii: "-")
    var value: Int64 = 0
    var digits = range.dropFirst(isNegative ? 1 : 0)
    // Some writers know only floating point: 7.0 is 7.
    if let point = digits.firstIndex(where: { text.byte($0) == UInt8(ascii: ".") }),
      digits[point...].dropFirst().allSatisfy({ text.byte($0) == UInt8(ascii: "0") })
    {
      digits = digits[..<point]
    }
    guard !digits.isEmpty, digits.count <= 19 else { return .text(intern(range)) }
    for position in digits {
      let digit = text.byte(position) &- UInt8(ascii: "0")
      let (product, tooGreat) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = product.addingReportingOverflow(Int64(digit))
      guard digit <= 9, !tooGreat, !overflow else { return .text(intern(range)) }
      value = sum
    }
    return .number(isNegative ? -value : value)
  }
}
