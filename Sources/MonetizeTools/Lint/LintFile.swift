// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A catalog to check, with the tables of its texts in other languages. The caller reads the files.
public struct LintFile: Sendable {
  /// The name of the file, for messages.
  public let name: String
  /// The catalog.
  public let json: Data
  /// The tables of texts, by name and content.
  public let tables: [(name: String, json: Data)]

  /// Makes a file, by default without tables.
  public init(name: String, json: Data, tables: [(name: String, json: Data)] = []) {
    (self.name, self.json, self.tables) = (name, json, tables)
  }
}
