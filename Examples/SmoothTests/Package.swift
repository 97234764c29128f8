// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that it is what a user of the library writes.
let package = Package(
  name: "smooth-tests",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "flamelark", path: "../..")],
  targets: [
    .target(
      name: "Player", dependencies: [.product(name: "Flamelark", package: "flamelark")]),
    .testTarget(
      name: "PlayerTests",
      dependencies: ["Player", .product(name: "FlamelarkTesting", package: "flamelark")]),
  ],
  swiftLanguageModes: [.v6]
)
