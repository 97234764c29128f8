internal import FlamelarkTrace

extension InfoReport {
  /// What belongs together by the program's word, with how many call sites and spans it has.
  func writeCategories(to json: inout JSONWriter) {
    var sites: [NameID: Int] = [:]
    for site in trace.callSites { site.category.map { sites[$0, default: 0] += 1 } }
    var spans: [NameID: Int] = [:]
    if !sites.isEmpty {
      for site in trace.spans.site {
        trace.callSites[Int(site.index)].category.map { spans[$0, default: 0] += 1 }
      }
    }
    let names = sites.keys.sorted { trace.names[$0] < trace.names[$1] }
    json.array("categories", of: names) { json, name in
      json.object(onOneLine: true) { json in
        json.member("name", trace.names[name])
        json.member("call_sites", sites[name] ?? 0)
        json.member("spans", spans[name] ?? 0)
      }
    }
  }

  /// The values that the program gave its spans, by their name.
  func writeValues(to json: inout JSONWriter) {
    let counts = Dictionary(trace.values.map { ($0.name, 1) }, uniquingKeysWith: +)
    let sorted = counts.sorted { trace.names[$0.key] < trace.names[$1.key] }
    json.array("values", of: sorted) { json, value in
      json.object(onOneLine: true) { json in
        json.member("name", trace.names[value.key])
        json.member("count", value.value)
      }
    }
  }

  /// The clocks of devices.
  func writeDeviceClocks(to json: inout JSONWriter) {
    json.array("device_clocks", of: trace.deviceClocks) { json, clock in
      json.object(onOneLine: true) { json in
        json.member("track", clock.track)
        json.member("ticks_per_second", clock.ticksPerSecond)
        json.member("relations", clock.relations)
        json.member("drift_ppm", clock.drift ?? .nan)
      }
    }
  }

  /// The program's code.
  func writeModules(to json: inout JSONWriter) {
    json.array("modules", of: trace.modules) { json, module in
      json.object(onOneLine: true) { json in
        json.member("path", module.path)
        json.member("build_id", module.buildID)
        json.member("base", "0x" + String(module.base, radix: 16))
        json.member("bytes", module.byteCount)
        json.member("seen_ns", module.time)
      }
    }
  }

  /// When threads had no processor, by why.
  func writeThreadStates(to json: inout JSONWriter) {
    json.array("thread_states", of: threadStateTotals) { json, total in
      json.object(onOneLine: true) { json in
        json.member("kind", total.kind.rawValue)
        json.member("count", total.count)
        json.member("total_ns", total.time)
        json.member("waker_known", total.wakerKnown)
        json.member("threads", total.threads.count)
      }
    }
  }

  /// Thread states of one kind.
  struct ThreadStateTotal {
    let kind: Trace.ThreadState.Kind
    var count = 0
    var time: Int64 = 0
    /// Of how many it is known which thread ended them.
    var wakerKnown = 0
    var threads: Set<Int> = []
  }

  /// By kind, without those that don't occur.
  private var threadStateTotals: [ThreadStateTotal] {
    Trace.ThreadState.Kind.allCases.compactMap { kind in
      var total = ThreadStateTotal(kind: kind)
      for state in trace.threadStates where state.kind == kind {
        total.count += 1
        total.time &+= state.range.upperBound &- state.range.lowerBound
        total.wakerKnown += state.wokenBy == nil ? 0 : 1
        total.threads.insert(state.track)
      }
      return total.count == 0 ? nil : total
    }
  }

  /// Lines about code, clocks and values for the header.
  var factLines: [(String, String)] {
    var facts: [(String, String)] = []
    if !trace.modules.isEmpty {
      let path = trace.source.properties["executable"]
      let program = trace.modules.first { $0.path == path } ?? trace.modules[0]
      let buildID = program.buildID.map { PrintableText($0).text } ?? "none"
      facts.append(
        ("modules", "\(Figure.count(trace.modules.count)) · build-id of the program \(buildID)"))
    }
    if !trace.values.isEmpty {
      let names = Set(trace.values.map(\.name)).count
      facts.append(
        (
          "values",
          Figure.count(trace.values.count, "value") + " of spans · " + Figure.count(names, "name")
        ))
    }
    let states = threadStateTotals
    if !states.isEmpty {
      facts.append(
        (
          "without processor",
          states.map {
            "\($0.kind.rawValue) \(Figure.count($0.count, "time")), \(Figure.duration($0.time))"
          }.joined(separator: " · ")
        ))
    }
    for clock in trace.deviceClocks.prefix(8) {
      let drift = clock.drift.map { drift in
        "drift \(drift < 0 ? "-" : "")\(Figure.calls(abs(drift))) ppm"
      }
      facts.append(
        (
          "clock of a device",
          [
            PrintableText(clock.track).text, "\(Figure.count(clock.ticksPerSecond)) a second",
            Figure.count(clock.relations, "relation"), drift ?? "drift not known",
          ].joined(separator: " · ")
        ))
    }
    return facts
  }
}
