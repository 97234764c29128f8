/// A text of a trace: an index into its ``NameTable``.
public struct NameID: Sendable, Hashable, Comparable {
  /// The index.
  public var index: UInt32

  /// The text at an index.
  public init(_ index: UInt32) { self.index = index }

  /// The order of first use.
  public static func < (a: Self, b: Self) -> Bool { a.index < b.index }
}

/// A place in the source: an index into ``Trace/callSites``.
public struct CallSiteID: Sendable, Hashable {
  /// The index.
  public var index: UInt32

  /// The call site at an index.
  public init(_ index: UInt32) { self.index = index }
}

/// The texts of a trace, each once.
public struct NameTable: Sendable {
  private var texts: [String] = []
  private var identifiers: [String: NameID] = [:]

  /// A table without texts.
  public init() {}

  /// How many there are.
  public var count: Int { texts.count }

  /// The text of a name.
  public subscript(name: NameID) -> String { texts[Int(name.index)] }

  /// The name of a text, new if it has none. O(length).
  public mutating func intern(_ text: String) -> NameID {
    if let known = identifiers[text] { return known }
    let name = NameID(UInt32(texts.count))
    texts.append(text)
    identifiers[text] = name
    return name
  }

  /// The name of a text, nil if the trace doesn't use it.
  public func find(_ text: String) -> NameID? { identifiers[text] }
}
