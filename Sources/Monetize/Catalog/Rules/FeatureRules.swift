// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON

extension CatalogDraft {
  func checkFeatures() {
    checkReleases()
    checkParts()
    checkCollections()
    checkKeysAreUsed()
    checkReachability()
    checkPricesOfItems()
    checkFreeTier()
  }

  /// A feature may name a release that is not listed, because it is not out yet. A name that differs from a listed one only in case or spaces
  /// is a typo, which would close the feature for ever. A file that does not list the releases that are out would close it as well.
  private func checkReleases() {
    // Parts inherit their whole's release, which is reported at the whole.
    let later = features.filter { $0.source["release"] != nil }
    if root["releases"] == nil, let feature = later.first {
      reader.report(
        .warning, "no-releases", at: feature.source.at("release"),
        "The file does not list the releases that are out, so nothing with a release is available. Add \"releases\": [], or the list.")
    }
    func folded(_ release: String) -> String { release.lowercased().filter { !$0.isWhitespace } }
    for feature in later {
      guard let release = feature.value.release, !catalog.releases.contains(release),
        let meant = catalog.releases.first(where: { folded($0) == folded(release) })
      else { continue }
      reader.report(
        "unknown-release", at: feature.source.at("release"), "There is no release \"\(release)\". Did you mean \"\(meant)\"?")
    }
  }

  /// When a file declares the parts of all items, every collection must have the same parts in the same order.
  private func checkParts() {
    guard let declared = parts else { return }
    for collection in collections where collection.value.parts != declared {
      let parts = collection.value.parts
      let unknown = parts.enumerated().filter { !declared.contains($1) && !retired.contains($1) }
      for (index, part) in unknown {
        let place = collection.source.at("parts", index)
        reader.reportUnknown("part", part, among: declared, at: place, or: "Declare it under \"parts\" of the file.")
      }
      require(
        !unknown.isEmpty || parts.contains(where: retired.contains), "other-parts", at: collection.source.at("parts"),
        "All collections must have the parts \(declared.joined(separator: ", ")), in this order. Write them all, or remove \"parts\" here.")
    }
  }

  /// Features and grants may name only existing collections, and a grant only collections of its feature.
  private func checkCollections() {
    for feature in features where feature.source["in"] != nil {
      areDeclared(feature.value.collections, .collection) { feature.source.at("in", $0) }
    }
    // An amount of items omits collections with 0 items. Their names come from the file, because they may be misspelt as well.
    let hasItems = features.contains { $0.value.shape is ItemsShape }
    func isByItems(_ granted: Granted) -> Bool { hasItems && granted.allowance is ItemsShape.Grant }
    for grant in declaredAmounts(where: { isByItems($0) || $0.allowance?.collections.isEmpty == false }) {
      let places = grant.member.value.membersByKey
      let named = isByItems(grant.granted) ? places.keys.map(CollectionID.init(rawValue:)) : grant.granted.allowance?.collections ?? []
      for id in named where id.rawValue != "$comment" {
        guard let place = places[id.rawValue], isDeclared(id, .collection, at: place) else { continue }
        require(
          grant.feature.value.collections?.contains(id) ?? true, "unknown-collection", at: place,
          "\"\(grant.feature.value.id)\" is not about the collection \"\(id)\". Add it to the feature's \"in\", or remove it here.")
      }
    }
  }

  /// Reports a key of a feature that its allowance does not use, because the key would have no effect.
  private func checkKeysAreUsed() {
    for feature in features {
      let shape = type(of: feature.value.shape)
      // An app's own shapes may use any key. A part has the shape of its whole.
      guard AllowanceShapes.standard[shape.name] == shape, !isBroken(feature.source) else { continue }
      func check(_ key: String, _ isUsed: Bool, _ why: String) {
        require(
          isUsed, "unused-key", at: feature.source.at(key),
          "\"\(key)\" has no effect here, because the allowance \"\(shape.name)\" \(why). Remove it, or change the allowance.")
      }
      check("in", feature.value.collections == nil || shape.isAboutItems, "is not about items")
      check("unit", feature.value.unit == nil || shape.hasAmounts, "has no number")
      check("survivesReinstall", !feature.value.survivesReinstall || shape.isMetered, "counts no uses")
    }
  }

  /// A feature that neither the free tier nor any product nor any entitlement grants is closed to every customer. Probably a mistake.
  private func checkReachability() {
    // An unreadable section may grant anything. Its mistake is already reported.
    guard isKnown(root, "features", "freeTier", "entitlements", "products") else { return }
    var closed = Set(features.lazy.filter { $0.value.part == nil }.map(\.value.id))
    closed.subtract(catalog.freeTier.keys)
    for entitlement in entitlements { closed.subtract(entitlement.value.grants.keys) }
    for product in products where !closed.isEmpty {
      closed.subtract(product.value.grants.keys)
      closed.subtract(product.value.credits.keys)
    }
    for feature in features where closed.contains(feature.value.id) {
      reader.report(
        .warning, "unreachable-feature", at: feature.source,
        "Nothing grants \"\(feature.value.id)\", so it is closed to all customers. Grant it in \"freeTier\" or in a product, or remove it.")
    }
  }

  /// Items sold for coins should have a price: an item without one costs nothing, which is probably a mistake.
  private func checkPricesOfItems() {
    let shops = features.filter { type(of: $0.value.shape).needsPrices }
    for collection in collections {
      guard let shop = shops.first(where: { $0.value.collections?.contains(collection.value.id) ?? true }) else { continue }
      let elements = collection.source["items"]?.elements ?? []
      let free = collection.value.items.enumerated().filter { $1.coins == nil }
      // A collection that gives its items as a number cannot hold prices, so one report is enough.
      for (index, item) in elements.isEmpty ? Array(free.prefix(1)) : free {
        reader.report(
          .warning, "item-without-price", at: elements.isEmpty ? collection.source.at("items") : elements[index],
          "\"\(item.id)\" is in the shop \"\(shop.value.id)\" but has no price, so it is free. Add \"coins\", or 0 for a free item.")
      }
    }
  }

  /// The free tier must not have an amount that is counted from a purchase. There is no purchase, so the count would never start again: the
  /// period in the file would be a lifetime.
  private func checkFreeTier() {
    // The claim forbids every period, and its rule reports each.
    if catalog.claims.contains("noPeriods") { return }
    let purchase = Date(timeIntervalSinceReferenceDate: 0)
    let free = [(grants: catalog.freeTier, owner: root["freeTier"])]
    for grant in declaredAmounts(where: { $0.anchored(at: [purchase]) != $0 }, in: free) {
      reader.report(
        "anchored-free-tier", at: grant.member,
        "The limit of \"\(grant.feature.value.id)\" is counted from a purchase, which the free tier does not have. Write an own period here, "
          + "such as { \"limit\": 3, \"per\": \"month\" }, or \"lifetime\".")
    }
  }
}
