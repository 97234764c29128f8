internal import FlamelarkTrace

/// What each row of a trace is for, seen from one series: the loop, or a role by its name.
struct RowRoles: Sendable {
  private let roles: [PathTree.Role]
  private let names: [String?]

  /// `loopRows` are the rows on which the series' frames run.
  init(of trace: Trace, loopRows: Set<Int>) {
    var numbers: [String: UInt32] = [:]
    var names: [String?] = [nil]
    roles = trace.tracks.indices.map { row in
      if loopRows.contains(row) { return .loop }
      let name = trace.tracks[row].sharedName
      if let known = numbers[name] { return PathTree.Role(number: known) }
      numbers[name] = UInt32(names.count)
      names.append(name)
      return PathTree.Role(number: UInt32(names.count - 1))
    }
    self.names = names
  }

  /// The role of a row.
  subscript(row: Int) -> PathTree.Role { roles[row] }

  /// What to call a role, nil for the loop's.
  func name(of role: PathTree.Role) -> String? { names[Int(role.number)] }
}
