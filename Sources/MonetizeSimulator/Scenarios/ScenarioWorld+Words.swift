// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// What happened, in the words that expectations have for it.
extension ScenarioWorld {
  /// What the app told.
  static func value(_ event: MonetizeEvent) -> ScenarioValue {
    var object: [String: ScenarioValue] = ["name": .text(event.name.rawValue)]
    object["product"] = event.product.map { .text($0.rawValue) }
    object["feature"] = event.feature.map { .text($0.rawValue) }
    object["item"] = event.item.map { .text($0.description) }
    object["placement"] = event.placement.map { .text($0.rawValue) }
    object["error"] = event.error.map { .text($0.rawValue) }
    if event.name == .accessChanged {
      object["newlyAllowed"] = ScenarioValue(event.newlyAllowed.count)
      object["noLongerAllowed"] = ScenarioValue(event.noLongerAllowed.count)
    }
    return .object(object)
  }

  /// `DID_RENEW.BILLING_RECOVERY com.example.monthly`, in Apple's words.
  static func words(_ notification: ServerNotification) -> String {
    notification.type.rawValue + (notification.subtype.map { ".\($0)" } ?? "") + " \(notification.productID)"
  }

  /// What Apple's server said, each entry as it is asked for: in words, or by some of its facts.
  static func log(_ log: [ServerNotification], asked: ScenarioValue) -> ScenarioValue {
    guard case .list(let asked) = asked else { return ScenarioValue(log.map(words)) }
    return .list(
      log.enumerated().map { place, notification in
        guard place < asked.count, case .object(let keys) = asked[place] else { return .text(words(notification)) }
        return .object(facts(notification).filter { keys[$0.key] != nil })
      })
  }

  /// The facts of a notification that an entry of `log` may name, each with the sort of its values.
  static let notificationKinds: [(fact: String, kind: ScenarioFactKind)] = [
    ("type", .text), ("subtype", .text), ("product", .text), ("status", .number), ("expirationIntent", .number), ("offerType", .number),
    ("offerDiscountType", .text), ("transactionReason", .text), ("revocationReason", .number), ("transaction", .text),
    ("originalTransaction", .text), ("environment", .text), ("customer", .text), ("date", .moment),
  ]

  private static func facts(_ notification: ServerNotification) -> [String: ScenarioValue] {
    [
      "type": .text(notification.type.rawValue), "subtype": ScenarioValue(notification.subtype?.rawValue),
      "product": .text(notification.productID.rawValue), "status": ScenarioValue(notification.status?.rawValue),
      "expirationIntent": ScenarioValue(notification.expirationIntent?.rawValue), "offerType": ScenarioValue(notification.offerType),
      "offerDiscountType": ScenarioValue(notification.offerDiscountType),
      "transactionReason": ScenarioValue(notification.transactionReason?.rawValue),
      "revocationReason": ScenarioValue(notification.revocationReason), "transaction": ScenarioValue(notification.transactionID?.rawValue),
      "originalTransaction": .text(notification.originalTransactionID.rawValue),
      "environment": .text(notification.environment.rawValue), "customer": .text(notification.customer.rawValue),
      "date": .instant(notification.date),
    ]
  }

  /// The facts of a transaction, each with the sort of its values.
  static let transactionKinds: [(fact: String, kind: ScenarioFactKind)] = [
    ("id", .text), ("original", .text), ("product", .text), ("state", .one(of: ["purchased", "expired", "upgraded", "revoked"])),
    ("reason", .one(of: ["purchase", "renewal"])), ("purchased", .moment), ("expires", .moment), ("revoked", .moment),
    ("revocationReason", .text), ("ownership", .text), ("offer", .text), ("quantity", .number), ("price", .text), ("account", .text),
    ("environment", .text),
  ]

  /// The facts of an app transaction, each with the sort of its values.
  static let appTransactionKinds: [(fact: String, kind: ScenarioFactKind)] = [
    ("appID", .text), ("environment", .text), ("originalPurchaseDate", .moment), ("originalAppVersion", .text),
  ]

  /// The facts of a commitment, each with the sort of its values.
  static let commitmentKinds: [(fact: String, kind: ScenarioFactKind)] = [
    ("payment", .number), ("payments", .number), ("ends", .moment), ("willRenew", .yesNo),
  ]

  static func value(_ commitment: RenewalInfo.Commitment) -> ScenarioValue {
    .object([
      "payment": ScenarioValue(commitment.payment), "payments": ScenarioValue(commitment.payments), "ends": .instant(commitment.ends),
      "willRenew": .bool(commitment.willRenew),
    ])
  }

  /// A transaction as Apple's test session shows it, in the words of StoreKit.
  func value(_ transaction: StoreTransaction, of customer: CustomerID) -> ScenarioValue {
    let isOver = transaction.expirationDate.map { $0 <= store.clock.now } ?? false
    let isRenewal = store.world.isRenewal(transaction.id, customer: customer)
    return .object([
      "id": .text(transaction.id.rawValue), "original": .text(transaction.originalID.rawValue),
      "product": .text(transaction.productID.rawValue), "purchased": .instant(transaction.purchaseDate),
      "expires": ScenarioValue(transaction.expirationDate),
      "state": .text(transaction.revocation != nil ? "revoked" : transaction.isUpgraded ? "upgraded" : isOver ? "expired" : "purchased"),
      "reason": .text(isRenewal ? "renewal" : "purchase"), "revoked": ScenarioValue(transaction.revocation?.date),
      "revocationReason": ScenarioValue(transaction.revocation?.reason.rawValue), "ownership": .text(transaction.ownership.rawValue),
      "offer": ScenarioValue(transaction.offer.map { $0.id ?? $0.type.rawValue }), "quantity": ScenarioValue(transaction.quantity),
      "price": ScenarioValue(transaction.price?.amountText), "account": ScenarioValue(transaction.account),
      "environment": .text(transaction.environment.rawValue),
    ])
  }

  static func value(_ app: AppTransactionRecord) -> ScenarioValue {
    .object([
      "appID": .text(app.appID), "environment": .text(app.environment.rawValue), "originalPurchaseDate": .instant(app.originalPurchaseDate),
      "originalAppVersion": .text(app.originalAppVersion),
    ])
  }

  /// What a paywall is made of: what it offers now, and the words of the catalog.
  static func facts(_ placement: PlacementID, _ model: Paywall?, _ snapshot: Snapshot, _ asked: AccessRequest?) -> [String: ScenarioValue] {
    let definition = snapshot.definition(at: placement, for: asked)
    let words = model?.definition ?? definition
    return [
      "placement": ScenarioValue(model?.placement.rawValue), "shown": ScenarioValue(model?.placement == placement),
      "products": ScenarioValue(model?.products.map(\.rawValue) ?? definition?.products?.map(\.rawValue) ?? []),
      "title": ScenarioValue(words?.title), "headline": ScenarioValue(words?.headline), "subtitle": ScenarioValue(words?.subtitle),
      "benefits": words?.benefits.map { .list($0.map(value)) } ?? .absent, "preselected": ScenarioValue(words?.preselected?.rawValue),
      "actions": ScenarioValue((model?.actions ?? snapshot.actions(at: placement)).map(\.rawValue)),
      "labels": words?.labels.map { .object($0.mapValues(ScenarioValue.text)) } ?? .absent,
      "purchaseLabel": ScenarioValue(words?.purchaseLabel), "trust": ScenarioValue(words?.trust ?? []),
      "prompt": ScenarioValue(words?.prompt),
    ]
  }

  private static func value(_ benefit: PaywallDefinition.Benefit) -> ScenarioValue {
    .object([
      "icon": ScenarioValue(benefit.icon), "title": .text(benefit.title), "description": ScenarioValue(benefit.description),
      "features": ScenarioValue(benefit.features?.map(\.rawValue) ?? []),
    ])
  }
}
