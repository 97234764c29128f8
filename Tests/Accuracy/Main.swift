import Foundation

/// How often the right cause is named, for `Scripts/accuracy`.
///
///     Accuracy PROGRAM [--seeds A-B] [--cells A,B] [--check] [--misses]
///     Accuracy PROGRAM --dump SEED CELL FILE
///
/// `PROGRAM` is the `flamelark` that is asked.
@main struct Accuracy {
  static func main() async throws {
    let options = Options(CommandLine.arguments.dropFirst())
    if let dump = options.dump {
      try Trial.trace(of: Plan(cell: dump.cell, seed: dump.seed)).write(to: dump.file)
      return
    }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("accuracy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var together = Tally()
    var broken: [String] = []
    for cell in options.cells {
      let tally = await tally(of: cell, options, folder: folder)
      print(Table.text(of: cell, tally, seeds: options.seeds))
      if options.showsMisses { for miss in tally.misses { print("  " + miss) } }
      print()
      broken += Requirements.broken(by: tally, in: cell).map { "\(cell.name): \($0)" }
      if cell.bounds != nil { together += tally }
    }
    broken += Requirements.brokenTogether(by: together).map { "together: \($0)" }
    for line in broken { print("accuracy: " + line) }
    if broken.isEmpty { print("accuracy: everything is within its bounds") }
    if options.checks, !broken.isEmpty { exit(1) }
    if !together.failures.isEmpty { exit(1) }
  }

  /// All seeds of a cell, two at once.
  private static func tally(of cell: Cell, _ options: Options, folder: URL) async -> Tally {
    let program = options.program
    return await withTaskGroup(of: (UInt64, Tally).self) { group in
      var left = options.seeds.makeIterator()
      func addNext() {
        guard let seed = left.next() else { return }
        group.addTask {
          (seed, Trial.tally(cell: cell, seed: seed, program: program, folder: folder))
        }
      }
      addNext()
      addNext()
      var tallies: [UInt64: Tally] = [:]
      while let (seed, tally) = await group.next() {
        tallies[seed] = tally
        addNext()
      }
      return tallies.sorted { $0.key < $1.key }.reduce(into: Tally()) { $0 += $1.value }
    }
  }
}
