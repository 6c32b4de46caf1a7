// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeJSON
import MonetizeSimulator

/// The remaining differences between two texts: texts for customers, paywalls, releases, and sections without an effect on access.
struct LeafChanges {
  /// The words of both catalogs, for the names of products.
  let words: (old: CatalogWords, new: CatalogWords)

  private static let texts: Set<String> = [
    "title", "headline", "subtitle", "description", "purchaseLabel", "text", "unlockMessage", "name", "labels", "badges", "trust",
    "referenceName", "renewal", "cancellation", "unit",
  ]
  /// Sections whose effect the answers already show.
  private static let access: Set<String> = ["features", "freeTier", "entitlements", "collections", "monetization", "parts", "modules"]
  /// Keys whose effect no question about access shows.
  private static let unasked: Set<String> = ["survivesReinstall", "aliases", "placement"]
  /// Keys of a product that are reported elsewhere.
  private static let product: Set<String> = ["kind", "period", "group", "level", "price", "onSale", "offers", "familyShareable"]

  /// Keys whose members or elements have names of the catalog's own.
  private static let named: Set<String> = [
    "features", "grants", "credits", "products", "entitlements", "collections", "items", "modules", "paywalls", "milestones",
    "experiments", "arms", "placements", "steps", "pages", "buttons", "custom", "properties", "targets",
  ]

  /// The change of a value; `nil` for one that is reported elsewhere, also by a change of access that explains it.
  func change(_ leaf: JSONChange, isExplained: () -> Bool) -> CatalogChange? {
    guard let section = leaf.keys.first, leaf.keys != ["app", "id"] else { return nil }
    if leaf.isOrder { return order(leaf, section) }
    if section == "monetization", let change = Self.monetization(leaf) { return change }
    let isText = zip(leaf.keys, leaf.keys.dropFirst()).contains { Self.texts.contains($1) && !Self.named.contains($0) }
    let isWords = isText && leaf.old?.kind != .object && leaf.new?.kind != .object
    // A list is compared by position; additions and removals are one change of the whole list.
    if section == "releases" { return make(.releases, "release", leaf, "The list of releases that are out") }
    if isWords { return make(.texts, "text", leaf, "The text \(leaf.path)") }
    if section == "products" {
      if leaf.keys.count < 3 || Self.product.contains(leaf.keys[2]) || isExplained() { return nil }
      return make(.other, "unnoticed", leaf, leaf.path, note: " No compared answer changes with it.")
    }
    if Self.access.contains(section) {
      if Self.unasked.contains(leaf.keys.last ?? "") { return make(.other, "section", leaf, leaf.path) }
      return isExplained() ? nil : make(.other, "unnoticed", leaf, leaf.path, note: " No compared answer changes with it.")
    }
    if section == "paywalls" || section == "parentalGate" { return make(.paywalls, "paywall", leaf, Self.paywall(leaf)) }
    return section == "retired" ? Self.retired(leaf) : make(.other, "section", leaf, leaf.path)
  }

  /// Entries that are in both lists and stand in another order: an app shows them in it.
  private func order(_ leaf: JSONChange, _ section: String) -> CatalogChange {
    let texts = [leaf.old, leaf.new].map { list in (list?.elements ?? []).compactMap { $0["id"]?.string } }
    let common = Set(texts[0]).intersection(texts[1])
    let (old, new) = (texts[0].filter(common.contains), texts[1].filter(common.contains))
    let differing = zip(old, new).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
    let range = (differing.first ?? 0)...(differing.last ?? 0)
    let (before, now) = (enumeration(Array(old[range])), enumeration(Array(new[range])))
    return CatalogChange(
      topic: section == "products" ? .products : section == "paywalls" ? .paywalls : .other, severity: .note, code: "order",
      path: leaf.path, old: before, new: now,
      sentence:
        "The order of \(leaf.path): \(enumeration(old[range].map(names(of: leaf, words.old)))) becomes "
        + "\(enumeration(new[range].map(names(of: leaf, words.new)))).")
  }

  /// What is retired. What is no longer retired is an error of its own.
  private static func retired(_ leaf: JSONChange) -> CatalogChange? {
    let known = Set((leaf.old?.elements ?? []).compactMap(\.string))
    let added = (leaf.new?.elements ?? []).compactMap(\.string).filter { !known.contains($0) }
    if added.isEmpty { return nil }
    return CatalogChange(
      topic: .other, severity: .note, code: "retired", path: leaf.path, old: leaf.old?.shown(), new: leaf.new?.shown(),
      sentence: "\(enumeration(added.map { "\"\($0)\"" })) \(added.count == 1 ? "is" : "are") retired.")
  }

  /// Whether anything is for sale, which no question about access shows; `nil` when it stays on.
  private static func monetization(_ leaf: JSONChange) -> CatalogChange? {
    let (old, new) = (leaf.old?.string ?? "on", leaf.new?.string ?? "on")
    if old == new { return nil }
    return CatalogChange(
      topic: .products, severity: .note, code: "monetization", path: leaf.path, old: old, new: new,
      sentence: new == "off"
        ? "Nothing is for sale any more, and no paywall appears." : "The products are for sale again, and paywalls appear.")
  }

  private static func paywall(_ leaf: JSONChange) -> String {
    if leaf.keys.first == "parentalGate" { return "The parental gate" }
    guard leaf.keys.count > 2 else { return leaf.path }
    return "The paywall \(leaf.keys[1]): \(leaf.path.dropFirst("paywalls.\(leaf.keys[1]).".count))"
  }

  /// Replaces the id of a product by its name, where the value is one or a list of them.
  private func names(of leaf: JSONChange, _ words: CatalogWords) -> (String) -> String {
    let isProducts = leaf.keys == ["products"] || leaf.keys.first == "paywalls" && ["products", "preselected"].contains(leaf.keys.last)
    return { isProducts ? words.product(ProductID($0)) : $0 }
  }

  private func make(
    _ topic: CatalogChange.Topic, _ code: String, _ leaf: JSONChange, _ what: String, note: String = ""
  ) -> CatalogChange {
    let (before, now) = (names(of: leaf, words.old), names(of: leaf, words.new))
    let event =
      switch (leaf.old, leaf.new) {
      case (let old?, let new?): "\(old.shown(before)) becomes \(new.shown(now))"
      case (let old?, nil): "\(old.shownAlone(before)) is removed"
      case (nil, let new): "\(new?.shownAlone(now) ?? "") is added"
      }
    return CatalogChange(
      topic: topic, severity: .note, code: code, path: leaf.path, old: leaf.old?.shown(), new: leaf.new?.shown(),
      sentence: "\(what): \(event).\(note)")
  }
}

extension JSONValue {
  /// The value in a sentence: a text in quotation marks, a length of time in words, a list of names or of entries, an object's entries.
  /// - Parameter name: Replaces a text, such as an id, by a name.
  fileprivate func shown(_ name: (String) -> String = { $0 }) -> String {
    let text = string.map { Period($0)?.words ?? "“\(name($0))”" } ?? (kind == .array || kind == .object ? entries(name) : text())
    return text.count > 160 ? text.prefix(160) + "…" : text
  }

  /// The value in a sentence without another to compare it with.
  fileprivate func shownAlone(_ name: (String) -> String) -> String { isEmptyList ? "an empty value" : shown(name) }

  private var isEmptyList: Bool { (kind == .array || kind == .object) && elements.isEmpty && members.isEmpty }

  private func entries(_ name: (String) -> String) -> String {
    if isEmptyList { return "none" }
    if kind == .object {
      return members.map { $0.value.kind == .object ? $0.key : "\($0.key) \($0.value.shown())" }.joined(separator: ", ")
    }
    let names = elements.enumerated().map {
      $1.string.map(name) ?? $1["id"]?.string ?? ($1.kind == .object ? "entry \($0 + 1)" : $1.text())
    }
    return names.count == 1 ? names[0] : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
  }
}
