// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

/// Every placeholder must be a known one, and the file must provide a value for it. Otherwise people would see the braces.
enum FillablePlaceholders: CatalogRule {
  static func check(_ draft: CatalogDraft) {
    lazy var given = given(by: draft.features.map(\.value), draft).union(draft.products.isEmpty ? [] : [.price])
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
        draft.reader.reportUnknown("placeholder", name, among: known, at: source, or: "Known names: \(known.joined(separator: ", ")).")
        continue
      }
      // A file with mistakes may lack values, so nothing is reported.
      draft.require(
        draft.isBroken(draft.root) || given().contains(placeholder), "empty-placeholder", at: source,
        "\"{\(name)}\" never has a value here. Remove it, or declare what it names.")
    }
  }

  private static func texts(of paywall: JSONValue) -> [JSONValue] {
    let benefits = paywall["benefits"]?.elements.flatMap { [$0["title"], $0["description"]] } ?? []
    let single = ["title", "headline", "subtitle", "purchaseLabel"].map { paywall[$0] } + [paywall["socialProof"]?["text"]]
    return (single + benefits).compactMap { $0 }
      + (paywall["labels"]?.members.map(\.value) ?? []) + (paywall["trust"]?.elements ?? [])
  }

  /// The placeholders that questions about these features can fill. Judges each grant to find out whether it has a limit.
  private static func given(by features: [Feature], _ draft: CatalogDraft) -> Set<Placeholder> {
    var given: Set<Placeholder> = draft.collections.isEmpty ? [] : [.collection]
    let units = Dictionary(draft.features.map { ($0.value.id, $0.value.unit) }) { first, _ in first }
    for feature in features {
      if feature.unit != nil || (units[feature.part?.whole ?? feature.id] ?? nil) != nil { given.insert(.unit) }
      if feature.unlockMessage != nil { given.insert(.unlockMessage) }
    }
    let context = AllowanceContext(now: Date(timeIntervalSince1970: 0), zone: Calendar.storeCalendar.timeZone, usage: UsageTotals())
    let wholes = Dictionary(features.map { ($0.part?.whole ?? $0.id, $0.shape) }) { first, _ in first }
    for (whole, granted) in draft.grants.lazy.flatMap(\.grants) {
      guard let shape = wholes[whole] else { continue }
      let verdict = granted.allowance?.judge(AccessRequest(whole), in: context)
      if granted.isUnlimited && type(of: shape).name != AccessShape.name || verdict?.limit != nil || verdict?.window != nil {
        given.insert(.limit)
      }
      if verdict?.measure.map({ $0 != .lifetime }) == true { given.insert(.period) }
      if given.isSuperset(of: [.limit, .period]) { break }
    }
    return given
  }
}
