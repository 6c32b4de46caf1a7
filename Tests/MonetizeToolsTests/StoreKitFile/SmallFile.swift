// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeTools

/// Small `.storekit` files for tests, each with only what the test is about.
enum SmallFile {
  static func text(
    _ products: [String] = [], groups: [String] = [], settings: String = "{}", version: String = #"{"major":4,"minor":0}"#,
    more: String = ""
  ) -> String {
    #"{"identifier":"5EA50000","nonRenewingSubscriptions":[],"products":["# + products.joined(separator: ",") + #"],"settings":"# + settings
      + #","subscriptionGroups":["# + groups.joined(separator: ",") + "]" + more + #","version":"# + version + "}"
  }

  static func product(
    _ id: String, type: String = "NonConsumable", price: String = "4.99", names: [(locale: String, name: String)] = [],
    reference: String = "Reference", more: String = ""
  ) -> String {
    let names = names.map { #"{"description":"","displayName":"\#($0.name)","locale":"\#($0.locale)"}"# }.joined(separator: ",")
    return #"{"displayPrice":"\#(price)","familyShareable":false,"internalID":"\#(StoreKitIdentifiers.identifier(of: id + type))","#
      + #""localizations":[\#(names)],"productID":"\#(id)","referenceName":"\#(reference)","type":"\#(type)"\#(more)}"#
  }

  static func plan(
    _ id: String, group: String = "5EA50001", period: String? = "P1M", price: String = "4.99", offers: String = #""introductoryOffer":null"#
  ) -> String {
    let period = period.map { #","recurringSubscriptionPeriod":"\#($0)""# } ?? ""
    return product(
      id, type: "RecurringSubscription", price: price, names: [("en_US", id)],
      more: #","groupNumber":1,"subscriptionGroupID":"\#(group)",\#(offers)\#(period)"#)
  }

  static func group(_ plans: [String], id: String = "5EA50001", name: String = "Pro") -> String {
    #"{"id":"\#(id)","localizations":[],"name":"\#(name)","subscriptions":["# + plans.joined(separator: ",") + "]}"
  }

  static func offer(_ mode: String, _ period: String, price: String? = nil, more: String = "") -> String {
    let price = price.map { #""displayPrice":"\#($0)","# } ?? ""
    return
      #"{\#(price)"internalID":"\#(StoreKitIdentifiers.identifier(of: mode + more))","paymentMode":"\#(mode)","subscriptionPeriod":"\#(period)"\#(more)}"#
  }

  /// Imports a file and exports the catalog onto it. Returns the imported catalog's JSON, its notes, and what differs.
  @discardableResult
  static func expectUnchanged(
    _ text: String, currency: String? = nil, _ comment: Comment? = nil, at place: SourceLocation = #_sourceLocation
  ) throws -> (catalog: Catalog, json: String, notes: [String]) {
    var file = try StoreKitFile(Data(text.utf8))
    let imported = file.imported(appID: "com.example.app", appName: "App", currency: currency)
    let reading = Catalog.reading(Data(imported.json.utf8))
    let catalog = try #require(reading.catalog, "\(reading.diagnostics) \(comment ?? "")", sourceLocation: place)
    let differences = file.update(from: catalog).filter { $0.code != "not-in-catalog" }
    #expect(differences == [], comment, sourceLocation: place)
    #expect(!file.isChanged, comment, sourceLocation: place)
    #expect(file.text == text, comment, sourceLocation: place)
    return (catalog, imported.json, imported.notes)
  }
}
