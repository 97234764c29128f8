/// From the recorder's ids of call sites to those of a trace.
struct SiteTable {
  private var sites: [UInt32: CallSiteID] = [:]
  private var dense: [CallSiteID] = []
  private let unknown: CallSiteID

  /// Puts names and call sites of a recording into a trace.
  init(_ definitions: DefinitionTable, into trace: inout Trace) {
    unknown = CallSiteID(UInt32(trace.callSites.count))
    trace.callSites.append(Trace.CallSite(name: trace.names.intern("(unknown)")))
    for (id, site) in definitions.sites.sorted(by: { $0.key < $1.key }) {
      let name = definitions.strings[site.name] ?? "(unknown)"
      let file = definitions.strings[site.file] ?? ""
      sites[id] = CallSiteID(UInt32(trace.callSites.count))
      trace.callSites.append(
        Trace.CallSite(
          name: trace.names.intern(name.isEmpty ? "(no name)" : name),
          file: file.isEmpty ? nil : trace.names.intern(file), line: site.line,
          category: definitions.strings[site.category].map { trace.names.intern($0) }))
    }
    let last = sites.keys.max() ?? 0
    // Ids count from 1, so a table is small; a damaged file may name any.
    if last < 1 << 20 {
      dense = (0...last).map { sites[$0] ?? unknown }
    }
  }

  /// The call site of a recorder's id; one that is not defined is `(unknown)`.
  @inline(__always)
  subscript(id: UInt32) -> CallSiteID {
    Int(id) < dense.count ? dense[Int(id)] : sites[id] ?? unknown
  }
}
