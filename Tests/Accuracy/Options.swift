import Foundation

/// What is asked for on the command line.
struct Options {
  let program: String
  private(set) var seeds: ClosedRange<UInt64> = 1...4
  private(set) var cells = Cell.all
  private(set) var checks = false
  private(set) var showsMisses = false
  private(set) var dump: (seed: UInt64, cell: Cell, file: URL)?

  /// Reads arguments; wrong ones end the program.
  init(_ arguments: some Sequence<String>) {
    var left = Array(arguments)
    func next() -> String {
      guard !left.isEmpty else { Self.complain() }
      return left.removeFirst()
    }
    func seed(_ text: some StringProtocol) -> UInt64 {
      guard let seed = UInt64(text) else { Self.complain() }
      return seed
    }
    func cell(_ text: some StringProtocol) -> Cell {
      guard let cell = Cell.named(String(text)) else { Self.complain() }
      return cell
    }
    program = next()
    while !left.isEmpty {
      switch next() {
      case "--seeds":
        let bounds = next().split(separator: "-").map { seed($0) }
        guard let first = bounds.first, let last = bounds.last, bounds.count <= 2, first <= last
        else { Self.complain() }
        seeds = first...last
      case "--cells": cells = next().split(separator: ",").map { cell($0) }
      case "--check": checks = true
      case "--misses": showsMisses = true
      case "--dump":
        dump = (seed(next()), cell(next()), URL(fileURLWithPath: next()))
      default: Self.complain()
      }
    }
  }

  private static func complain() -> Never {
    print(
      """
      accuracy: usage: Scripts/accuracy [--seeds A-B] [--cells A,B] [--check] [--misses]
                       Scripts/accuracy --dump SEED CELL FILE
      cells: \(Cell.all.map { $0.name.lowercased().replacing(" ", with: "-") }.joined(separator: " "))
      """)
    exit(2)
  }
}
