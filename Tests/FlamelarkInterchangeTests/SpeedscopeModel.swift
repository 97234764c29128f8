import Foundation

/// How speedscope 1.25 reads Trace Event JSON, as far as scopes are concerned: its checks, its
/// queues of begins and ends, its rules for ties and for what doesn't fit. Written from a
/// description of its behaviour, with Foundation's strict JSON reader.
struct SpeedscopeModel {
  struct Profile {
    var name: String
    var pid: Double
    var tid: Double
    var spans: [TreeSpan]
    var warnings: Int
  }

  struct Refused: Error { var reason: String }

  private struct Event {
    var ph: String
    var name: String
    var args: String
    var ts: Double
    var dur: Double

    /// What a frame is told from others by.
    var key: String { args.isEmpty ? name : "\(name) \(args)" }
  }

  let profiles: [Profile]

  init(_ bytes: [UInt8]) throws {
    let json = try JSONSerialization.jsonObject(with: Data(bytes))
    guard let object = json as? [String: Any], let list = object["traceEvents"] as? [[String: Any]]
    else { throw Refused(reason: "no list of objects") }
    guard object["samples"] == nil, object["stackFrames"] == nil else {
      throw Refused(reason: "only samples would be read")
    }
    for event in list {
      guard let ph = event["ph"] as? String else { throw Refused(reason: "an element without ph") }
      if "BEX".contains(ph), !(event["ts"] is NSNumber) { throw Refused(reason: "no ts") }
    }
    if let first = list.first, first["pid"] != nil, first["tid"] != nil, first["cat"] != nil,
      list.contains(where: {
        ["CpuProfile", "Profile", "ProfileChunk"].contains($0["name"] as? String ?? "")
      })
    {
      throw Refused(reason: "taken for a recording of Chrome")
    }
    var events: [[Double]: [Event]] = [:]
    var names: [[Double]: String] = [:]
    for event in list {
      guard let pid = (event["pid"] as? NSNumber)?.doubleValue,
        let tid = (event["tid"] as? NSNumber)?.doubleValue
      else { throw Refused(reason: "no pid or tid") }
      let ph = event["ph"] as? String ?? ""
      let args = event["args"] as? [String: Any] ?? [:]
      if ph == "M", event["name"] as? String == "thread_name" {
        names[[pid, tid]] = args["name"] as? String
      }
      guard "BEX".contains(ph) else { continue }
      let name = event["name"] as? String ?? ""
      let argsText =
        args.isEmpty
        ? ""
        : String(
          decoding: try JSONSerialization.data(withJSONObject: args, options: .sortedKeys),
          as: UTF8.self)
      events[[pid, tid], default: []].append(
        Event(
          ph: ph, name: name.isEmpty ? "(unnamed)" : name, args: argsText,
          ts: (event["ts"] as? NSNumber)?.doubleValue ?? 0,
          dur: (event["dur"] as? NSNumber)?.doubleValue ?? (event["tdur"] as? NSNumber)?
            .doubleValue ?? 0))
    }
    profiles = events.keys.sorted { $0.lexicographicallyPrecedes($1) }.map { key in
      let (spans, warnings) = Self.tree(events[key] ?? [])
      return Profile(
        name: names[key] ?? "", pid: key[0], tid: key[1], spans: spans, warnings: warnings)
    }
  }

  private static func tree(_ events: [Event]) -> ([TreeSpan], warnings: Int) {
    let zero = events.map(\.ts).min() ?? 0
    var begins: [Event] = []
    var ends: [Event] = []
    for var event in events {
      event.ts -= zero
      if event.ph != "E" { begins.append(event) }
      if event.ph == "X" { event.ts += event.dur }
      if event.ph != "B" { ends.append(event) }
    }
    func stable(_ list: [Event], _ isBefore: (Event, Event) -> Bool) -> [Event] {
      list.enumerated().sorted { a, b in
        isBefore(a.element, b.element)
          || !isBefore(b.element, a.element) && a.offset < b.offset
      }.map(\.element)
    }
    begins = stable(begins) { $0.ts < $1.ts || $0.ts == $1.ts && $0.dur > $1.dur }
    ends = stable(ends) { $0.ts < $1.ts }

    var spans: [TreeSpan] = []
    var open: [(event: Event, span: Int)] = []
    var warnings = 0
    var last = 0.0
    func nanoseconds(_ time: Double) -> Int64 { Int64((time * 1000).rounded()) }
    var nextBegin = 0
    var nextEnd = 0
    while nextBegin < begins.count || nextEnd < ends.count {
      let takesBegin: Bool
      if nextBegin < begins.count, nextEnd < ends.count {
        let begin = begins[nextBegin]
        let end = ends[nextEnd]
        takesBegin = begin.ts < end.ts || begin.ts == end.ts && begin.key == end.key
      } else {
        takesBegin = nextEnd == ends.count
      }
      if takesBegin {
        let begin = begins[nextBegin]
        nextBegin += 1
        last = max(last, begin.ts)
        spans.append(
          TreeSpan(
            depth: open.count, name: begin.name, start: nanoseconds(begin.ts), end: .max))
        open.append((begin, spans.count - 1))
        continue
      }
      // Among the ends of one moment, one that fits the top: by key, else by name.
      let ties = ends[nextEnd...].prefix { $0.ts == ends[nextEnd].ts }
      let fitting =
        open.last.flatMap { top in
          ties.firstIndex { $0.key == top.event.key }
            ?? ties.firstIndex { $0.name == top.event.name }
        } ?? nextEnd
      // Take it out; those before it stay the next.
      let end = ends[fitting]
      for position in stride(from: fitting, to: nextEnd, by: -1) {
        ends[position] = ends[position - 1]
      }
      nextEnd += 1
      last = max(last, end.ts)
      guard let top = open.last else {
        warnings += 1
        continue
      }
      guard top.event.name == end.name else {
        // "Doing nothing instead": the frame stays open to the end of the profile.
        warnings += 1
        continue
      }
      if top.event.key != end.key { warnings += 1 }
      spans[top.span].end = nanoseconds(end.ts)
      open.removeLast()
    }
    for (_, span) in open {
      spans[span].end = nanoseconds(last)
      warnings += 1
    }
    return (spans, warnings)
  }
}
