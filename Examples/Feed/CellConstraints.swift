/// The layout of one cell as equations: a row of views (face, name, buttons, chips) that share
/// the width, each with left edge, width, top and height.
struct CellConstraints {
  struct Frame: Equatable {
    var left, width, top, height: Double
  }

  let views: Int
  let width: Double

  /// Where the views of `post` go.
  func solve(for post: Post) -> [Frame] {
    guard let unknowns = system(for: post).solution() else { return [] }
    return (0..<views).map { view in
      Frame(
        left: unknowns[view * 4], width: unknowns[view * 4 + 1],
        top: unknowns[view * 4 + 2], height: unknowns[view * 4 + 3])
    }
  }

  func system(for post: Post) -> LinearSystem {
    let gap = 2.0
    var system = LinearSystem(count: views * 4)
    for view in 0..<views {
      let (left, width, top, height) = (view * 4, view * 4 + 1, view * 4 + 2, view * 4 + 3)
      let before = view - 1
      // A view begins where the one before it ends.
      if view == 0 {
        system.set(left, [(left, 1)], equals: gap)
      } else {
        system.set(left, [(left, 1), (before * 4, -1), (before * 4 + 1, -1)], equals: gap)
      }
      // Widths go by what the views hold; the last one takes what is left.
      if view == views - 1 {
        system.set(width, (0..<views).map { ($0 * 4 + 1, 1) }, equals: self.width)
      } else {
        let share = weight(of: view, in: post) / weight(of: view + 1, in: post)
        system.set(width, [(width, 1), (width + 4, -share)], equals: 0)
      }
      // All are centred on the row, heights follow widths.
      system.set(top, [(top, 2), (height, 1)], equals: post.height)
      system.set(height, [(height, 1), (width, -0.6)], equals: 12)
    }
    return system
  }

  private func weight(of view: Int, in post: Post) -> Double {
    1 + Double((post.id &+ post.likes &+ view * 7) % 5)
  }
}
