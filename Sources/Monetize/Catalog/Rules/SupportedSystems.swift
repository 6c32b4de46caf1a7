// SPDX-License-Identifier: Apache-2.0

/// An app's lowest system is one that Monetize runs on.
enum SupportedSystems: CatalogRule {
  /// The lowest iOS that Monetize is for: that of the least demanding app.
  static let lowest = 15

  static func check(_ draft: CatalogDraft, _ reader: JSONReader) {
    guard let text = draft.app.minimumOS, let source = draft.root["app"]?["minimumOS"] else { return }
    let pieces = text.split(separator: ".", omittingEmptySubsequences: false).map { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
    guard (1...3).contains(pieces.count), !pieces.contains(nil), let major = pieces.first ?? nil else {
      reader.report(.error, "bad-value", at: source, "\"\(text)\" is no system version. Write one such as \"16.0\".")
      return
    }
    if major < lowest {
      reader.report(
        .error, "minimum-os", at: source,
        "Monetize needs at least \(lowest).0, and the app is for \(text) on. Raise \"minimumOS\" to \"\(lowest).0\".")
    }
  }
}
