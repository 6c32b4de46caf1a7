// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The result of `monetize generate swift`, compared with an existing file.
public struct SwiftIdsReport: ToolReport {
  /// The correct text of the file.
  public let ids: SwiftIds
  /// Whether the existing file has another text; `nil` without a comparison.
  public let isOutdated: Bool?

  /// Makes a report. `existing` is the text of the existing file, if one is to be compared.
  public init(_ catalog: Catalog, file: String, options: SwiftIds.Options = .init(), comparedWith existing: String?? = .none) {
    ids = SwiftIds(catalog, file: file, options: options)
    isOutdated = existing.map { [ids] existing in existing != ids.text }
  }

  /// The Swift file.
  public var text: String { ids.text }
  /// `{ "outdated", "swift" }`.
  public var json: String { ToolJSON.object(["outdated": isOutdated, "swift": ids.text]) }
  /// What to do about an outdated file.
  public var problems: [String] {
    isOutdated == true ? ["The generated file does not match the catalog. Run the same command without --check."] : []
  }
  /// `no` for an outdated file.
  public var status: ToolStatus { isOutdated == true ? .no : .fine }
}
