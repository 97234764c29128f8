// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that spans are measured as a user's program compiles them: through the
// inlined code that the library publishes, without its sources at hand.
let package = Package(
  name: "flamelark-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "flamelark", path: "..")],
  targets: [
    .target(name: "CLimit"),
    .target(
      name: "CSpans", dependencies: ["CLimit", .product(name: "Flamelark", package: "flamelark")]),
    .executableTarget(
      name: "SpanCost",
      dependencies: ["CLimit", "CSpans", .product(name: "Flamelark", package: "flamelark")]),
    .executableTarget(
      name: "ReadCost", dependencies: [.product(name: "FlamelarkTrace", package: "flamelark")]),
    // A program that is killed while it records, and what kills it and counts what is left. The
    // ledger is what both know.
    .target(name: "KillLedger"),
    .executableTarget(
      name: "KillTarget",
      dependencies: ["CLimit", "KillLedger", .product(name: "Flamelark", package: "flamelark")]),
    .executableTarget(
      name: "KillCheck",
      dependencies: ["KillLedger", .product(name: "FlamelarkTrace", package: "flamelark")]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu11,
  cxxLanguageStandard: .cxx17
)
