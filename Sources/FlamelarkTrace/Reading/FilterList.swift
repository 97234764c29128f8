internal import FlamelarkFormat

/// What a recording left out, from its start on.
struct FilterList {
  private(set) var filters: [Trace.Filter] = []

  init(_ definitions: DefinitionTable, header: FileHeader, map: TickMap) {
    let start = DefinitionTable.Filter(
      tick: header.start.tick, depth: header.maximumDepth, minimum: header.minimumDuration,
      exceptions: definitions.exceptionsAtStart)
    var hint = 0
    filters = ([start] + definitions.filters).map { told in
      var filter = Trace.Filter(
        time: map(told.tick, near: &hint), maximumDepth: Int(told.depth),
        minimumDuration: Int64(clamping: told.minimum))
      filter.exceptions = told.exceptions.compactMap { Self.exception($0, definitions) }
      return filter
    }
  }

  /// nil for one of a kind that this version doesn't know.
  private static func exception(
    _ told: DefinitionTable.Filter.Exception, _ definitions: DefinitionTable
  ) -> Trace.Filter.Exception? {
    let subjects: [UInt32: Trace.Filter.Exception.Subject] = [1: .name, 2: .category]
    guard let subject = subjects[told.subject] else { return nil }
    return Trace.Filter.Exception(
      subject: subject, text: definitions.strings[told.text] ?? "",
      maximumDepth: told.depth == .max ? nil : Int(told.depth),
      minimumDuration: told.minimum == .max ? nil : Int64(clamping: told.minimum))
  }
}
