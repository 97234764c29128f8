// swift-tools-version: 6.2
import PackageDescription

// The same functions with spans and without, which Scripts/compiled-out compares. A package of its
// own, so that they are compiled as a user's program is; its trait Off is the library's CompiledOut.
let package = Package(
  name: "compiled-out",
  platforms: [.macOS(.v15)],
  traits: [.trait(name: "Off")],
  dependencies: [
    .package(
      name: "flamelark", path: "../..",
      traits: [.trait(name: "CompiledOut", condition: .when(traits: ["Off"]))])
  ],
  targets: [
    .target(name: "CWork"),
    .target(name: "Plain", dependencies: ["CWork"]),
    .target(
      name: "Spans", dependencies: ["CWork", .product(name: "Flamelark", package: "flamelark")]),
    // A program with no spans left that records itself.
    .executableTarget(
      name: "Recorded", dependencies: ["Spans", .product(name: "Flamelark", package: "flamelark")]),
  ],
  swiftLanguageModes: [.v6]
)
