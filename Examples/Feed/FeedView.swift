import Flamelark

/// The feed on the screen: lays out the cells that are in sight and draws them under the header.
struct FeedView {
  private var posts: [Post]
  private let pictures: PictureStore
  private let cutouts: CutoutStore
  private var tagViews: TagViews
  private let cover: Picture
  private var header: Header
  private let constraints: CellConstraints
  private let slow: Set<Slowness>
  private(set) var screen: Screen
  /// The upper edge of each post, in points; one more for the lower edge of the last.
  private let tops: [Double]
  /// The cells in sight, from the top.
  private var cells: [Cell] = []
  private var needsLayout = false
  /// Whose feed it is.
  var title: String {
    didSet { reload() }
  }

  init(
    title: String, posts: [Post], pictures: PictureStore, cutouts: CutoutStore, cover: Picture,
    work: Workload, slow: Set<Slowness>
  ) {
    self.title = title
    self.posts = posts
    self.pictures = pictures
    self.cutouts = cutouts
    self.cover = cover
    self.slow = slow
    tagViews = TagViews(samples: work.tagSamples, reuses: !slow.contains(.tags))
    constraints = CellConstraints(views: work.viewsPerCell, width: Screen.width)
    screen = Screen(columns: work.screenColumns)
    header = Header(
      content: .init(title: title, posts: posts.count), cover: cover, columns: screen.columns,
      rows: screen.barRows)
    screen.show(header)
    tops = posts.reduce(into: [0.0]) { tops, post in tops.append((tops.last ?? 0) + post.height) }
  }

  /// What is done before the feed can be seen.
  func prepare() { cutouts.prepare() }

  /// One frame: lays out what came into sight, then draws.
  mutating func show(offset: Double) {
    withSpan("layout") { layOut(offset: offset) }
    withSpan("draw") {
      withSpan("blend") { screen.blend(offset: offset) }
    }
  }

  /// Somebody likes a post in sight: the model changes.
  mutating func like(_ chance: Int) {
    guard !cells.isEmpty else { return }
    let id = cells[chance % cells.count].post
    posts[id].likes += 1
    posts[id].version += 1
    reload()
  }

  /// The model changed. The slow way builds the header whatever it was that changed.
  private mutating func reload() {
    withSpan("reload") {
      needsLayout = true
      let content = Header.Content(title: title, posts: posts.count)
      guard slow.contains(.header) || content != header.content else { return }
      header = withSpan("header.build") {
        Header(content: content, cover: cover, columns: screen.columns, rows: screen.barRows)
      }
      screen.show(header)
    }
  }

  private mutating func layOut(offset: Double) {
    let sight = visiblePosts(offset: offset)
    let known = cells.first.map { $0.post..<($0.post + cells.count) } ?? 0..<0
    if sight != known {
      for cell in cells where !sight.contains(cell.post) { tagViews.takeBack(cell.tags) }
      cells = sight.map { id in
        if known.contains(id) { return cells[id - known.lowerBound] }
        needsLayout = true
        return makeCell(for: id)
      }
    }
    guard needsLayout else { return }
    needsLayout = false
    for index in cells.indices {
      let before = cells[index].frames
      solve(&cells[index])
      guard cells[index].frames != before else { continue }
      withSpan("cell.paint") { screen.paint(cells[index], top: tops[cells[index].post]) }
    }
  }

  /// The posts in sight. After the last one the feed has no more.
  private func visiblePosts(offset: Double) -> Range<Int> {
    let first = (tops.firstIndex { $0 > offset } ?? tops.count) - 1
    let end = tops.firstIndex { $0 >= offset + Screen.height } ?? posts.count
    return min(first, posts.count)..<max(first, end)
  }

  private mutating func makeCell(for id: Int) -> Cell {
    withSpan("cell.configure") {
      let post = posts[id]
      let (lines, links) = text(of: post)
      return Cell(
        post: id, height: post.height, lines: lines, links: links,
        picture: post.picture.flatMap { pictures.picture($0) },
        cutout: post.cutout.map { cutouts.picture($0) },
        tags: post.tags.map { tagViews.view(for: $0) })
    }
  }

  /// The slow way parses the text for each question asked of it.
  private func text(of post: Post) -> (lines: [Range<Int>], links: Int) {
    if slow.contains(.text) {
      let height = parse(post).height
      return (height > 0 ? parse(post).lines : [], parse(post).links.count)
    }
    let text = parse(post)
    return (text.lines, text.links.count)
  }

  private func parse(_ post: Post) -> RichText {
    withSpan("text.parse") { RichText(markup: post.markup, width: Screen.width - 24) }
  }

  /// The slow way solves whatever is in sight, changed or not.
  private func solve(_ cell: inout Cell) {
    let post = posts[cell.post]
    guard slow.contains(.constraints) || cell.solvedVersion != post.version else { return }
    cell.frames = withSpan("constraints.solve") { constraints.solve(for: post) }
    cell.solvedVersion = post.version
  }
}
