// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A feature may name a release that is not listed, because it is not out yet. A name that differs from a listed one only in case or spaces
/// is a typo, which would close the feature for ever. A file that does not list the releases that are out would close it as well.
enum DeclaredReleases: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    if draft.root["releases"] == nil, let feature = draft.features.first(where: { $0.source["release"] != nil }) {
      draft.reader.report(
        .warning, "no-releases", at: feature.source.at("release"),
        "The file does not list the releases that are out, so nothing with a release is available. Add \"releases\": [], or the list.")
    }
    func folded(_ release: String) -> String { release.lowercased().filter { !$0.isWhitespace } }
    // Parts inherit their whole's release, which is reported at the whole.
    for feature in draft.features where feature.source["release"] != nil {
      guard let release = feature.value.release, !draft.catalog.releases.contains(release),
        let meant = draft.catalog.releases.first(where: { folded($0) == folded(release) })
      else { continue }
      draft.reader.report(
        "unknown-release", at: feature.source.at("release"), "There is no release \"\(release)\". Did you mean \"\(meant)\"?")
    }
  }
}
