import Foundation

/// How chrome://tracing and Perfetto nest asynchronous events, and what of links and ids they would
/// complain about. Written from descriptions of their behaviour, with Foundation's JSON reader.
struct AsyncModel {
  /// The spans of each category and id, which are `category:id`.
  private(set) var trees: [String: [TreeSpan]] = [:]
  private(set) var complaints: [String] = []

  init(_ bytes: [UInt8]) throws {
    let json = try JSONSerialization.jsonObject(with: Data(bytes))
    let list = (json as? [String: Any])?["traceEvents"] as? [[String: Any]] ?? []
    func time(_ event: [String: Any]) -> Int64 {
      Int64((((event["ts"] as? NSNumber)?.doubleValue ?? -1) * 1000).rounded())
    }
    let sorted = list.enumerated().sorted { a, b in
      (time(a.element), a.offset) < (time(b.element), b.offset)
    }.map(\.element)
    var open: [String: [Int]] = [:]
    var categories: [String: Set<String>] = [:]
    var begun: [String: Int64] = [:]
    for event in sorted {
      let phase = event["ph"] as? String ?? ""
      guard "bensft".contains(phase) else {
        if event["bp"] != nil { complaints.append("bp without a flow") }
        continue
      }
      guard let id = event["id"] as? String, id.hasPrefix("0x"),
        UInt64(id.dropFirst(2), radix: 16) != nil
      else {
        complaints.append("no hexadecimal id")
        continue
      }
      guard let category = event["cat"] as? String, !category.isEmpty,
        let name = event["name"] as? String, !name.isEmpty, event["id2"] == nil,
        event["pid"] is Int, event["tid"] is Int
      else {
        complaints.append("no category, name or thread")
        continue
      }
      let key = "\(category):\(id)"
      switch phase {
      case "b":
        categories[id, default: []].insert(category)
        let depth = open[key]?.count ?? 0
        open[key, default: []].append(trees[key]?.count ?? 0)
        trees[key, default: []].append(
          TreeSpan(depth: depth, name: name, start: time(event), end: .max))
      case "e":
        guard let top = open[key]?.popLast(), trees[key]?[top].name == name else {
          complaints.append("\(name) ends and is not open")
          continue
        }
        trees[key]?[top].end = time(event)
      case "s":
        if begun.updateValue(time(event), forKey: "\(key):\(name)") != nil {
          complaints.append("\(key) begins twice")
        }
      case "t", "f":
        if begun["\(key):\(name)"] == nil { complaints.append("\(key) ends and did not begin") }
        if phase == "f", event["bp"] as? String != "e" { complaints.append("bound to the next") }
      default: break
      }
    }
    if open.values.contains(where: { !$0.isEmpty }) { complaints.append("not all ended") }
    if categories.values.contains(where: { $0.count > 1 }) { complaints.append("one id twice") }
  }
}
