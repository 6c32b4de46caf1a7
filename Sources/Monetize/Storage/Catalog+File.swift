// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Catalog {
  /// Reads a catalog from a file.
  /// - Throws: ``CatalogError`` with every mistake of the file, or a Foundation error when it cannot be read.
  public init(
    contentsOf url: URL, kinds: ProductKinds = .standard, shapes: AllowanceShapes = .standard, conditions: Conditions = .standard
  ) throws {
    try self.init(json: Data(contentsOf: url), kinds: kinds, shapes: shapes, conditions: conditions)
  }
}
