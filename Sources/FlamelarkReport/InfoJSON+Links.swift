internal import FlamelarkTrace

extension InfoReport {
  /// Each task, what was waited for, and links by name.
  func writeLinks(to json: inout JSONWriter) {
    let links = InfoLinks(of: trace, rows: threads)
    json.object("task_totals", onOneLine: true) { json in
      json.member("rows", links.tasks.reduce(0) { $0 + $1.rows })
      json.member("spans", links.tasks.reduce(0) { $0 + $1.spans })
      json.member("hops", links.tasks.reduce(0) { $0 + $1.hops })
      json.member("known_hops", links.tasks.reduce(0) { $0 + $1.known })
      json.member("threads", links.threads.count)
      json.member("changes_on_threads", trace.taskChanges.count)
    }
    writeTasks(links, to: &json)
    json.array("waits", of: links.waits) { json, group in
      json.object(onOneLine: true) { json in
        json.member("kind", group.kind.rawValue)
        json.member("name", group.name)
        json.member("resources", group.resources.count)
        json.member("count", group.count)
        json.member("total_ns", group.time)
        json.member("longest_ns", group.longest)
        json.member("end_not_known", group.withoutEnder)
        json.member("did_not_block", group.unblocked)
      }
    }
    json.array("links", of: links.flows) { json, group in
      json.object(onOneLine: true) { json in
        json.member("name", group.name)
        json.member("count", group.count)
        json.member("ends", group.ends)
        json.member("without_begin", group.withoutBegin)
        json.member("without_end", group.withoutEnd)
      }
    }
  }

  private func writeTasks(_ links: InfoLinks, to json: inout JSONWriter) {
    let tasks = Dictionary(
      trace.tasks.map { ($0.track, $0.id) }, uniquingKeysWith: { first, _ in first })
    let rows = threads.enumerated().filter { $0.element.track.kind == .task }
    json.array("tasks", of: rows) { json, element in
      let (index, row) = element
      json.object(onOneLine: true) { json in
        json.member("name", row.track.name)
        json.member("task", tasks[index])
        json.member("process", row.track.processID)
        json.member("spans", row.track.spans.count)
        json.member("in_spans_ns", row.busy)
        json.member("depth", row.depth)
        json.member("hops", links.hopsOfRow[index] ?? 0)
      }
    }
  }
}
