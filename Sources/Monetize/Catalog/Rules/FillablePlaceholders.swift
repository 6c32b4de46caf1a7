// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// A name in braces is a known one, and something in the file can give it a value where it is written: else it would reach people as it is.
enum FillablePlaceholders: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    var given = given(by: draft.features.map(\.value), draft)
    if !draft.products.isEmpty { given.insert(.price) }
    for paywall in draft.root["paywalls"]?.members ?? [] {
      for text in texts(of: paywall.value) { check(text, given, draft) }
    }
    for text in ["renewal", "cancellation"].compactMap({ draft.root["legal"]?[$0] }) { check(text, [.price, .period], draft) }
    for feature in draft.features {
      for text in [feature.source["description"], feature.source["unlockMessage"]].compactMap({ $0 }) {
        check(text, Self.given(by: [feature.value], draft).subtracting([.unlockMessage]), draft)
      }
    }
  }

  private static func check(_ source: JSONValue, _ given: @autoclosure () -> Set<Placeholder>, _ draft: CatalogDraft) {
    for name in Placeholder.names(in: source.string ?? "") {
      guard let placeholder = Placeholder(rawValue: name) else {
        let known = Placeholder.allCases.map(\.rawValue)
        draft.reader.reportUnknown("placeholder", name, among: known, at: source, or: "Known are \(known.joined(separator: ", ")).")
        continue
      }
      // What a broken file would give is not known.
      draft.require(
        draft.isBroken(draft.root) || given().contains(placeholder), "empty-placeholder", at: source,
        "Nothing in this file gives \"{\(name)}\" a value here, so that it would never be filled in. Remove it, or declare what it names.")
    }
  }

  private static func texts(of paywall: JSONValue) -> [JSONValue] {
    let benefits = paywall["benefits"]?.elements.flatMap { [$0["title"], $0["description"]] } ?? []
    return (["title", "headline", "subtitle", "purchaseLabel"].map { paywall[$0] } + benefits).compactMap { $0 }
      + (paywall["labels"]?.members.map(\.value) ?? []) + (paywall["trust"]?.elements ?? [])
  }

  /// What questions about these features can give a value to. Whether a grant has a limit, it says itself when it judges.
  private static func given(by features: [Feature], _ draft: CatalogDraft) -> Set<Placeholder> {
    var given: Set<Placeholder> = draft.collections.isEmpty ? [] : [.collection]
    let context = AllowanceContext(now: Date(timeIntervalSince1970: 0), zone: Instant.utc.timeZone, usage: UsageTotals())
    for feature in features {
      let whole = feature.part?.whole ?? feature.id
      let grants = draft.grants.compactMap { $0.grants[whole] }
      let verdicts = grants.compactMap { $0.allowance?.judge(AccessRequest(whole), in: context) }
      let isUnlimited = type(of: feature.shape).name != AccessShape.name && grants.contains(where: \.isUnlimited)
      if isUnlimited || verdicts.contains(where: { $0.limit != nil || $0.window != nil }) { given.insert(.limit) }
      if verdicts.contains(where: { $0.measure?.words != nil }) { given.insert(.period) }
      if feature.unit != nil || draft.features.contains(where: { $0.value.id == whole && $0.value.unit != nil }) { given.insert(.unit) }
      if feature.unlockMessage != nil { given.insert(.unlockMessage) }
    }
    return given
  }
}
