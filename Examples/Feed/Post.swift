/// One entry of the feed, as a server would send it.
struct Post {
  let id: Int
  /// Text with `*bold*`, `_italic_`, `[label](address)`, `#tag` and `@name`.
  let markup: String
  /// Which of the pictures it shows, if any.
  let picture: Int?
  /// How tall its cell is, in points. Longer text is clipped, as feeds do.
  let height: Double
  /// Which of the cutouts lies over it, if any.
  var cutout: Int?
  var tags: [String] = []
  var likes = 0
  /// Counts the changes of the post, so that a cell can tell whether it is up to date.
  var version = 0

  init(id: Int, markup: String, picture: Int?, height: Double) {
    self.id = id
    self.markup = markup
    self.picture = picture
    self.height = height
  }
}

extension Post {
  /// A feed of `count` posts: every other one long, two of five with a picture, each third with a
  /// cutout, all with three to five tags.
  static func feed(
    count: Int, longWords: Int, pictures: Int, cutouts: Int, using numbers: inout SeededNumbers
  ) -> [Post] {
    // Texts and pictures come again and again: a long feed is not large. Their own numbers keep
    // the posts the same on machines whose texts are longer.
    var wordNumbers = SeededNumbers(seed: numbers.next())
    let longTexts = (0..<16).map { _ in markup(words: longWords, using: &wordNumbers) }
    let shortTexts = (0..<16).map { _ in markup(words: max(4, longWords / 10), using: &wordNumbers)
    }
    var extraNumbers = SeededNumbers(seed: wordNumbers.next())
    return (0..<count).map { id in
      let isLong = Bool.random(using: &numbers)
      let picture =
        Int.random(in: 0..<5, using: &numbers) < 2
        ? Int.random(in: 0..<pictures, using: &numbers) : nil
      let markup = (isLong ? longTexts : shortTexts)[Int.random(in: 0..<16, using: &numbers)]
      let height = (isLong ? 110.0 : 80.0) + (picture == nil ? 0 : 70)
      var post = Post(id: id, markup: markup, picture: picture, height: height)
      if id % 3 == 1 { post.cutout = .random(in: 0..<cutouts, using: &extraNumbers) }
      post.tags = (0..<Int.random(in: 3...5, using: &extraNumbers)).map { _ in
        "#" + vocabulary[Int.random(in: 0..<vocabulary.count, using: &extraNumbers)]
      }
      return post
    }
  }

  /// Text of so many words, with styles strewn in.
  static func markup(words count: Int, using numbers: inout SeededNumbers) -> String {
    var text = ""
    for index in 0..<count {
      let word = vocabulary[Int.random(in: 0..<vocabulary.count, using: &numbers)]
      switch Int.random(in: 0..<24, using: &numbers) {
      case 0: text += "*\(word)*"
      case 1: text += "_\(word)_"
      case 2: text += "[\(word)](feed:/\(index))"
      case 3: text += "#\(word)"
      case 4: text += "@\(word)"
      default: text += word
      }
      text += " "
    }
    return text
  }

  private static let vocabulary = [
    "a", "in", "to", "we", "sea", "sky", "walk", "home", "lark", "early", "morning", "flame",
    "window", "garden", "kitchen", "yesterday", "photograph", "together", "mountain", "évening",
    "naïve", "wonderful", "☀️", "🎶",
  ]
}
