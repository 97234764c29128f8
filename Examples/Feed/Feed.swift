import Flamelark

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The case study: a scrolling feed with mistakes to be found.
@main
enum Feed {
  static func main() {
    do {
      let options = try Options(parsing: Array(CommandLine.arguments.dropFirst()))
      try run(options)
    } catch let error as Options.UsageError {
      fail(error.message + "\n" + Options.usage)
    } catch let error as PictureStore.FileError {
      fail(error.message)
    } catch {
      fail("\(error)")
    }
  }

  private static func run(_ options: Options) throws {
    let work = options.work ?? Workload.fitted()
    if options.measures {
      print(work.sizes)
      return
    }
    var numbers = SeededNumbers(seed: options.seed)
    let posts = Post.feed(
      count: Int(options.seconds * 8) + 40, longWords: work.longWords, pictures: 12,
      cutouts: 6, using: &numbers)
    var pictureNumbers = SeededNumbers(seed: numbers.next())
    let pictures = try PictureStore(
      count: 12, side: work.pictureSide, keeps: !options.slow.contains(.images),
      using: &pictureNumbers)
    let cutouts = CutoutStore(
      count: 6, side: work.cutoutSide, keeps: !options.slow.contains(.transparency),
      using: &pictureNumbers)
    let view = FeedView(
      title: "Early larks", posts: posts, pictures: pictures, cutouts: cutouts,
      cover: .made(side: work.coverSide, using: &pictureNumbers), work: work, slow: options.slow)

    let recording =
      if let output = options.output {
        try Recording.start(writingTo: output) as Recording?
      } else {
        try Recording.startIfRequested()
      }
    var session = Session(view: view, numbers: numbers, seconds: options.seconds)
    session.run()
    try recording?.stop()
    print(session.tally.summary)
  }

  private static func fail(_ message: String) -> Never {
    let line = "feed: \(message)\n"
    _ = unsafe write(STDERR_FILENO, line, line.utf8.count)
    exit(2)
  }
}
