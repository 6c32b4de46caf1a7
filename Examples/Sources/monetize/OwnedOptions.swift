// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize
import MonetizeTools

/// The purchases of the customer in question.
struct OwnedOptions: ParsableArguments {
  @Option(
    name: .customLong("owned"),
    help: ArgumentHelp("A product that the customer has: its id, an end of it, or its name. May be repeated.", valueName: "product"))
  var names: [String] = []

  /// The products, each bought at a time.
  func purchases(in catalog: Catalog, at now: Date) throws -> [StoreTransaction] {
    try names.enumerated().compactMap { number, name in
      guard let product = catalog.product(ProductID(try NameChoice.products(of: catalog).one(name))) else { return nil }
      let ends = product.subscription.map { $0.period.added(to: now, in: .storeCalendar) }
      return StoreTransaction(id: TransactionID("owned-\(number)"), productID: product.id, purchaseDate: now, expirationDate: ends)
    }
  }
}
