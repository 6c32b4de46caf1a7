// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "MonetizeBenchmarks",
  platforms: [.iOS(.v16), .macOS(.v13)],
  dependencies: [.package(name: "Monetize", path: "../..")],
  targets: [
    // Counts allocations. An adopter never builds this package.
    .target(name: "CAllocations"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CAllocations",
        .product(name: "Monetize", package: "Monetize"),
        .product(name: "MonetizeSimulator", package: "Monetize"),
        .product(name: "MonetizeReports", package: "Monetize"),
        .product(name: "MonetizePaywalls", package: "Monetize"),
        .product(name: "MonetizeTools", package: "Monetize"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.name == "Benchmarks" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]
}
