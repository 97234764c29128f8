/// The names of this process: strings, call sites and frame series, each once, with their ids.
///
/// It lives as long as the process, since threads keep ids in their caches from one recording to
/// the next. Not thread-safe; ``Recorder`` holds its lock.
struct Registry {
  struct Site: Hashable {
    var name: UInt32
    var file: UInt32
    var line: UInt32
    /// 0: none.
    var category: UInt32
  }

  struct Series {
    var name: UInt32
    /// Nanoseconds.
    var refresh: Int64
  }

  /// A call site as the compiler made it: two copies of one text are two of these.
  private struct Address: Hashable {
    var name: UInt
    var file: UInt
    var line: UInt32
  }

  private(set) var strings: [String] = []
  private(set) var sites: [Site] = []
  private(set) var series: [Series] = []
  private var stringIDs: [String: UInt32] = [:]
  private var siteIDs: [Site: UInt32] = [:]
  private var known: [Address: UInt32] = [:]

  /// The id of a text, from 1; 0 is none. `isNew` says that it has to be told.
  mutating func string(_ text: String) -> (id: UInt32, isNew: Bool) {
    if let id = stringIDs[text] { return (id, false) }
    strings.append(text)
    let id = UInt32(strings.count)
    stringIDs[text] = id
    return (id, true)
  }

  /// The text of an id; empty for 0.
  func text(_ id: UInt32) -> String { id == 0 ? "" : strings[Int(id) - 1] }

  /// The id of a call site whose text was seen at these addresses, nil if it was not.
  func site(name: UInt, file: UInt, line: UInt32) -> UInt32? {
    known[Address(name: name, file: file, line: line)]
  }

  /// Remembers that the text at these addresses is a call site.
  mutating func remember(_ id: UInt32, name: UInt, file: UInt, line: UInt32) {
    known[Address(name: name, file: file, line: line)] = id
  }

  /// The id of a call site by its text, from 1.
  mutating func site(_ site: Site) -> (id: UInt32, isNew: Bool) {
    if let id = siteIDs[site] { return (id, false) }
    sites.append(site)
    let id = UInt32(sites.count)
    siteIDs[site] = id
    return (id, true)
  }

  /// A new series, from 1.
  mutating func add(_ new: Series) -> UInt32 {
    series.append(new)
    return UInt32(series.count)
  }
}
