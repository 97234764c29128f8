/// What spans and threads are for. What they are called is drawn for each seed.
enum Role: Int, CaseIterable {
  case frame, input, animate, layout, measure, cells, configure, text, image, decode, collect
  case read, lock, await, flush, commit, setup
  case render, prepare, draw, present
  case job, parse
  case transaction, save
  case encode
  case output, scan
  case request, submit
}

/// The threads of the generated program.
enum Thread: Int, CaseIterable {
  case main, render, worker, database, encoder, output
}

/// Words for everything, of a seed.
struct Names {
  private let roles: [String]
  private let threads: [String]
  let series: String
  let otherSeries: String

  init(seed: UInt64) {
    var words = Words(seed: seed)
    roles = Role.allCases.map { _ in words.next() }
    threads = Thread.allCases.map { $0 == .worker ? "\(words.next())-1" : words.next() }
    series = words.next()
    otherSeries = words.next()
  }

  subscript(role: Role) -> String { roles[role.rawValue] }

  subscript(thread: Thread) -> String { threads[thread.rawValue] }

  /// What a span of a name is for.
  func role(named name: String) -> Role? {
    roles.firstIndex(of: name).flatMap(Role.init(rawValue:))
  }

  /// The thread of a name, with or without its number.
  func thread(named name: String) -> Thread? {
    threads.firstIndex { $0 == name || $0.hasPrefix(name + "-") }.flatMap(Thread.init(rawValue:))
  }
}

/// Words that can be pronounced, each once.
private struct Words {
  private var draws: Draws
  private var used: Set<String> = []

  init(seed: UInt64) { draws = Draws(seed: seed, purpose: "names") }

  mutating func next() -> String {
    while true {
      var word = (0..<2 + draws.index(below: 3)).reduce("") { word, _ in word + syllable() }
      if draws.uniform() < 0.2 { word += "." + syllable() + syllable() }
      if used.insert(word).inserted { return word }
    }
  }

  private mutating func syllable() -> String {
    let (first, second) = ("bdfgklmnprstvz", "aeiou")
    return [first, second].reduce("") { text, letters in
      text + String(Array(letters)[draws.index(below: letters.count)])
    }
  }
}
