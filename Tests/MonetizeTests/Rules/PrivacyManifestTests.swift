// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `PrivacyInfo.xcprivacy`, which Apple requires of a package that uses certain functions.
@Suite("Privacy manifest", .timeLimit(.minutes(30)))
struct PrivacyManifestTests {
  /// Apple's categories, and the words in code that show their use.
  private static let categories = [
    "UserDefaults": "\\bUserDefaults\\b", "FileTimestamp": "\\bf?stat\\(|attributesOfItem|modificationDate|contentModificationDate",
    "SystemBootTime": "systemUptime|mach_absolute_time", "DiskSpace": "volumeAvailableCapacity|systemFreeSize|\\bstatfs\\(",
    "ActiveKeyboards": "activeInputModes",
  ]

  @Test("HEAT-40: the manifest of the core names each category that its sources use, and no tracking and no collected data") func manifest()
    throws
  {
    let url = SourceRuleTests.root.appendingPathComponent("Sources/Monetize/PrivacyInfo.xcprivacy")
    let plist = try #require(try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil) as? [String: Any])
    #expect(plist["NSPrivacyTracking"] as? Bool == false)
    #expect((plist["NSPrivacyTrackingDomains"] as? [String])?.isEmpty == true)
    #expect((plist["NSPrivacyCollectedDataTypes"] as? [Any])?.isEmpty == true)
    let types = try #require(plist["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
    let named = Set(types.compactMap { $0["NSPrivacyAccessedAPIType"] as? String })
    let sources = try SourceRuleTests.sources("Sources/Monetize") + SourceRuleTests.sources("Sources/MonetizeJSON")
    let used = try Self.categories.filter { try !SourceRuleTests.hits($0.value, in: sources).isEmpty }
    #expect(named == Set(used.keys.map { "NSPrivacyAccessedAPICategory\($0)" }))
    #expect(types.allSatisfy { ($0["NSPrivacyAccessedAPITypeReasons"] as? [String])?.isEmpty == false })
  }

  @Test("The privacy guide has a row for each sort of fact that is stored") func rows() throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: SourceRuleTests.root.appendingPathComponent(path), encoding: .utf8)
    }
    let sorts = try text("Sources/Monetize/Facts/Fact.swift").split(separator: "\n").prefix { !$0.contains("package let sort") }
      .filter { $0.hasPrefix("    case ") || $0.hasPrefix("    indirect case ") }.compactMap {
        $0.split(separator: "(").first?.split(separator: " ").last
      }
    #expect(sorts.count > 15 && sorts.last == "custom")
    let rows = try text("Docs/Guides/Privacy.md").split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap {
      $0.split(separator: "|").first
    }
    for sort in sorts.dropLast() { #expect(rows.contains { $0.contains("`\(sort)`") }, "\(sort)") }
  }

  @Test(
    "The modules for Apple's systems use none of these functions, so they need no manifest", arguments: ["MonetizeStoreKit", "MonetizeUI"])
  func others(module: String) throws {
    let sources = try SourceRuleTests.sources("Sources/\(module)")
    for (category, words) in Self.categories { #expect(try SourceRuleTests.hits(words, in: sources) == [], "\(category)") }
  }
}
