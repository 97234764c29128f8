import Testing

@testable import Feed

@Suite struct ConstraintsTests {
  @Test(arguments: [1, 2, 7, 30])
  func viewsFillTheCellSideBySide(views: Int) throws {
    let post = Post(id: 3, markup: "", picture: nil, height: 150)
    let frames = CellConstraints(views: views, width: 390).solve(for: post)
    try #require(frames.count == views)
    var edge = 0.0
    for frame in frames {
      #expect(abs(frame.left - edge - 2) < 1e-6)
      #expect(abs(frame.top + frame.height / 2 - 75) < 1e-6)
      #expect(frame.width > 0)
      edge = frame.left + frame.width
    }
    #expect(abs(frames.reduce(0) { $0 + $1.width } - 390) < 1e-6)
  }

  @Test func equationsThatDetermineNothingHaveNoSolution() {
    var system = LinearSystem(count: 2)
    system.set(0, [(0, 1), (1, 1)], equals: 2)
    system.set(1, [(0, 2), (1, 2)], equals: 4)
    #expect(system.solution() == nil)
  }

  @Test func aLikeMovesTheViews() {
    var post = Post(id: 3, markup: "", picture: nil, height: 150)
    let constraints = CellConstraints(views: 8, width: 390)
    let before = constraints.solve(for: post)
    post.likes += 1
    #expect(constraints.solve(for: post) != before)
  }
}
