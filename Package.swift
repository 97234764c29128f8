// swift-tools-version: 6.2
import PackageDescription

/// The settings of every Swift target, each with its reason.
let settings: [SwiftSetting] = [
  // `any P` is written out, so a boxed value on a hot path can be seen.
  .enableUpcomingFeature("ExistentialAny"),
  // An import leaks into a target's interface only where it says `public import`.
  .enableUpcomingFeature("InternalImportsByDefault"),
  // A member is visible only if this file imports its module: the import table stays true.
  .enableUpcomingFeature("MemberImportVisibility"),
  // An async function stays on its caller's executor: a span must not add a hop.
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  // Each operation that the compiler can't prove safe is marked `unsafe` where it stands.
  .strictMemorySafety(),
  // A warning that may stay is a warning nobody reads.
  .treatAllWarnings(as: .error),
]

func layer(
  _ name: String, on dependencies: [Target.Dependency] = [], at path: String? = nil
) -> Target {
  .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func example(_ name: String, beside files: [String] = []) -> Target {
  .executableTarget(
    name: name, dependencies: ["Flamelark"], path: "Examples/\(name)", exclude: files,
    swiftSettings: settings)
}

func tests(
  of name: String, with others: [Target.Dependency] = [], beside files: [String] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: [.target(name: name), "_FlamelarkTestSupport"] + others,
    exclude: files,
    swiftSettings: settings)
}

let package = Package(
  name: "flamelark",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Flamelark", targets: ["Flamelark"]),
    .library(
      name: "FlamelarkTrace",
      targets: ["FlamelarkTrace", "FlamelarkAnalysis", "FlamelarkInterchange"]),
    .library(name: "FlamelarkTesting", targets: ["FlamelarkTesting"]),
    .executable(name: "flamelark", targets: ["FlamelarkCLI"]),
  ],
  traits: [
    .trait(
      name: "CompiledOut",
      description: "Compiles every span, frame, activity, counter and marker to nothing.")
  ],
  targets: [
    // Record: linked into the program being measured. libc alone, no Foundation.
    .target(name: "CFlamelark"),
    .target(name: "CFlamelarkFormat"),
    layer("FlamelarkFormat", on: ["CFlamelarkFormat"]),
    layer("Flamelark", on: ["CFlamelark", "FlamelarkFormat"]),

    // Read, analyse, exchange: values in, values out.
    layer("FlamelarkTrace", on: ["FlamelarkFormat"]),
    layer("FlamelarkAnalysis", on: ["FlamelarkTrace", "FlamelarkFormat"]),
    .systemLibrary(name: "CZlib"),
    layer("FlamelarkInterchange", on: ["FlamelarkTrace", "FlamelarkAnalysis", "CZlib"]),

    // Show.
    layer("FlamelarkReport", on: ["FlamelarkAnalysis", "FlamelarkTrace"]),
    .executableTarget(
      name: "FlamelarkCLI",
      dependencies: [
        "FlamelarkTrace", "FlamelarkAnalysis", "FlamelarkInterchange", "FlamelarkReport",
      ],
      swiftSettings: settings),

    // Measure in a user's tests: record, read, judge. No zlib.
    layer(
      "FlamelarkTesting",
      on: ["Flamelark", "FlamelarkTrace", "FlamelarkAnalysis", "FlamelarkReport"]),

    // Not shipped.
    example("Feed", beside: ["README.md"]),
    example("TenLines"),
    example("Studio"),
    example("Counter"),
    .target(name: "Plain", dependencies: ["Flamelark"], path: "Examples/MixedC/Plain"),
    .target(name: "Plus", dependencies: ["Flamelark"], path: "Examples/MixedC/Plus"),
    .executableTarget(
      name: "MixedC", dependencies: ["Flamelark", "Plain", "Plus"], path: "Examples/MixedC/Main",
      swiftSettings: settings),
    layer(
      "_FlamelarkTestSupport", on: ["FlamelarkTrace", "FlamelarkAnalysis"],
      at: "Tests/_FlamelarkTestSupport"),
    tests(of: "FlamelarkFormat"),
    // A program that ends in the ways that tests of the recorder need.
    .executableTarget(
      name: "RecorderProbe", dependencies: ["Flamelark"], path: "Tests/RecorderProbe",
      swiftSettings: settings),
    // What Scripts/sanitize runs.
    .executableTarget(
      name: "Hammer",
      dependencies: ["Flamelark", "FlamelarkTrace", "CFlamelark", "_FlamelarkTestSupport"],
      path: "Tests/Hammer", exclude: ["race-suppressions"], swiftSettings: settings),
    // What Scripts/stretch-check and Scripts/no-cause-check run.
    .executableTarget(
      name: "Stretch",
      dependencies: [
        "FlamelarkTrace", "FlamelarkAnalysis", "FlamelarkInterchange", "_FlamelarkTestSupport",
      ],
      path: "Tests/Stretch", swiftSettings: settings),
    // What Scripts/gate-check runs.
    .executableTarget(
      name: "GateTrial",
      dependencies: ["FlamelarkTrace", "FlamelarkAnalysis", "_FlamelarkTestSupport"],
      path: "Tests/GateTrial", swiftSettings: settings),
    // What Scripts/accuracy runs.
    .executableTarget(
      name: "Accuracy", dependencies: ["FlamelarkFormat"], path: "Tests/Accuracy",
      swiftSettings: settings),
    tests(of: "Accuracy", with: ["FlamelarkTrace", "FlamelarkAnalysis"]),
    tests(
      of: "Flamelark",
      with: ["CFlamelark", "FlamelarkTrace", "FlamelarkAnalysis", "RecorderProbe"]),
    tests(of: "FlamelarkTrace"),
    tests(of: "FlamelarkAnalysis"),
    tests(of: "FlamelarkInterchange", with: ["Feed"]),
    tests(
      of: "FlamelarkReport", with: ["FlamelarkTrace", "FlamelarkAnalysis"], beside: ["Golden"]),
    tests(
      of: "FlamelarkCLI", with: ["FlamelarkTrace", "FlamelarkAnalysis", "RecorderProbe"],
      beside: ["add_up.py"]),
    tests(
      of: "FlamelarkTesting",
      with: ["Flamelark", "FlamelarkTrace", "FlamelarkAnalysis", "FlamelarkReport"]),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "Feed", "TenLines", "MixedC", "Studio", "Counter", "FlamelarkCLI", "FlamelarkTrace",
        "_FlamelarkTestSupport",
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c11,
  cxxLanguageStandard: .cxx17
)
