// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

/// Files of the repository, by their path in it.
enum Samples {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let fixtures = root.appendingPathComponent("Tests/MonetizeToolsTests/Fixtures")

  static let catalogs = ["maze-packs", "heatlab", "magical-stories", "dozzi", "maxs-puzzles"]
  /// One file of each version of the format, in Xcode's layout.
  static let versions = ["1.0", "1.1", "1.2", "2.0", "3.0", "4.0", "5.0", "6.3"]

  static func catalog(_ name: String) throws -> Catalog { try Catalog(json: catalogJSON(name)) }
  static func catalogJSON(_ name: String) throws -> Data { try Data(contentsOf: root.appendingPathComponent("Products/\(name).json")) }
  static func storeKit(_ name: String) throws -> Data { try fixture("storekit/\(name).storekit") }
  static func fixture(_ path: String) throws -> Data { try Data(contentsOf: fixtures.appendingPathComponent(path)) }
}
