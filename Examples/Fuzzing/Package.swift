// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
  name: "MonetizeFuzzing",
  platforms: [.iOS(.v16), .macOS(.v13)],
  dependencies: [.package(name: "Monetize", path: "../..")],
  targets: [
    // libFuzzer's entry, which is there only with `-sanitize=fuzzer`. An adopter never builds this package.
    .target(name: "CFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CFuzzer",
        .product(name: "Monetize", package: "Monetize"),
        .product(name: "MonetizePaywalls", package: "Monetize"),
        .product(name: "MonetizeReports", package: "Monetize"),
        .product(name: "MonetizeSimulator", package: "Monetize"),
        .product(name: "MonetizeTools", package: "Monetize"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.name == "Fuzz" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
  ]
}
