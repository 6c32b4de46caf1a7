// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "MonetizeExamples",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [
    .executable(name: "monetize", targets: ["monetize"]),
    .library(name: "Heatlab", targets: ["Heatlab"]),
    .library(name: "MagicalStories", targets: ["MagicalStories"]),
    .library(name: "MazePacks", targets: ["MazePacks"]),
    .library(name: "Dozzi", targets: ["Dozzi"]),
    .library(name: "MaxsPuzzles", targets: ["MaxsPuzzles"]),
  ],
  dependencies: [
    // Named, so that a clone of any name works.
    .package(name: "Monetize", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    .executableTarget(
      name: "monetize",
      dependencies: [
        .product(name: "Monetize", package: "Monetize"),
        .product(name: "MonetizeSimulator", package: "Monetize"),
        .product(name: "MonetizePaywalls", package: "Monetize"),
        .product(name: "MonetizeTools", package: "Monetize"),
        .product(name: "MonetizeReports", package: "Monetize"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"), "TerminalLine",
      ],
      resources: [.embedInCode("Resources/catalog.schema.json")]),
    // Writing a line at a terminal: knows nothing of money.
    .target(name: "TerminalLine"),
    .testTarget(name: "TerminalLineTests", dependencies: ["TerminalLine"]),
    .target(name: "MazePacks", dependencies: [.product(name: "Monetize", package: "Monetize")], exclude: ["README.md"]),
    .target(name: "Heatlab", dependencies: [.product(name: "Monetize", package: "Monetize")], exclude: ["README.md"]),
    // What tests of apps share: a customer at any stage of a purchase.
    .target(
      name: "Stages",
      dependencies: [.product(name: "Monetize", package: "Monetize"), .product(name: "MonetizeSimulator", package: "Monetize")],
      path: "Tests/Stages"),
    .testTarget(
      name: "HeatlabTests",
      dependencies: [
        "Heatlab", "Stages", .product(name: "Monetize", package: "Monetize"), .product(name: "MonetizeSimulator", package: "Monetize"),
      ]),
    .target(name: "MagicalStories", dependencies: [.product(name: "Monetize", package: "Monetize")], exclude: ["README.md"]),
    .testTarget(
      name: "MagicalStoriesTests",
      dependencies: [
        "MagicalStories", "Heatlab", "Stages", .product(name: "Monetize", package: "Monetize"),
        .product(name: "MonetizeSimulator", package: "Monetize"),
      ]),
    .testTarget(
      name: "GoldenTests",
      dependencies: ["Stages", .product(name: "Monetize", package: "Monetize"), .product(name: "MonetizeSimulator", package: "Monetize")]),
    .testTarget(
      name: "MazePacksTests",
      dependencies: ["MazePacks", .product(name: "MonetizeSimulator", package: "Monetize")]),
    // Whether all mazes of the packs are there: a check of files, apart from what is sold.
    .target(name: "MazeContent", dependencies: ["MazePacks", .product(name: "Monetize", package: "Monetize")]),
    .testTarget(name: "MazeContentTests", dependencies: ["MazeContent", "MazePacks", .product(name: "Monetize", package: "Monetize")]),
    .target(name: "Dozzi", dependencies: [.product(name: "Monetize", package: "Monetize")], exclude: ["README.md"]),
    // The backend of the plan's three functions: the same engine on a server.
    .target(name: "DozziServer", dependencies: ["Dozzi", .product(name: "Monetize", package: "Monetize")]),
    .testTarget(
      name: "DozziTests",
      dependencies: [
        "Dozzi", "DozziServer", "MazePacks", .product(name: "MonetizeSimulator", package: "Monetize"),
      ]),
    .target(name: "MaxsPuzzles", dependencies: [.product(name: "Monetize", package: "Monetize")], exclude: ["README.md"]),
    .testTarget(
      name: "MaxsPuzzlesTests",
      dependencies: [
        "MaxsPuzzles", .product(name: "MonetizeSimulator", package: "Monetize"), .product(name: "MonetizeTesting", package: "Monetize"),
      ]),
    // They run the built command as a process, or read the repository's files.
    .testTarget(
      name: "MonetizeCommandTests",
      dependencies: [
        "monetize", "TerminalLine", .product(name: "MonetizeSimulator", package: "Monetize"),
        .product(name: "MonetizeTools", package: "Monetize"),
      ]),
    .testTarget(name: "RepositoryTests", dependencies: []),
  ],
  swiftLanguageModes: [.v6]
)

// As in the package at the root.
let strict: [SwiftSetting] = Context.environment["MONETIZE_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

for target in package.targets {
  target.swiftSettings =
    [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("InferIsolatedConformances"),
    ] + strict
}
