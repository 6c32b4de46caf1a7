// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The notes of an import for the author of the catalog.
extension StoreKitImport {
  /// Notes what is wrong with the file.
  mutating func noteFile(_ read: Int) {
    let found = StoreKitFile.check(Data(file.text.utf8))
    let errors = found.filter { $0.severity == .error }.count
    notes += found.filter { $0.code == "unread-products" }.map(\.message)
    if errors > 0 {
      notes.append(
        "Xcode shows no products because of \(errors) \(errors == 1 ? "error" : "errors") in the file. Run `monetize storekit check`.")
    }
    let number = StoreKitLists(file.tree).entries.count - read
    if number > 0 {
      notes.append("\(number) \(number == 1 ? "product" : "products") could not be read. Run `monetize storekit check` on the file.")
    }
    if file.knownCurrency == nil {
      notes.append("The currency of the storefront \(file.storefront) is not known, and USD is assumed. Name it with --currency.")
    }
  }

  /// Notes what a catalog needs and the file does not have, and the other way round.
  mutating func noteGaps(_ read: [(product: StoreKitFile.Product, node: StoreKitTree)]) {
    let consumables = read.map(\.product).filter { $0.type == .consumable }.map { "\"\($0.id)\"" }
    if let first = consumables.first {
      let others = consumables.count - 1
      let all = first + (others == 0 ? "" : " and \(others) other \(others == 1 ? "product" : "products")")
      notes.append("The file does not contain the credits of \(all). Add a counted feature and their \"credits\".")
    }
    notes.append("The file does not contain what is free. Write the \"grants\" of \"freeTier\".")
    let kept = Self.fileOnly.filter { $0.isIn(file, read.map(\.node)) }.map(\.what)
    if !kept.isEmpty { notes.append("A catalog does not contain \(kept.joined(separator: ", ")). An export leaves these in the file.") }
  }

  /// Parts of a file that a catalog does not contain.
  private static let fileOnly: [(what: String, isIn: @Sendable (StoreKitFile, [StoreKitTree]) -> Bool)] = [
    (
      "the names that customers see of groups",
      { file, _ in
        StoreKitLists(file.tree).groups.contains { $0.node["localizations"]?.elements.isEmpty == false }
      }
    ),
    ("the customers who may use an offer code", { _, nodes in nodes.contains { $0["codeOffers"]?.elements.isEmpty == false } }),
    (
      "plans with monthly payments",
      { _, nodes in
        nodes.contains { $0["billingPlans"]?.elements.contains { $0["billingPlanType"]?.string != StoreKitFile.upfront } == true }
      }
    ),
    ("the license agreement", { file, _ in file.tree["appPolicies"]?["eula"]?.string?.isEmpty == false }),
  ]

  /// Notes the offers of a product that the catalog does not have.
  mutating func noteUnreadOffers(_ product: StoreKitFile.Product, _ node: StoreKitTree) {
    var read = Set((product.terms?.offers ?? []).map { [$0.type.rawValue, $0.id] })
    for (type, id, offer) in file.offers(of: node) where read.remove([type.rawValue, id]) == nil {
      var reason = "another offer has the same name"
      do throws(StoreKitFile.UnreadOffer) { _ = try file.readOffer(offer, type, id: id) } catch { reason = error.reason }
      notes.append("\(Self.title(type, id)) of \"\(product.id)\" is left out: \(reason). An export leaves it in the file.")
    }
  }
}
