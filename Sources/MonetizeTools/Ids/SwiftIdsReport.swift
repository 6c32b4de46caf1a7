// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// What `monetize generate swift` made, and whether the file that is there says the same.
public struct SwiftIdsReport: ToolReport {
  /// The text of the file as it should be.
  public let ids: SwiftIds
  /// Whether the file that is there is another text; `nil` where none was compared.
  public let isOutdated: Bool?

  /// Makes a report. `existing` is the text of the file that is there, where one is to be compared.
  public init(_ catalog: Catalog, file: String, options: SwiftIds.Options = .init(), comparedWith existing: String?? = .none) {
    ids = SwiftIds(catalog, file: file, options: options)
    isOutdated = existing.map { [ids] existing in existing != ids.text }
  }

  /// The Swift file.
  public var text: String { ids.text }
  /// `{ "outdated", "swift" }`.
  public var json: String {
    struct Document: Encodable {
      let outdated: Bool?
      let swift: String
    }
    return ToolJSON.text(Document(outdated: isOutdated, swift: ids.text))
  }
  /// What to do about a file that is another text.
  public var problems: [String] { isOutdated == true ? ["The generated file does not fit the catalog. Run the same without --check."] : [] }
  /// `no` for a file that is another text.
  public var status: ToolStatus { isOutdated == true ? .no : .fine }
}
