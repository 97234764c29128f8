/// How much work the feed has, fitted to the machine, so that a mended feed has room
/// in a 120 Hz frame anywhere and each slowness alone is too much for it.
struct Workload: Equatable {
  /// Pixels across the screen; blending grows with its square.
  var screenColumns = 100
  /// Words of a long post.
  var longWords = 400
  /// Views in a cell; solving grows with its cube.
  var viewsPerCell = 16
  /// Pixels on a picture's side; decoding grows with its square.
  var pictureSide = 160
  /// Pixels on a cutout's side; drawing its transparency grows with its square.
  var cutoutSide = 400
  /// Pixels on the side of the header's cover; building the header grows with its square.
  var coverSide = 300
  /// Samples across a pixel of a tag's plate; creating a tag's view grows with its square.
  var tagSamples = 12

  /// Parts of a 120 Hz frame (8.33 ms) that one piece of each work should take.
  ///
  /// A frame in which a cell comes in has one blend, one or three parses, one solution or one for
  /// each of about eight cells, and perhaps a picture, a cutout and four tags. Mended that is 0.65 of a frame, which
  /// leaves room for a machine that is slower for a while. Slow it is 1.1 frames and more.
  enum Share {
    static let blend = 0.24
    static let parse = 0.25
    static let solve = 0.105
    static let decode = 0.76
    static let cutout = 2.4
    static let header = 2.2
    static let tag = 0.19
  }
}

extension Workload {
  /// The sizes, with commas: what `init(sizes:)` takes.
  var sizes: String { Self.fields.map { "\(self[keyPath: $0])" }.joined(separator: ",") }

  /// Sizes that were measured before, so that runs have the same work. nil: they are none.
  init?(sizes: String) {
    let numbers = sizes.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == Self.fields.count else { return nil }
    for (field, number) in zip(Self.fields, numbers) {
      guard let number, (4...60_000).contains(number) else { return nil }
      self[keyPath: field] = number
    }
  }

  private static var fields: [WritableKeyPath<Workload, Int>] {
    [
      \.screenColumns, \.longWords, \.viewsPerCell, \.pictureSide, \.cutoutSide, \.coverSide,
      \.tagSamples,
    ]
  }

  /// Measures each work, with the sizes above, then with those that it led to.
  static func fitted() -> Workload {
    var work = Workload()
    for _ in 0..<3 { work.refine() }
    return work
  }

  private mutating func refine() {
    let frame = 1.0 / 120
    var numbers = SeededNumbers(seed: 0)

    var screen = Screen(columns: screenColumns)
    let blend = Self.seconds { screen.blend(offset: 77) }
    screenColumns = Self.scaled(screenColumns, by: frame * Share.blend / blend, power: 2)

    let markup = Post.markup(words: longWords, using: &numbers)
    let parse = Self.seconds { _ = RichText(markup: markup, width: Screen.width - 24).height }
    longWords = Self.scaled(longWords, by: frame * Share.parse / parse, power: 1)

    let post = Post(id: 1, markup: "", picture: nil, height: 150)
    let constraints = CellConstraints(views: viewsPerCell, width: Screen.width)
    let solve = Self.seconds { _ = constraints.solve(for: post) }
    viewsPerCell = Self.scaled(viewsPerCell, by: frame * Share.solve / solve, power: 3)

    let file = PictureCode.encode(.made(side: pictureSide, using: &numbers))
    let decode = Self.seconds { _ = PictureCode.decode(file) }
    pictureSide = Self.scaled(pictureSide, by: frame * Share.decode / decode, power: 2)

    let cutout = Cutout.made(side: cutoutSide, using: &numbers)
    let draw = Self.seconds(times: 5) { _ = cutout.drawn() }
    cutoutSide = Self.scaled(cutoutSide, by: frame * Share.cutout / draw, power: 2)

    let cover = Picture.made(side: coverSide, using: &numbers)
    let build = Self.seconds(times: 5) {
      _ = Header(
        content: .init(title: "", posts: 0), cover: cover, columns: screen.columns,
        rows: screen.barRows)
    }
    coverSide = Self.scaled(coverSide, by: frame * Share.header / build, power: 2)

    let create = Self.seconds { _ = TagView(samples: tagSamples) }
    tagSamples = Self.scaled(tagSamples, by: frame * Share.tag / create, power: 2)
  }

  /// What the work takes when nobody disturbs it: the least of so many times.
  private static func seconds(times count: Int = 15, _ work: () -> Void) -> Double {
    let clock = SuspendingClock()
    let times = (0..<count).map { _ in clock.measure(work) }
    return max((times.min() ?? .zero) / .seconds(1), 1e-9)
  }

  private static func scaled(_ size: Int, by factor: Double, power: Int) -> Int {
    var root = factor
    if power == 2 { root = factor.squareRoot() }
    if power == 3 { root = cubeRoot(factor) }
    return min(max(4, Int((Double(size) * root).rounded())), 60_000)
  }

  private static func cubeRoot(_ value: Double) -> Double {
    var root = max(value, 1e-9).squareRoot()
    for _ in 0..<40 { root -= (root * root * root - value) / (3 * root * root) }
    return root
  }
}
