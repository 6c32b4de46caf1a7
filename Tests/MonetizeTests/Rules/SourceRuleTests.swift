// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Rules that no compiler on Linux checks: the floor, the generic core, pure folders, short files.
@Suite(.timeLimit(.minutes(30)))
struct SourceRuleTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  struct Source: Sendable {
    let path: String
    let lines: [String]
    /// Lines without comments, because a comment may contain a forbidden name.
    var code: [(number: Int, text: String)] {
      lines.enumerated().compactMap { number, line in
        let text = line.range(of: "//").map { String(line[..<$0.lowerBound]) } ?? line
        return text.allSatisfy(\.isWhitespace) ? nil : (number + 1, text)
      }
    }
  }

  static func sources(_ folder: String) throws -> [Source] {
    let base = root.appendingPathComponent(folder)
    let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let text = try String(contentsOf: base.appendingPathComponent(path), encoding: .utf8)
      return Source(path: folder + "/" + path, lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
  }

  static func hits(_ pattern: String, in sources: [Source], insensitive: Bool = false) throws -> [String] {
    let expression = try NSRegularExpression(pattern: pattern, options: insensitive ? [.caseInsensitive] : [])
    return sources.flatMap { source in
      source.code.filter { line in
        expression.firstMatch(in: line.text, range: NSRange(line.text.startIndex..., in: line.text)) != nil
      }.map { "\(source.path):\($0.number):\($0.text)" }
    }
  }

  /// Newer than iOS 15, macOS 12, watchOS 8, tvOS 15.
  static let tooNew = [
    "\\bMutex\\b", "import Synchronization", "\\bContinuousClock\\b", "\\bSuspendingClock\\b", "(?<![A-Za-z.])Duration\\b(?!Shape)",
    "Task\\.sleep\\((for|until)",
    "\\bRegex\\b", "URL\\(filePath:", "URL\\(string:.*encodingInvalidCharacters", "\\.appending\\((path|component)",
    "\\.append\\((path|component)",
    "TimeZone\\.gmt", "Locale\\.(Language|Region)\\b", "\\.split\\(separator: \"[^\"]{2,}\"",
    "\\.(replacing|firstRange|ranges|trimmingPrefix)\\(",
    "String\\(validating:", "\\bUInt128\\b", "\\bInt128\\b", "withDiscardingTaskGroup", "withThrowingDiscardingTaskGroup",
    "CodingKeyRepresentable",
    "@Observable\\b", "\\bObservationRegistrar\\b", "SubscriptionStoreView", "StoreView\\b", "NavigationStack", "\\bany [A-Z][A-Za-z]*<",
    "#Preview", "@Entry",
    "\\bURL\\.(documentsDirectory|temporaryDirectory|cachesDirectory)", "Date\\.now\\.formatted", "\\.contains\\(/",
  ]

  static func isOutsideAvailability(_ hit: String, _ sources: [Source]) -> Bool {
    let parts = hit.split(separator: ":", maxSplits: 2)
    guard let source = sources.first(where: { $0.path == parts[0] }), let number = Int(parts[1]) else { return true }
    return !source.lines[max(0, number - 25)..<number].contains { $0.contains("#available(") || $0.contains("@available(") }
  }

  @Test("MAZE-21, HEAT-21: nothing newer than iOS 15 outside of #available, SubscriptionStoreView included") func floor() throws {
    let sources = try Self.sources("Sources")
    #expect(sources.count > 50)
    for pattern in Self.tooNew {
      let hits = try Self.hits(pattern, in: sources).filter { Self.isOutsideAvailability($0, sources) }
      #expect(hits == [], "\(pattern)")
    }
  }

  @Test("The floor's patterns find newer API") func floorIsSensitive() throws {
    let planted = [
      "let lock = Mutex(0)", "let d: Duration = .seconds(1)", "try await Task.sleep(for: .seconds(1))", "let r: Regex<Substring>",
      "URL(filePath: path)",
      "url.appending(path: \"a\")", "text.split(separator: \"ab\")", "text.replacing(\"a\", with: \"b\")", "let p: any Collection<Int>",
      "@Observable class A {}", "SubscriptionStoreView(groupID: \"pro\")",
    ]
    for line in planted {
      let found = try Self.tooNew.contains { try !Self.hits($0, in: [Source(path: "a", lines: [line])]).isEmpty }
      #expect(found, "\(line)")
    }
    let comment = [Source(path: "a", lines: ["/// Not `Mutex`: the floor is iOS 15."])]
    #expect(try Self.tooNew.allSatisfy { try Self.hits($0, in: comment).isEmpty })
  }

  @Test("No time in milliseconds becomes an Int, which has 32 bits on an Apple Watch") func narrow() throws {
    let pattern = "\\bInt\\(.*\\* ?1_?000"
    for folder in ["Monetize", "MonetizePaywalls", "MonetizeStoreKit", "MonetizeUI"] {
      #expect(try Self.hits(pattern, in: Self.sources("Sources/\(folder)")) == [])
    }
    #expect(try !Self.hits(pattern, in: [Source(path: "a", lines: ["let a = Int(date.timeIntervalSince1970 * 1000)"])]).isEmpty)
  }

  /// There is no keychain on Linux, so that only the text can be checked.
  @Test("A sealed file that an extension reads has its key in a group of the keychain, in the code and in the guide") func keychain() throws
  {
    let code = try #require(try Self.sources("Sources/Monetize/Storage").first { $0.path.hasSuffix("/KeychainSecureStore.swift") })
    let text = code.code.map(\.text).joined(separator: "\n")
    #expect(text.contains("query[kSecAttrAccessGroup] = accessGroup"))
    #expect(text.contains("KeychainSecureStore(service: service, account: \"monetize-seal\", accessGroup: accessGroup)"))
    #expect(text.contains("if status == errSecDuplicateItem { status = SecItemUpdate("))
    let page = try String(contentsOf: Self.root.appendingPathComponent("Docs/ApplePlatforms.md"), encoding: .utf8)
    let example = try #require(page.components(separatedBy: "```").first { $0.contains("forSecurityApplicationGroupIdentifier") })
    #expect(!example.contains("sealedBy:") || example.contains("accessGroup:"))
  }

  @Test("CI's tests on Apple's systems have the systems of `.timeLimit`, and leave out the files that start processes") func appleTests()
    throws
  {
    func text(_ path: String) throws -> String { try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8) }
    let manifest = try text("Package.swift")
    let jobs = try text(".github/workflows/apple.yml").components(separatedBy: "\n  test:\n")
    #expect(jobs.count == 2 && jobs[1].components(separatedBy: "steps:")[0].contains("MONETIZE_APPLE_TESTS: 1"))
    #expect(!jobs[0].contains("MONETIZE_APPLE_TESTS"), "builds keep the floor")
    #expect(manifest.contains("package.platforms = [.iOS(.v16), .macOS(.v13), .watchOS(.v9), .tvOS(.v16), .visionOS(.v1)]"))
    // These two are built on Linux only.
    let starting = Set(try Self.hits("\\bProcess\\(\\)", in: Self.sources("Tests")).map { $0.components(separatedBy: ":")[0] })
      .filter { !$0.contains("MonetizeUITests") && !$0.contains("MonetizeStoreKitTests") }
    #expect(starting.count == 2)
    for path in starting { #expect(manifest.contains("\"\(path.split(separator: "/").dropFirst(2).joined(separator: "/"))\""), "\(path)") }
  }

  @Test("CARD-03: no app, product id or price in the generic core") func generic() throws {
    // Comments too, except for the examples in documentation that are from design.md.
    let code = try Self.sources("Sources/Monetize")
    #expect(
      try Self.hits(
        "heatlab|dozzi|denny|magical|max.?s.?puzzle|9\\.99|[0-9]\\.99|com\\.example|com\\.magical",
        in: code.map { source in
          Source(
            path: source.path,
            lines: source.lines.map { $0.replacingOccurrences(of: "`{ \"amount\": \"9.99\", \"currency\": \"USD\" }`", with: "") })
        }, insensitive: true
      ).filter { !$0.contains("Write a decimal string such as") } == [])
  }

  @Test("Facts to Paywalls are pure: no clock, no lock, no file, no async") func pure() throws {
    for folder in [
      "Facts", "Requests", "Kinds", "Allowances", "Conditions", "Catalog", "Listings", "Engine", "Paywalls", "Events",
    ] {
      let sources = try Self.sources("Sources/Monetize/\(folder)")
      #expect(!sources.isEmpty || folder == "Conditions", "there is no \(folder)")
      let effects =
        "\\bDate\\(\\)|Date\\.now|\\basync\\b|\\bawait\\b|pthread_mutex|\\bNSLock\\b|\\bLocked\\b|FileManager|\\bTask\\b|Data\\(contentsOf|UserDefaults|ProcessInfo|print\\(|UUID\\(\\)|\\.random"
      #expect(try Self.hits(effects, in: sources) == [])
    }
  }

  @Test("No file over 500 lines; every file begins with its licence; no force tries") func files() throws {
    for folder in ["Sources", "Tests"] {
      let sources = try Self.sources(folder)
      for source in sources where !source.path.contains("Generated") {
        #expect(source.lines.count <= 501, "\(source.path)")
        #expect(source.lines.first == "// SPDX-License-Identifier: Apache-2.0", "\(source.path)")
      }
      let force = "\\btry" + "!|\\bas" + "! |fatal" + "Error\\("
      #expect(try Self.hits(force, in: folder == "Sources" ? sources : []) == [])
    }
  }
}
