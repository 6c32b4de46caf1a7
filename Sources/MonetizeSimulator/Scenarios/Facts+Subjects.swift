// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The subjects of expectations.
enum ScenarioSubjects {
  struct Question {
    let decision: Decision
    let feature: Feature?
    let zone: TimeZone

    /// Whether a limit is possible here and there is none.
    fileprivate var isUnlimited: Bool {
      decision.isAllowed && feature.map { type(of: $0.shape).isMetered } == true && decision.limit == nil
    }
  }

  struct Items {
    let allowed: Int
    let count: Int
  }

  struct Product {
    let status: ProductStatus
    let world: ScenarioWorld
    let session: ScenarioSession
  }

  /// A paywall's placement with its current offer and the catalog's words.
  struct Offer {
    let placement: PlacementID
    let shown: Paywall?
    let definition: PaywallDefinition?
    let usualActions: [PaywallAction]
    /// Whether it is open on the device.
    let isOpen: Bool
    /// The words on the screen, if it is open.
    let opened: PaywallDefinition?
    fileprivate var words: PaywallDefinition? { opened ?? shown?.definition ?? definition }
  }

  /// The subject of facts about the step, the events, the device and the customer.
  struct Step {
    let world: ScenarioWorld
    let session: ScenarioSession
    fileprivate var last: ScenarioWorld.StepRecord { world.lastStep }
    fileprivate var money: MoneyLedger { world.store.money(of: session.device.customer) }
    fileprivate var transactions: [StoreTransaction] { world.store.transactions(of: session.device.customer) }
  }
}

extension ScenarioSubjects.Question {
  static let facts: [ScenarioFact<Self>] = [
    .init("allowed", .yesNo, "Whether it is allowed.") { $0.decision.isAllowed },
    .init("reason", .text, "The reason of the decision.") { $0.decision.reason.rawValue },
    .init("remaining", .amount, "The remaining amount, or unlimited.") {
      $0.isUnlimited ? .text("unlimited") : ScenarioValue($0.decision.remaining)
    },
    .init("used", .number, "The amount used.") { $0.decision.used },
    .init("limit", .amount, "The limit, or unlimited.") { $0.isUnlimited ? .text("unlimited") : ScenarioValue($0.decision.limit) },
    .init("credits", .number, "The number of credits left, bought or given.") { $0.decision.credits },
    .init("resetsAt", .moment, "When the count starts again.") { $0.decision.resetsAt },
    .init("level", .any, "The granted level; beside allowed, reason or error: the requested level.") { $0.decision.level },
    .init("cutoff", .moment, "The date of the oldest visible data.") { $0.decision.cutoff },
    .init("requires", .text, "The item that has to be completed first.") { $0.decision.requires?.description },
    .init("balance", .number, "The number of coins.") { $0.decision.balance },
    .init("price", .number, "The price in coins.") { $0.decision.price },
    .init("unlockedBy", .list, "The products that open it, in order.") { ScenarioValue($0.decision.unlockedBy.map(\.rawValue)) },
    .init("buyingHelps", .yesNo, "Whether a product opens it.") { $0.decision.buyingHelps },
    .init("placement", .text, "The placement of the paywall to show.") { $0.decision.placement?.rawValue },
    .init("validUntil", .moment, "When the answer can change.") { $0.decision.validUntil },
    .init("text", .text, "The English sentence of the decision, as in logs.") { $0.decision.text(for: $0.feature, zone: $0.zone) },
    .init("error", .text, "The reason, when the question has an error.") { $0.decision.isError ? $0.decision.reason.rawValue : nil },
  ]
}

extension ScenarioSubjects.Items {
  static let facts: [ScenarioFact<Self>] = [
    .init("allowedCount", .number, "The number of allowed items.") { $0.allowed },
    .init("deniedCount", .number, "The number of denied items.") { $0.count - $0.allowed },
  ]
}

extension ScenarioSubjects {
  /// The facts of a product's status in a snapshot.
  static let status: [ScenarioFact<ProductStatus>] = [
    .init("owned", .yesNo, "Whether it gives access.") { $0.isOwned },
    .init("state", .one(of: ProductState.allCases.map(\.rawValue)), "The state of the product.") { $0.state.rawValue },
    .init("expires", .moment, "When the period ends or ended.") { $0.expires },
    .init("willRenew", .yesNo, "Whether it renews by itself.") { $0.willRenew },
    .init("renewsInto", .text, "The product of the next period.") { $0.renewsInto?.rawValue },
    .init("graceUntil", .moment, "When the grace period ends.") { $0.graceUntil },
    .init("retryUntil", .moment, "When the store stops trying to renew.") { $0.retryUntil },
    .init("pending", .yesNo, "Whether a purchase waits for an answer.") { $0.isPending },
    .init("ownership", .text, "purchased or familyShared.") { $0.ownership?.rawValue },
    .init("commitment", .facts(.init(commitment)), "The current commitment; null without one.") {
      $0.commitment.map { .object(ScenarioValue.facts(commitment, of: $0)) } ?? .absent
    },
  ]

  static let commitment: [ScenarioFact<RenewalInfo.Commitment>] = [
    .init("payment", .number, "The number of the current payment, from 1.") { $0.payment },
    .init("payments", .number, "The number of payments.") { $0.payments },
    .init("ends", .moment, "When it ends.") { $0.ends },
    .init("willRenew", .yesNo, "Whether another one follows.") { $0.willRenew },
  ]
}

extension ScenarioSubjects.Product {
  static let facts: [ScenarioFact<Self>] =
    ScenarioSubjects.status.map { row in
      ScenarioFact(row.shape.name, row.shape.kind, row.shape.about) { product, asked in row.find(product.status, asked) }
    } + [
      .init("redundant", .yesNo, "Whether it still renews, although the customer owns as much for ever.") { $0.isRedundant },
      .init("finished", .yesNo, "Whether all its purchases are finished at the store.") { $0.isFinished },
      .init(
        "offers", .object(of: .one(of: ["eligible", "ineligible", "unknown"])),
        "Eligibility by the offer's id, or introductory: eligible, ineligible or unknown."
      ) { product, asked in product.offers(asked) },
      .init("priceIncreaseAgreed", .yesNo, "Whether the customer agreed to a price increase; null without a pending one.") { $0.agreed },
    ]

  private var isRedundant: Bool { session.monetizer?.snapshot.redundantSubscriptions.contains(status.product) ?? false }

  /// Whether a device has finished each of the customer's purchases of the product; false when there are none.
  private var isFinished: Bool {
    let customer = session.device.customer
    let bought = world.store.transactions(of: customer).filter { $0.productID == status.product }
    let unfinished = Set(world.store.world.unfinished(of: customer).map(\.transaction.id))
    return !bought.isEmpty && bought.allSatisfy { !unfinished.contains($0.id) }
  }

  /// Whether the customer agreed to a pending price increase; `nil` when there is none.
  private var agreed: Bool? {
    world.store.subscriptions(of: session.device.customer).last { $0.productID == status.product }?.priceIncreaseAgreed
  }

  /// The eligibility for the requested offers, by id; the introductory offer is `introductory`. Unknown means that the store does not have
  /// the offer, or that the device is offline.
  private func offers(_ asked: ScenarioValue) -> ScenarioValue {
    guard case .object(let ids) = asked else { return .absent }
    return .object(
      ids.keys.reduce(into: [:]) { found, id in
        let eligibility =
          session.device.network == .offline
          ? .unknown
          : world.store.eligibility(of: id == "introductory" ? nil : id, for: status.product, customer: session.device.customer)
        found[id] = .text(eligibility.rawValue)
      })
  }
}

extension ScenarioSubjects.Offer {
  static let facts: [ScenarioFact<Self>] = [
    .init("open", .yesNo, "Whether it is open: an \"open\" has shown it, and no \"dismiss\" or end of the app has closed it.") {
      $0.isOpen
    },
    .init("shown", .yesNo, "Whether this paywall would be shown if asked for now.") { $0.shown?.placement == $0.placement },
    .init("placement", .text, "The placement of the paywall that would be shown; null without one.") { $0.shown?.placement.rawValue },
    .init("products", .list, "The products for sale, in order.") {
      ScenarioValue($0.shown?.products.map(\.rawValue) ?? $0.definition?.products?.map(\.rawValue) ?? [])
    },
    .init("title", .text, "The title above the headline.") { $0.words?.title },
    .init("headline", .text, "The headline.") { $0.words?.headline },
    .init("subtitle", .text, "The second line.") { $0.words?.subtitle },
    .init("benefits", .list, "The benefits, each with any of icon, title, description and features.") {
      $0.words?.benefits.map { .list($0.map { .object(ScenarioValue.facts(benefit, of: $0)) }) } ?? .absent
    },
    .init("preselected", .text, "The initially selected product.") { $0.words?.preselected?.rawValue },
    .init("actions", .list, "The actions, in order.") { ScenarioValue(($0.shown?.actions ?? $0.usualActions).map(\.rawValue)) },
    .init("labels", .object(of: .text), "The labels of buttons, by action.") {
      $0.words?.labels.map { .object($0.mapValues(ScenarioValue.text)) } ?? .absent
    },
    .init("badges", .object(of: .text), "The badges of products, by product.") {
      $0.words?.badges.map { .object($0.mapValues(ScenarioValue.text)) } ?? .absent
    },
    .init("purchaseLabel", .text, "The label of the purchase button.") { $0.words?.purchaseLabel },
    .init("trust", .list, "The trust lines, in order.") { ScenarioValue($0.words?.trust ?? []) },
    .init("prompt", .text, "The strength of the prompt.") { $0.words?.prompt },
  ]

  private static let benefit: [ScenarioFact<PaywallDefinition.Benefit>] = [
    .init("icon", .text, "The icon.") { $0.icon }, .init("title", .text, "The title.") { .text($0.title) },
    .init("description", .text, "The description.") { $0.description },
    .init("features", .list, "The features of the benefit.") { ScenarioValue($0.features?.map(\.rawValue) ?? []) },
  ]
}

extension ScenarioSubjects.Step {
  static let facts: [ScenarioFact<Self>] = [
    .init("outcome", .text, "The outcome of the step.") { $0.last.outcome },
    .init("error", .text, "The error of the step.") { $0.last.error },
    .init("newlyAllowed", .number, "The number of questions that the step opened.") {
      $0.opened(from: $0.before, to: $0.session.monetizer?.snapshot)
    },
    .init("noLongerAllowed", .number, "The number of questions that the step closed.") {
      $0.opened(from: $0.session.monetizer?.snapshot, to: $0.before)
    },
    .init("state", .one(of: ["changed", "unchanged"]), "Whether the step changed the stored files.") {
      $0.isUnchanged ? "unchanged" : "changed"
    },
    .init("nothing", .yesNo, "Whether nothing happened.") {
      $0.isUnchanged && $0.isQuiet && $0.before == $0.session.monetizer?.snapshot
    },
    .init("events", .list, "All events of the app since the last such check; each a name or some of its keys.") {
      .list($0.session.takeEvents().map(ScenarioWorld.value))
    },
    .init(
      "log", .log(.init(ScenarioSubjects.notification)),
      "All entries of the store's log since the last such check; each in Apple's words or by some of its facts."
    ) { step, asked in ScenarioSubjects.log(step.world.takeLog(), asked: asked) },
    .init("calls", .object(of: .number, keys: SimulatedDevice.callNames), "The number of calls, by API.") {
      .object($0.session.device.calls.mapValues { ScenarioValue($0) })
    },
    .init("nextChange", .moment, "When the next change by itself is due.") { $0.session.monetizer?.nextChange },
    .init("charged", .money, "The amount that the customer paid.") { .money($0.money.charged) },
    .init("refunded", .money, "The amount that the customer got back.") { .money($0.money.refunded) },
    .init(
      "transactions", .counted(.init(ScenarioSubjects.transaction)),
      "The number of transactions, or the list, each with some of its facts."
    ) { step, asked in
      guard case .list = asked else { return ScenarioValue(step.transactions.count) }
      return .list(step.transactions.map { .object(ScenarioValue.facts(ScenarioSubjects.transaction, of: ($0, step))) })
    },
    .init("granted", .number, "The number of transactions that the app has recorded.") { $0.session.monetizer?.state.transactions.count },
    .init(
      "variant", .object(of: .text), "On or off by overlay, and the arm of this device by experiment."
    ) { $0.session.variants },
    .init("appTransaction", .facts(.init(ScenarioSubjects.appTransaction)), "The app transaction that the step received.") {
      $0.last.appTransaction.map { .object(ScenarioValue.facts(ScenarioSubjects.appTransaction, of: $0)) } ?? .absent
    },
  ]

  private var earlier: ScenarioWorld.StepRecord.Before? { last.before[session.name] }
  fileprivate var before: Snapshot? { earlier?.snapshot }
  private var isUnchanged: Bool { earlier?.stored == session.stored }
  private var isQuiet: Bool { earlier?.eventCount == session.events.count && earlier?.calls == session.device.calls }

  private func opened(from earlier: Snapshot?, to later: Snapshot?) -> Int {
    guard let earlier, let later else { return 0 }
    return later.newlyAllowed(since: earlier).count
  }
}

extension ScenarioSubjects {
  /// The facts of a transaction, with the names of StoreKit.
  static let transaction: [ScenarioFact<(transaction: StoreTransaction, step: Step)>] = [
    .init("id", .text, "t1, t2, …, numbered across all customers.") { $0.transaction.id.rawValue },
    .init("original", .text, "The first transaction's id.") { $0.transaction.originalID.rawValue },
    .init("product", .text, "The product.") { $0.transaction.productID.rawValue },
    .init("state", .one(of: ["purchased", "expired", "upgraded", "revoked"]), "purchased, expired, upgraded or revoked.") {
      let isOver = $0.transaction.expirationDate.map { [now = $0.step.world.store.clock.now] in $0 <= now } ?? false
      return $0.transaction.revocation != nil ? "revoked" : $0.transaction.isUpgraded ? "upgraded" : isOver ? "expired" : "purchased"
    },
    .init("reason", .one(of: ["purchase", "renewal"]), "purchase or renewal.") { $0.transaction.reason?.rawValue },
    .init("purchased", .moment, "When the period begins.") { $0.transaction.purchaseDate },
    .init("expires", .moment, "When the period ends.") { $0.transaction.expirationDate },
    .init("revoked", .moment, "When the store revoked it.") { $0.transaction.revocation?.date },
    .init("revocationReason", .text, "The reason of the revocation.") { $0.transaction.revocation?.reason.rawValue },
    .init("ownership", .text, "purchased or familyShared.") { $0.transaction.ownership.rawValue },
    .init("offer", .text, "The offer's id, or introductory.") { $0.transaction.offer.map { $0.id ?? $0.type.rawValue } },
    .init("quantity", .number, "The quantity.") { $0.transaction.quantity },
    .init("price", .text, "The price, as a decimal string.") { $0.transaction.price?.amountText },
    .init("account", .text, "The account of the app that bought it.") { $0.transaction.account },
    .init("environment", .text, "production or sandbox.") { $0.transaction.environment.rawValue },
  ]

  static let appTransaction: [ScenarioFact<AppTransactionRecord>] = [
    .init("appID", .text, "The app's id.") { $0.appID }, .init("environment", .text, "production or sandbox.") { $0.environment.rawValue },
    .init("originalPurchaseDate", .moment, "When the customer first got it.") { $0.originalPurchaseDate },
    .init("originalAppVersion", .text, "The version that the customer first got.") { $0.originalAppVersion },
  ]

  static let notification: [ScenarioFact<ServerNotification>] = [
    .init("type", .text, "notificationType.") { $0.type.rawValue },
    .init("subtype", .text, "subtype; null for none.") { $0.subtype?.rawValue },
    .init("product", .text, "The product.") { $0.productID.rawValue },
    .init(
      "status", .number,
      "The subscription's status afterwards: 1 active, 2 expired, 3 billing retry, 4 grace, 5 revoked; null for one-time products."
    ) { $0.status?.rawValue },
    .init("expirationIntent", .number, "The reason of the end: 1 cancelled, 2 billing, 3 no consent, 4 unavailable, 5 other.") {
      $0.expirationIntent?.rawValue
    },
    .init("offerType", .number, "1 introductory, 2 promotional, 3 code, 4 win-back.") { $0.offerType },
    .init("offerDiscountType", .text, "FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT or ONE_TIME.") { $0.offerDiscountType },
    .init("transactionReason", .text, "PURCHASE or RENEWAL.") { $0.transactionReason?.rawValue },
    .init("revocationReason", .number, "1 a problem with the app, 0 anything else.") { $0.revocationReason },
    .init("transaction", .text, "The transaction's id.") { $0.transactionID?.rawValue },
    .init("originalTransaction", .text, "The first transaction's id.") { $0.originalTransactionID.rawValue },
    .init("environment", .text, "production or sandbox.") { $0.environment.rawValue },
    .init("customer", .text, "The customer.") { $0.customer.rawValue }, .init("date", .moment, "The date.") { $0.date },
  ]

  /// The log of Apple's server. Each entry has the form of its expectation: words, or some of its facts.
  static func log(_ log: [ServerNotification], asked: ScenarioValue) -> ScenarioValue {
    guard case .list(let asked) = asked else { return ScenarioValue(log.map(words)) }
    return .list(
      log.enumerated().map { index, notification in
        guard index < asked.count, case .object(let keys) = asked[index] else { return .text(words(notification)) }
        return .object(ScenarioValue.facts(self.notification, of: notification).filter { keys[$0.key] != nil })
      })
  }

  /// An entry in Apple's words, such as `DID_RENEW.BILLING_RECOVERY com.example.monthly`.
  static func words(_ notification: ServerNotification) -> String {
    notification.type.rawValue + (notification.subtype.map { ".\($0)" } ?? "") + " \(notification.productID)"
  }
}
