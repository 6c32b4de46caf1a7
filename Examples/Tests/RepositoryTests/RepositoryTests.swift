// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("The repository", .timeLimit(.minutes(30)))
struct RepositoryTests {
  @Test("CARD-01: the top level has the six required names, and the usual files of a repository")
  func topLevel() {
    let names = Repository.names()
    let wanted: Set<String> = ["Package.swift", "Sources", "Tests", "Products", "Examples", "Docs"]
    let ordinary: Set<String> = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", "NOTICE", "Makefile"]
    #expect(wanted.subtracting(names) == [])
    #expect(names.filter { !wanted.contains($0) && !ordinary.contains($0) && !$0.hasPrefix(".") } == [])
    #expect(Repository.names(in: "Products").contains { $0.hasSuffix(".json") })
  }

  @Test("CARD-02, MAZE-22, PUZZ-36: the root package has no dependency")
  func noDependencies() async throws {
    let package = try await Self.dumpPackage()
    #expect((package["dependencies"] as? [Any])?.isEmpty == true)
    // Dependencies of targets are within the package.
    let names = Set((package["targets"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String })
    for target in package["targets"] as? [[String: Any]] ?? [] {
      for dependency in target["dependencies"] as? [[String: Any]] ?? [] {
        let name = (dependency["byName"] as? [Any])?.first as? String
        #expect(name.map(names.contains) == true, "\(dependency)")
      }
    }
  }

  @Test("MAZE-21, HEAT-43, PUZZ-30: the floor is iOS 15, the lowest of all apps, and watchOS is among the platforms")
  func platforms() async throws {
    let package = try await Self.dumpPackage()
    let platforms = Dictionary(
      (package["platforms"] as? [[String: Any]] ?? []).compactMap { platform in
        (platform["platformName"] as? String).map { ($0, platform["version"] as? String ?? "") }
      }
    ) { first, _ in first }
    #expect(platforms["ios"] == "15.0")
    #expect(platforms["watchos"] != nil)
  }

  @Test("CARD-11: Apple-only modules are imported behind #if canImport")
  func guardedImports() throws {
    let apple = ["StoreKit", "SwiftUI", "UIKit", "AppKit", "Combine", "Security", "CloudKit", "WatchConnectivity", "PassKit"]
    for file in Repository.files(under: "Sources", endings: [".swift"]) + Repository.files(under: "Examples/Sources", endings: [".swift"]) {
      var conditions: [String] = []
      for line in try Repository.text(file).components(separatedBy: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
        if line.hasPrefix("#if ") { conditions.append(line) }
        if line.hasPrefix("#elseif ") { conditions[conditions.count - 1] = line }
        if line == "#endif" { conditions.removeLast() }
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "import"), index + 1 < words.endIndex, index < 3 else { continue }
        let module = String(words[index + 1])
        guard apple.contains(module) else { continue }
        #expect(conditions.contains { $0.contains("canImport(\(module))") }, "\(file) imports \(module) everywhere")
      }
    }
  }

  @Test("CARD-10: the examples depend on the package beside them, as an app does")
  func examples() throws {
    #expect(try Repository.text("Examples/Package.swift").contains(#".package(name: "Monetize", path: "..")"#))
  }

  @Test("MAZE-33: pack model, difficulty, locks and purchase state have tests", arguments: ["MazeCatalog", "Difficulty", "Lock", "Shop"])
  func unitTests(_ name: String) throws {
    let text = try Repository.text("Examples/Tests/MazePacksTests/\(name)Tests.swift")
    #expect(text.contains("@Test("))
  }

  @Test(
    "MAGIC-50: transactions, access control, limits, the monthly reset and the accuracy of usage have suites",
    arguments: [
      ("GatingTests", "MAGIC-11"), ("GatingTests", "MAGIC-12"), ("GatingTests", "struct FeatureGateTests"),
      ("MagicalStoriesTests", "struct StoryServiceTests"), ("MagicalStoriesTests", "struct CountingTests"),
      ("MagicalStoriesTests", "MAGIC-25"), ("MagicalStoriesTests", "MAGIC-24"),
    ])
  func magicalSuites(_ file: String, _ name: String) throws {
    #expect(try Repository.text("Examples/Tests/MagicalStoriesTests/\(file).swift").contains(name))
  }

  @Test("HEAT-38: both packages use Swift 6 with checked concurrency; the store's calls are async, without completion handlers")
  func concurrency() async throws {
    let package = try await Self.dumpPackage()
    #expect(package["swiftLanguageVersions"] as? [String] == ["6"])
    #expect(try Repository.text("Examples/Package.swift").contains("swiftLanguageModes: [.v6]"))
    #expect(try Self.warningsAreErrors())
    let port = try Repository.text("Sources/Monetize/Stores/StoreBackend.swift")
    for name in ["products", "purchase", "read", "standing", "unfinished", "finish", "synchronize"] {
      #expect(port.contains(try Regex("func \(name)\\([^\n]*\\) async throws\\(StoreError\\)")), "\(name)")
    }
    for file in Repository.files(under: "Sources", endings: [".swift"]) + Repository.files(under: "Examples/Sources", endings: [".swift"]) {
      #expect(try !Repository.text(file).contains("completionHandler"), "\(file)")
    }
  }

  @Test("MAZE-35: there is a checklist for manual tests in the simulator")
  func verifying() throws {
    let text = try Repository.text("Docs/Verifying.md")
    for words in [
      "3 difficulty cards", "pack picker", "20 stories", "1 to 3", "4 to 20", "parental gate", "$9.99", "celebration", "clipping",
    ] {
      #expect(text.contains(words), "Docs/Verifying.md does not mention \(words)")
    }
  }

  /// Whether CI sets the variable with which both packages treat every warning as an error.
  private static func warningsAreErrors() throws -> Bool {
    try Repository.text(".ci/run").contains("export MONETIZE_STRICT=1")
      && ["Package.swift", "Examples/Package.swift"].allSatisfy {
        let text = try Repository.text($0)
        return text.contains("\"MONETIZE_STRICT\"") && text.contains(".treatAllWarnings(as: .error)")
          && (text.contains("+ strict") || text.contains(": strict)"))
      }
  }

  @Test("MAZE-36: CI builds with warnings as errors and runs every test; make test is the same for people")
  func everythingRuns() throws {
    let script = try Repository.text(".ci/run")
    #expect(try Self.warningsAreErrors())
    #expect(script.contains("swift build --build-tests") && script.contains("swift build --build-tests --package-path Examples"))
    #expect(script.contains("README.md"))
    #expect(try Repository.text("Makefile").contains("swift test && swift test --package-path Examples"))
    #expect(FileManager.default.isExecutableFile(atPath: Repository.root.appendingPathComponent(".ci/run").path))
  }

  @Test("MAZE-20: the maze app uses no network of its own")
  func noBackend() throws {
    for file in Repository.files(under: "Sources/Monetize", endings: [".swift"])
      + Repository.files(under: "Examples/Sources/MazePacks", endings: [".swift"])
    {
      let text = try Repository.text(file)
      #expect(!text.contains("URLSession") && !text.contains("URLRequest"), "\(file)")
    }
  }

  @Test("HEAT-45: the store is the only way to pay")
  func noOtherPayment() throws {
    for file in Repository.files(under: "Sources", endings: [".swift"]) + Repository.files(under: "Examples/Sources", endings: [".swift"]) {
      let text = try Repository.text(file)
      #expect(!text.contains("PassKit") && !text.contains("PKPayment"), "\(file)")
    }
  }

  @Test("links between the documents are valid")
  func links() throws {
    for file in Repository.files(under: "Docs", endings: [".md"]) {
      let folder = file.components(separatedBy: "/").dropLast().joined(separator: "/")
      for match in try Repository.text(file).matches(of: /\]\(([^)#\s]+)(?:#[^)]*)?\)/) where !match.1.contains("://") {
        #expect(Repository.exists("\(folder)/\(match.1)"), "\(file) links to \(match.1)")
      }
    }
  }

  @Test("the list of documents names every page and every guide")
  func listed() throws {
    let list = try Repository.text("Docs/README.md")
    for file in Repository.files(under: "Docs", endings: [".md"]) where !file.hasPrefix("Docs/Decisions/") && file != "Docs/README.md" {
      #expect(list.contains("(\(file.dropFirst("Docs/".count)))"), "\(file) is not in Docs/README.md")
    }
  }

  @Test("MAGIC-65: the roadmap has the three blocking requirements and the phases of weeks 1 to 4")
  func roadmap() throws {
    let rows = try Repository.text("Docs/Roadmap.md").split(separator: "\n").map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let blocking = rows.filter { $0.count == 4 && $0[1] == "P0" }
    #expect(blocking.map { $0[0] } == ["StoreKit 2 integration", "Onboarding flow", "Usage limits and freemium"])
    let phases = rows.filter { $0.count == 4 && $0[0].first?.isNumber == true }
    #expect(phases.map { $0[1] } == ["1–2", "2–3", "3–4", "4"])
    for row in blocking + phases { #expect(row[3].contains("]("), "\(row[0]) links to nothing") }
  }

  @Test("every guide in CONTRIBUTING exists")
  func guides() throws {
    for match in try Repository.text("CONTRIBUTING.md").matches(of: /`(Docs\/[^`]+\.md)`/) {
      #expect(Repository.exists(String(match.1)), "\(match.1)")
    }
  }

  /// The root package, as SwiftPM reads it, with a separate build folder, because this test runs inside another build.
  private static func dumpPackage() async throws -> [String: Any] {
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("monetize-dump-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let output = scratch.appendingPathComponent("output")
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift", "package", "--package-path", Repository.root.path, "--scratch-path", scratch.path, "dump-package"]
    // SwiftPM never removes its lock from the temporary folder.
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": scratch.path]) { _, own in own }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do { try process.run() } catch {
        process.terminationHandler = nil
        continuation.resume(throwing: error)
      }
    }
    try #require(process.terminationStatus == 0)
    return try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: output)) as? [String: Any])
  }
}
