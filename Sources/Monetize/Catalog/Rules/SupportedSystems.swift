// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// The app's lowest system must be one that Monetize supports. The file has one version for all devices, so with several devices the lowest
/// of their systems is the limit.
enum SupportedSystems: CatalogRule {
  /// Minimum versions by the prefix of a device's name. All other devices count as iOS.
  private static let lowest = ["mac": 12, "watch": 8, "applewatch": 8, "vision": 1, "applevision": 1]
  private static let lowestIOS = 15

  static func check(_ draft: CatalogDraft) {
    guard let text = draft.app?.minimumOS else { return }
    let source = draft.root.at("app", "minimumOS")
    let pieces = text.split(separator: ".", omittingEmptySubsequences: false).map { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
    guard (1...3).contains(pieces.count), !pieces.contains(nil), let major = pieces.first ?? nil else {
      return draft.reader.report("bad-value", at: source, "\"\(text)\" is not a system version. Write one such as \"16.0\".")
    }
    let floors = (draft.app?.devices ?? []).map { device in
      let name = device.lowercased().filter { $0.isLetter }
      return lowest.first { name.hasPrefix($0.key) }?.value ?? lowestIOS
    }
    let floor = floors.min() ?? lowestIOS
    draft.require(
      major >= floor, "minimum-os", at: source,
      "Monetize needs at least \(floor).0, but the app's lowest version is \(text). Raise \"minimumOS\" to \"\(floor).0\".")
  }
}
