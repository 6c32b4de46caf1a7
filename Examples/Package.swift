// swift-tools-version: 6.1
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
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      resources: [.embedInCode("Resources/catalog.schema.json"), .embedInCode("Resources/scenario.schema.json")]),
    .target(name: "MazePacks", dependencies: [.product(name: "Monetize", package: "Monetize")], exclude: ["README.md"]),
    .target(name: "Heatlab", dependencies: [.product(name: "Monetize", package: "Monetize")]),
    .testTarget(
      name: "HeatlabTests",
      dependencies: [
        "Heatlab", .product(name: "Monetize", package: "Monetize"), .product(name: "MonetizeSimulator", package: "Monetize"),
      ]),
    .target(name: "MagicalStories", dependencies: [.product(name: "Monetize", package: "Monetize")]),
    .testTarget(
      name: "MagicalStoriesTests",
      dependencies: [
        "MagicalStories", "Heatlab", .product(name: "Monetize", package: "Monetize"), .product(name: "MonetizeSimulator", package: "Monetize"),
      ]),
    .testTarget(
      name: "GoldenTests",
      dependencies: [.product(name: "Monetize", package: "Monetize"), .product(name: "MonetizeSimulator", package: "Monetize")]),
    .testTarget(
      name: "MazePacksTests",
      dependencies: ["MazePacks", .product(name: "MonetizeSimulator", package: "Monetize")]),
    // They run the built command as a process, or read the repository's files.
    .testTarget(name: "MonetizeCommandTests", dependencies: ["monetize"]),
    .testTarget(name: "RepositoryTests", dependencies: []),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]
}
