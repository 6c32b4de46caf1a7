// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "Monetize",
  platforms: [.iOS(.v15), .macOS(.v12), .watchOS(.v8), .tvOS(.v15), .visionOS(.v1)],
  products: [
    .library(name: "Monetize", targets: ["Monetize"]),
    .library(name: "MonetizeSimulator", targets: ["MonetizeSimulator"]),
    .library(name: "MonetizeTesting", targets: ["MonetizeTesting"]),
    .library(name: "MonetizeTools", targets: ["MonetizeTools"]),
    .library(name: "MonetizeReports", targets: ["MonetizeReports"]),
  ],
  dependencies: [],  // for ever: an app that adopts Monetize resolves exactly one pin
  targets: [
    .target(name: "MonetizeJSON"),  // no product: it knows nothing of money
    .target(name: "Monetize", dependencies: ["MonetizeJSON"]),
    .target(name: "MonetizeSimulator", dependencies: ["Monetize", "MonetizeJSON"]),
    .target(name: "MonetizeTesting", dependencies: ["Monetize"]),
    .target(name: "MonetizeTools", dependencies: ["Monetize", "MonetizeJSON", "MonetizeSimulator"]),
    .target(name: "MonetizeReports", dependencies: ["Monetize", "MonetizeJSON", "MonetizeSimulator", "MonetizeTools"]),
    .testTarget(name: "MonetizeJSONTests", dependencies: ["MonetizeJSON"]),
    .testTarget(
      name: "MonetizeTests", dependencies: ["Monetize", "MonetizeJSON", "MonetizeSimulator", "MonetizeTesting"], exclude: ["Fixtures"]),
    .testTarget(
      name: "MonetizeSimulatorTests", dependencies: ["Monetize", "MonetizeJSON", "MonetizeSimulator", "MonetizeTesting"],
      exclude: ["Fixtures"]),
    .testTarget(name: "MonetizeToolsTests", dependencies: ["Monetize", "MonetizeJSON", "MonetizeSimulator", "MonetizeTools"]),
    .testTarget(
      name: "MonetizeReportsTests", dependencies: ["Monetize", "MonetizeJSON", "MonetizeSimulator", "MonetizeReports", "MonetizeTools"]),
    // Public API only: what an app's own plug-ins can do.
    .testTarget(name: "MonetizePluginTests", dependencies: ["Monetize", "MonetizeTesting"]),
    .testTarget(name: "MonetizeThreadSafetyTests", dependencies: ["Monetize"]),
  ],
  swiftLanguageModes: [.v6]
)

// One loop, so that a new target cannot forget them. What only CI may ask for (warnings as errors) is in .ci/run.
for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]
}
