/// The columns of a trace's spans while they are written. Each place is written by whoever fills them.
@safe struct SpanColumns {
  /// How many places there are behind those of the spans, which may be written and count for nothing.
  static let slack = 256

  let start: UnsafeMutablePointer<Int64>
  let end: UnsafeMutablePointer<Int64>
  let site: UnsafeMutablePointer<CallSiteID>
  let parent: UnsafeMutablePointer<UInt32>

  /// Writes one span.
  @inline(__always)
  func set(_ place: Int, start: Int64, end: Int64, site: CallSiteID, parent: UInt32) {
    unsafe self.start[place] = start
    unsafe self.end[place] = end
    unsafe self.site[place] = site
    unsafe self.parent[place] = parent
  }
}

extension Trace.Spans {
  /// Columns of `count` spans. `fill` must write every place: they are not initialised before.
  init(count: Int, fill: (SpanColumns) -> Void) {
    let room = count + SpanColumns.slack
    unsafe start = Array(unsafeUninitializedCapacity: room) { start, startCount in
      unsafe end = Array(unsafeUninitializedCapacity: room) { end, endCount in
        unsafe site = Array(unsafeUninitializedCapacity: room) { site, siteCount in
          unsafe parent = Array(unsafeUninitializedCapacity: room) { parent, parentCount in
            unsafe LargePages.advise(UnsafeMutableRawBufferPointer(start))
            unsafe LargePages.advise(UnsafeMutableRawBufferPointer(end))
            unsafe LargePages.advise(UnsafeMutableRawBufferPointer(site))
            unsafe LargePages.advise(UnsafeMutableRawBufferPointer(parent))
            if let start = start.baseAddress, let end = end.baseAddress,
              let site = site.baseAddress, let parent = parent.baseAddress
            {
              unsafe fill(SpanColumns(start: start, end: end, site: site, parent: parent))
            }
            parentCount = count
          }
          siteCount = count
        }
        endCount = count
      }
      startCount = count
    }
  }
}
