internal import FlamelarkAnalysis

extension CheckReport {
  /// The report as JUnit XML: a test case for each thing that was asked, and one for each new or worse
  /// cause, which is skipped and not failed: the ratio decides.
  public func junit() -> [UInt8] {
    var xml = XMLText()
    let failures = items.count { !$0.isKept }
    let count = items.count + regressions.count
    let counts =
      "tests=\"\(count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(regressions.count)\""
    xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    xml.raw("<testsuites \(counts)>\n<testsuite name=\"flamelark check\" \(counts)>\n")
    for item in items {
      xml.raw("<testcase classname=\"flamelark.check\" name=\"\(item.name)\"")
      if item.isKept {
        xml.raw("/>\n")
        continue
      }
      xml.raw("><failure type=\"\(item.name)\" message=\"")
      xml.text(item.sentence)
      xml.raw("\">")
      write(to: &xml)
      xml.raw("</failure></testcase>\n")
    }
    for change in regressions {
      xml.raw("<testcase classname=\"flamelark.check.cause\" name=\"")
      xml.text(SpanPath(of: change.signature).text)
      xml.raw("\"><skipped message=\"")
      xml.text(
        "\(change.verdict.rawValue): \(Figure.ratio(change.blame.a)) -> \(Figure.ratio(change.blame.b)) ms/s"
      )
      xml.raw("\"/></testcase>\n")
    }
    xml.raw("<system-out>")
    write(to: &xml)
    xml.raw("</system-out>\n</testsuite>\n</testsuites>\n")
    return xml.bytes
  }

  private func write(to xml: inout XMLText) {
    for line in text(width: 100).split(separator: "\n", omittingEmptySubsequences: false) {
      xml.text(String(line))
      xml.raw("\n")
    }
  }
}
