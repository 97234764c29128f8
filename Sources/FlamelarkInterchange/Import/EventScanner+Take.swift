extension EventScanner {
  /// Keeps what an event says, or counts why not.
  @inline(__always) mutating func take(_ fields: EventFields, at offset: Int) {
    if fields.phase == UInt8(ascii: "X"), fields.start.state == .valid,
      fields.duration.state == .valid, !fields.phaseIsLong
    {
      return complete(fields, duration: fields.duration, at: offset)
    }
    takeOther(fields, at: offset)
  }

  @inline(never) private mutating func takeOther(_ fields: EventFields, at offset: Int) {
    if fields.isEmpty { return issues.add(.emptyElements, at: offset) }
    if fields.phase == 0 { return issues.add(.noPhase, at: offset) }
    if fields.phaseIsLong { return issues.add(.unknownPhase, at: offset) }
    switch fields.phase {
    case UInt8(ascii: "B"): begin(fields, .begin, at: offset)
    case UInt8(ascii: "E"): begin(fields, .end, at: offset)
    case UInt8(ascii: "i"), UInt8(ascii: "I"): begin(fields, .instant, at: offset)
    case UInt8(ascii: "X"): completeWithoutDuration(fields, at: offset)
    case UInt8(ascii: "C"): counter(fields, at: offset)
    case UInt8(ascii: "M"): metadata(fields, at: offset)
    case UInt8(ascii: "b"), UInt8(ascii: "S"): async(fields, .begin, at: offset)
    case UInt8(ascii: "e"), UInt8(ascii: "F"): async(fields, .end, at: offset)
    case UInt8(ascii: "n"): async(fields, .instant, at: offset)
    case UInt8(ascii: "T"), UInt8(ascii: "p"): issues.add(.asyncSteps, at: offset)
    case UInt8(ascii: "s"): flow(fields, .begin, at: offset)
    case UInt8(ascii: "t"): flow(fields, .step, at: offset)
    case UInt8(ascii: "f"): flow(fields, .end, at: offset)
    case UInt8(ascii: "N"), UInt8(ascii: "O"), UInt8(ascii: "D"): issues.add(.objects, at: offset)
    case UInt8(ascii: "V"), UInt8(ascii: "v"): issues.add(.memoryDumps, at: offset)
    case UInt8(ascii: "P"): issues.add(.samples, at: offset)
    case UInt8(ascii: "R"), UInt8(ascii: "c"), UInt8(ascii: "("), UInt8(ascii: ")"):
      issues.add(.otherPhases, at: offset)
    default: issues.add(.unknownPhase, at: offset)
    }
  }

  mutating func thread(of fields: EventFields) -> UInt32 {
    threads.index(of: .init(process: fields.process, thread: fields.thread))
  }

  /// Whether an event has a usable time; counts it if not.
  mutating func hasTime(_ fields: EventFields, at offset: Int) -> Bool {
    switch fields.start.state {
    case .valid: return true
    case .missing: issues.add(.noTime, at: offset)
    case .notANumber: issues.add(.timeNotANumber, at: offset)
    case .outOfRange: issues.add(.timeOutOfRange, at: offset)
    }
    return false
  }

  @inline(__always) private mutating func append(
    _ fields: EventFields, _ phase: ScannedEvent.Phase, end: Int64, flags: ScannedEvent.Flags,
    at offset: Int
  ) {
    events.append(
      ScannedEvent(
        start: fields.start.rounded, end: end, offset: offset, name: fields.name,
        thread: thread(of: fields), phase: phase, flags: flags))
  }

  private mutating func begin(
    _ fields: EventFields, _ phase: ScannedEvent.Phase, at offset: Int
  ) {
    guard hasTime(fields, at: offset) else { return }
    var flags: ScannedEvent.Flags = fields.start.isFine ? .fineTimes : []
    if phase == .instant {
      if fields.scope == UInt8(ascii: "g") { flags.insert(.isGlobal) }
      // Old versions of Chrome write all their samples as one such instant.
      if fields.phase == UInt8(ascii: "I"), fields.name != RawNameTable.none,
        text.isText(names.ranges[Int(fields.name)], "CpuProfile")
      {
        return issues.add(.samples, at: offset)
      }
    }
    append(fields, phase, end: fields.start.rounded, flags: flags, at: offset)
  }

  @inline(__always) private mutating func complete(
    _ fields: EventFields, duration: DecimalTime, at offset: Int
  ) {
    guard let end = fields.start + duration else {
      return issues.add(.timeOutOfRange, at: offset)
    }
    var flags: ScannedEvent.Flags = duration.isInteger ? .roughDuration : []
    if fields.start.isFine || duration.isFine { flags.insert(.fineTimes) }
    if duration.whole < 0 { issues.add(.negativeDuration, at: offset) }
    append(
      fields, .complete, end: max(end.rounded, fields.start.rounded), flags: flags, at: offset)
  }

  private mutating func completeWithoutDuration(_ fields: EventFields, at offset: Int) {
    guard hasTime(fields, at: offset) else { return }
    if fields.cpuDuration.state == .valid {
      issues.add(.cpuDuration, at: offset)
      return complete(fields, duration: fields.cpuDuration, at: offset)
    }
    if fields.duration.state == .outOfRange { return issues.add(.timeOutOfRange, at: offset) }
    issues.add(.noDuration, at: offset)
    append(fields, .complete, end: ScannedEvent.unfinished, flags: [], at: offset)
  }

  private mutating func counter(_ fields: EventFields, at offset: Int) {
    guard hasTime(fields, at: offset) else { return }
    guard fields.arguments != 0 else { return issues.add(.counterValues, at: offset) }
    forEachMember(of: fields.arguments) { scanner, key, value in
      let isString = scanner.text.byte(value.lowerBound) == UInt8(ascii: "\"")
      let content = isString ? value.lowerBound + 1..<value.upperBound - 1 : value
      guard let number = scanner.text.double(content) else {
        scanner.issues.add(.counterValues, at: value.lowerBound)
        return
      }
      let counterKey = CounterKey(
        process: fields.process, name: fields.name, id: fields.id,
        argument: scanner.names.intern(key.lowerBound, key.upperBound))
      let index = scanner.counters[counterKey] ?? scanner.counterKeys.count
      if index == scanner.counterKeys.count {
        scanner.counters[counterKey] = index
        scanner.counterKeys.append(counterKey)
      }
      scanner.samples.append(
        ScannedSample(time: fields.start.rounded, value: number, counter: index))
    }
  }

  private mutating func metadata(_ fields: EventFields, at offset: Int) {
    guard fields.name != RawNameTable.none else { return }
    let name = names.ranges[Int(fields.name)]
    let isThread = text.isText(name, "thread_name")
    guard isThread || text.isText(name, "process_name") else { return }
    var found: Range<Int>?
    if fields.arguments != 0 {
      forEachMember(of: fields.arguments) { scanner, key, value in
        guard scanner.text.isText(key, "name") else { return }
        let first = scanner.text.byte(value.lowerBound)
        if first == UInt8(ascii: "\"") {
          found = value.lowerBound + 1..<value.upperBound - 1
        } else if first != UInt8(ascii: "{"), first != UInt8(ascii: "["),
          !scanner.text.isText(value, "null")
        {
          found = value
        }
      }
    }
    guard let found else { return issues.add(.metadataWithoutName, at: offset) }
    if isThread {
      threadNames[thread(of: fields)] = found
    } else {
      processNames[fields.process] = found
    }
  }
}
