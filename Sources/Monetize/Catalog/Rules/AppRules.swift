// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

extension CatalogDraft {
  func checkApp() {
    checkSystem()
    checkLanguage()
    checkAddresses()
    checkGracePeriod()
  }

  /// The app's lowest system must be one that Monetize supports. The file has one version for all devices, so with several devices the lowest
  /// of their systems is the limit.
  private func checkSystem() {
    guard let text = app?.minimumOS else { return }
    let source = root.at("app", "minimumOS")
    let pieces = text.split(separator: ".", omittingEmptySubsequences: false).map { $0.allSatisfy(\.isNumber) ? Int($0) : nil }
    guard (1...3).contains(pieces.count), !pieces.contains(nil), let major = pieces.first ?? nil else {
      return reader.report("bad-value", at: source, "\"\(text)\" is not a system version. Write one such as \"16.0\".")
    }
    // Minimum versions by the prefix of a device's name. All other devices count as iOS.
    let lowest = ["mac": 12, "watch": 8, "applewatch": 8, "vision": 1, "applevision": 1]
    let floors = (app?.devices ?? []).map { device in
      let name = device.lowercased().filter(\.isLetter)
      return lowest.first { name.hasPrefix($0.key) }?.value ?? 15
    }
    let floor = floors.min() ?? 15
    require(
      major >= floor, "minimum-os", at: source,
      "Monetize needs at least \(floor).0, but the app's lowest version is \(text). Raise \"minimumOS\" to \"\(floor).0\".")
  }

  private func checkLanguage() {
    guard let language = app?.language, !language.isCode else { return }
    reader.report("bad-value", at: root.at("app", "language"), language.mistake)
  }

  /// The addresses in `legal` must be valid.
  private func checkAddresses() {
    let legal = catalog.legal
    for (key, text) in [("terms", legal?.terms), ("privacy", legal?.privacy), ("support", legal?.support)] {
      require(
        text.map(Self.isAddress) ?? true, "bad-address", at: root.at("legal", key),
        "\"\(text ?? "")\" is not an address. Write one such as \"https://example.com/\(key)\".")
    }
  }

  private static func isAddress(_ text: String) -> Bool {
    guard !text.contains(where: \.isWhitespace), let parts = URLComponents(string: text), let scheme = parts.scheme else { return false }
    return scheme == "mailto" || scheme == "tel" ? !parts.path.isEmpty : !(parts.host ?? "").isEmpty
  }

  /// The App Store has grace periods of 3, 16 and 28 days (app-store-rules E.1).
  private func checkGracePeriod() {
    guard let period = catalog.billing?.gracePeriod else { return }
    require(
      [3, 16, 28].contains(period.fixedSeconds.map { $0 / 86400 }), "grace-period", at: root.at("billing", "gracePeriod"),
      "The App Store has grace periods of 3, 16 and 28 days. Write P3D, P16D or P28D, or remove it.")
  }
}
