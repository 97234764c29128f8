extension EventScanner {
  /// Keeps what is of no thread's stack: b, n, e, and S and F of old.
  mutating func async(_ fields: EventFields, _ phase: ScannedEvent.Phase, at offset: Int) {
    guard hasTime(fields, at: offset) else { return }
    let isOld = fields.phase == UInt8(ascii: "S") || fields.phase == UInt8(ascii: "F")
    let key = AsyncKey(
      process: isOld || fields.idIsLocal ? fields.process : nil,
      category: isOld ? RawNameTable.none : category(of: fields),
      name: isOld || fields.id == RawNameTable.none ? fields.name : RawNameTable.none,
      id: fields.id, scope: fields.idScope)
    let index = asyncs.index(of: key, process: fields.process)
    let process = asyncs.entries[index].process
    asyncs.note(thread: thread(of: fields), ofEvent: events.count)
    let row = threads.index(of: .init(process: process, thread: .async(index)))
    events.append(
      ScannedEvent(
        start: fields.start.rounded, end: fields.start.rounded, offset: offset,
        name: fields.name, thread: row, phase: phase, flags: .isAsync))
    if phase == .begin, fields.arguments != 0, isText(of: fields.categoryRange, "task") {
      readRow(fields, of: index)
    }
  }

  /// What our own export says of the row of a task.
  private mutating func readRow(_ fields: EventFields, of index: Int) {
    forEachMember(of: fields.arguments) { scanner, key, value in
      guard scanner.text.byte(value.lowerBound) == UInt8(ascii: "\"") else { return }
      let content = value.lowerBound + 1..<value.upperBound - 1
      if scanner.text.isText(key, "row") { scanner.asyncs.entries[index].rowName = content }
      if scanner.text.isText(key, "task") {
        scanner.asyncs.entries[index].task = UInt64(scanner.text.string(content).text)
      }
    }
  }

  /// Keeps one end of a flow.
  mutating func flow(_ fields: EventFields, _ phase: ScannedFlow.Phase, at offset: Int) {
    guard hasTime(fields, at: offset) else { return }
    let key = ScannedFlow.Key(
      category: category(of: fields), name: fields.name, id: fields.id,
      process: fields.idIsLocal ? fields.process : nil)
    var flow = ScannedFlow(
      time: fields.start.rounded, key: key, thread: thread(of: fields), phase: phase)
    if phase == .end, fields.arguments != 0, isText(of: fields.categoryRange, "wait") {
      var row: Range<Int>?
      forEachMember(of: fields.arguments) { scanner, key, value in
        guard scanner.text.isText(key, "row"), value.count > 2 else { return }
        row = value.lowerBound + 1..<value.upperBound - 1
      }
      if let row { flow.row = names.intern(row.lowerBound, row.upperBound) }
    }
    flows.append(flow)
  }

  private mutating func category(of fields: EventFields) -> UInt32 {
    guard let range = fields.categoryRange else { return RawNameTable.none }
    return names.intern(range.lowerBound, range.upperBound)
  }

  private func isText(of range: Range<Int>?, _ expected: StaticString) -> Bool {
    range.map { text.isText($0, expected) } ?? false
  }
}

extension EventFields {
  /// Where its category stands, without quotes.
  fileprivate var categoryRange: Range<Int>? {
    categoryStart > 0 ? categoryStart..<categoryEnd : nil
  }
}
