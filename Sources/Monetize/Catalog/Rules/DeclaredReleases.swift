// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A release that is not listed is not out yet, and may be named. One that differs from a listed one in capitals or spaces alone is a slip:
/// the feature would be closed for ever.
enum DeclaredReleases: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    func folded(_ release: String) -> String { release.lowercased().filter { !$0.isWhitespace } }
    // The release of a whole is reported there.
    for feature in draft.features where feature.source["release"] != nil {
      guard let release = feature.value.release, !draft.releases.contains(release),
        let meant = draft.releases.first(where: { folded($0) == folded(release) })
      else { continue }
      draft.reader.report(
        "unknown-release", at: feature.source.at("release"), "There is no release \"\(release)\". Did you mean \"\(meant)\"?")
    }
  }
}
