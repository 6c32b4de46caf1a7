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
    .library(name: "MonetizePaywalls", targets: ["MonetizePaywalls"]),
    .library(name: "MonetizeTools", targets: ["MonetizeTools"]),
    .library(name: "MonetizeReports", targets: ["MonetizeReports"]),
    .library(name: "MonetizeStoreKit", targets: ["MonetizeStoreKit"]),
    .library(name: "MonetizeUI", targets: ["MonetizeUI"]),
    .library(name: "MonetizePreview", targets: ["MonetizePreview"]),  // never linked into a release
    // Nothing that they need is a dependency, and nothing of them is built where they are not used.
    .plugin(name: "MonetizeIds", targets: ["MonetizeIdsPlugin"]),
    .plugin(name: "MonetizeCommand", targets: ["MonetizeCommandPlugin"]),
  ],
  dependencies: [],  // for ever: an app that adopts Monetize resolves exactly one pin
  targets: [
    .target(name: "MonetizeJSON"),  // no product: it knows nothing of money
    .target(name: "Monetize", dependencies: ["MonetizeJSON"]),
    .target(name: "MonetizeSimulator", dependencies: ["Monetize", "MonetizeJSON"]),
    .target(name: "MonetizeTesting", dependencies: ["Monetize"]),
    .target(name: "MonetizePaywalls", dependencies: ["Monetize"]),
    .target(name: "MonetizeTools", dependencies: ["Monetize", "MonetizeJSON", "MonetizeSimulator"]),
    .target(name: "MonetizeReports", dependencies: ["Monetize", "MonetizeJSON", "MonetizePaywalls", "MonetizeSimulator", "MonetizeTools"]),
    .target(name: "MonetizeStoreKit", dependencies: ["Monetize"]),
    .target(name: "MonetizeUI", dependencies: ["Monetize", "MonetizePaywalls"]),
    .target(name: "MonetizePreview", dependencies: ["Monetize", "MonetizeSimulator", "MonetizeUI"]),
    .executableTarget(name: "MonetizeTool", dependencies: ["MonetizeTools"]),
    .plugin(name: "MonetizeIdsPlugin", capability: .buildTool(), dependencies: ["MonetizeTool"], path: "Sources/MonetizeIdsPlugin"),
    .plugin(
      name: "MonetizeCommandPlugin",
      capability: .command(
        intent: .custom(verb: "monetize", description: "Checks, compares and generates from Monetize catalogs: swift package monetize help")
      ),
      dependencies: ["MonetizeTool"], path: "Sources/MonetizeCommandPlugin"),
    .testTarget(name: "MonetizeJSONTests", dependencies: ["MonetizeJSON"]),
    .testTarget(
      name: "MonetizeTests", dependencies: ["Monetize", "MonetizeJSON", "MonetizeSimulator", "MonetizeTesting"], exclude: ["Fixtures"]),
    .testTarget(
      name: "MonetizeSimulatorTests", dependencies: ["Monetize", "MonetizeJSON", "MonetizeSimulator", "MonetizeTesting"],
      exclude: ["Fixtures"]),
    .testTarget(name: "MonetizePaywallsTests", dependencies: ["Monetize", "MonetizePaywalls", "MonetizeSimulator"]),
    .testTarget(
      name: "MonetizeToolsTests", dependencies: ["Monetize", "MonetizeJSON", "MonetizeSimulator", "MonetizeTools"],
      exclude: ["Fixtures", "Golden"]),
    .testTarget(
      name: "MonetizeReportsTests",
      dependencies: ["Monetize", "MonetizeJSON", "MonetizePaywalls", "MonetizeSimulator", "MonetizeReports", "MonetizeTools"]),
    // Public API only: what an app's own plug-ins can do.
    .testTarget(name: "MonetizePluginTests", dependencies: ["Monetize", "MonetizeTesting"]),
    .testTarget(name: "MonetizeThreadSafetyTests", dependencies: ["Monetize"]),
  ],
  swiftLanguageModes: [.v6]
)

// The tests' time limits need a newer system than the libraries. CI's tests on Apple's systems set it, and no build does.
if Context.environment["MONETIZE_APPLE_TESTS"] != nil {
  package.platforms = [.iOS(.v16), .macOS(.v13), .watchOS(.v9), .tvOS(.v16), .visionOS(.v1)]
}

// These tests start processes. Apple's other systems have none, and a Mac keeps its tests and modules in other places.
#if os(macOS)
  let linuxTests = [
    "MonetizeTests": ["Facade/ProcessTests.swift"], "MonetizeToolsTests": ["Ids/SwiftCompiler.swift", "Ids/SwiftIdsTests.swift"],
  ]
  for target in package.targets { target.exclude += linuxTests[target.name] ?? [] }
#endif

// Xcode puts the manifest into the app's privacy report. Elsewhere it is a file of no target.
for target in package.targets where target.name == "Monetize" {
  #if os(macOS)
    target.resources = [.copy("PrivacyInfo.xcprivacy")]
  #else
    target.exclude = ["PrivacyInfo.xcprivacy"]
  #endif
}

// The example apps over the adapters: sources of Examples that are built here, because stand-ins must not meet its dependencies. On a Mac
// MONETIZE_EXAMPLES builds them with Apple's frameworks.
let apps = [
  ("DozziApp", "Dozzi"), ("HeatlabApp", "Heatlab"), ("HeatlabWidget", "Heatlab"), ("MagicalStoriesApp", "MagicalStories"),
  ("MazeApp", "MazePacks"), ("PuzzlesApp", "MaxsPuzzles"),
]
let adapters = Set(apps.map(\.1)).sorted()
if Context.environment["MONETIZE_EXAMPLES"] != nil || Context.environment["MONETIZE_STAND_INS"] != nil {
  package.targets.append(
    .target(name: "ExampleSetup", dependencies: ["Monetize", "MonetizeStoreKit", "MonetizeUI"], path: "Examples/Sources/ExampleSetup"))
  for adapter in adapters {
    package.targets.append(
      .target(name: adapter, dependencies: ["Monetize"], path: "Examples/Sources/\(adapter)", exclude: ["README.md"]))
  }
  for (app, adapter) in apps {
    package.targets.append(
      .executableTarget(
        name: app, dependencies: [.target(name: adapter), "ExampleSetup", "Monetize", "MonetizeUI"], path: "Examples/Sources/\(app)"))
  }
}

// StoreKit, SwiftUI and Combine do not exist on Linux. With MONETIZE_STAND_INS set, the targets that use them are built
// there against stand-ins, with a build folder of their own (.build-apple). Without it, they are empty modules on Linux.
if Context.environment["MONETIZE_STAND_INS"] != nil {
  func use(_ standIns: [String], in name: String) {
    for target in package.targets where target.name == name {
      target.dependencies += standIns.map { .target(name: $0, condition: .when(platforms: [.linux])) }
      target.swiftSettings = [.define("STAND_INS", .when(platforms: [.linux]))]
    }
  }
  package.targets += [
    .target(name: "Combine", path: "Tests/StandIns/Combine"),
    .target(name: "StoreKit", path: "Tests/StandIns/StoreKit"),
    .target(name: "SwiftUI", dependencies: ["Combine"], path: "Tests/StandIns/SwiftUI"),
    .target(name: "WidgetKit", dependencies: ["SwiftUI"], path: "Tests/StandIns/WidgetKit"),
    .testTarget(
      name: "MonetizeStoreKitTests",
      dependencies: ["Monetize", "MonetizePaywalls", "MonetizeSimulator", "MonetizeStoreKit", "MonetizeTesting", "StoreKit"]),
    .testTarget(
      name: "MonetizeUITests",
      dependencies: [
        "Combine", "Monetize", "MonetizePaywalls", "MonetizePreview", "MonetizeSimulator", "MonetizeStoreKit", "MonetizeTesting",
        "MonetizeUI", "StoreKit", "SwiftUI", "WidgetKit",
      ] + (apps.map(\.0) + adapters).map { .target(name: $0) },
      exclude: ["Golden"]),
  ]
  for (app, adapter) in apps { use(["Combine", "SwiftUI"] + (adapter == "Heatlab" ? ["WidgetKit"] : []), in: app) }
  use(["Combine", "SwiftUI"], in: "ExampleSetup")
  use(["StoreKit"], in: "MonetizeStoreKit")
  use(["Combine", "SwiftUI"], in: "MonetizeUI")
  use(["Combine", "SwiftUI"], in: "MonetizePreview")
}
// MONETIZE_TESTS names the only test targets to build, and `only` names those of the stand-ins. What they do not need is left out.
let standInTests = "MonetizePaywallsTests,MonetizeStoreKitTests,MonetizeUITests"
let onlyTests = Context.environment["MONETIZE_STAND_INS"] == "only" ? standInTests : Context.environment["MONETIZE_TESTS"]
if let names = onlyTests?.split(separator: ",").map(String.init) {
  var needed = Set(names)
  var found = names
  while let name = found.popLast() {
    for target in package.targets where target.name == name {
      for dependency in target.dependencies {
        switch dependency {
        case .byNameItem(let name, _), .targetItem(let name, _): if needed.insert(name).inserted { found.append(name) }
        default: continue
        }
      }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { !needed.isSuperset(of: ($0 as? Product.Library)?.targets ?? ($0 as? Product.Plugin)?.targets ?? []) }
}

// CI sets MONETIZE_STRICT: warnings are errors, and public types declare whether they are Sendable, in the same build that runs the tests.
let strict: [SwiftSetting] =
  Context.environment["MONETIZE_STRICT"] == nil
  ? [] : [.treatAllWarnings(as: .error), .treatWarning("ExplicitSendable", as: .error)]

// One loop, so that a new target cannot forget them. The stand-in is built as Apple builds StoreKit: without features of this package.
for target in package.targets where target.type != .plugin && target.name != "StoreKit" {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("InferIsolatedConformances"),
    ] + (target.path?.hasPrefix("Tests/StandIns") == true ? [] : strict)
  // As Apple's own module: its views may be made outside the main actor, and a host draws them on it.
  if ["SwiftUI", "WidgetKit"].contains(target.name) { target.swiftSettings?.append(.swiftLanguageMode(.v5)) }
}

// MONETIZE_OPTIMIZED optimizes the libraries of a debug build. The build takes twice as long, and the tests a quarter of their time: for
// long runs of them.
if Context.environment["MONETIZE_OPTIMIZED"] != nil {
  for target in package.targets where target.type == .regular && target.name != "StoreKit" {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O", "-assert-config", "Debug"])]
  }
}
