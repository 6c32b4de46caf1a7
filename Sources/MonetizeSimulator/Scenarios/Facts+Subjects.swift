// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// What expectations find facts of.
enum ScenarioSubjects {
  struct Question {
    let decision: Decision
    let feature: Feature?
    let zone: TimeZone

    /// Whether there is no limit where there could be one.
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

  /// A paywall: what it offers now, and the words of the catalog.
  struct Offer {
    let placement: PlacementID
    let shown: Paywall?
    let definition: PaywallDefinition?
    let usualActions: [PaywallAction]
    fileprivate var words: PaywallDefinition? { shown?.definition ?? definition }
  }

  /// The step, the events, the device and the customer.
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
    .init("reason", .text, "Why.") { $0.decision.reason.rawValue },
    .init("remaining", .amount, "How much is left, or unlimited.") {
      $0.isUnlimited ? .text("unlimited") : ScenarioValue($0.decision.remaining)
    },
    .init("used", .number, "How much is used.") { $0.decision.used },
    .init("limit", .amount, "The limit, or unlimited.") { $0.isUnlimited ? .text("unlimited") : ScenarioValue($0.decision.limit) },
    .init("credits", .number, "How many bought credits are left.") { $0.decision.credits },
    .init("resetsAt", .moment, "When it starts again.") { $0.decision.resetsAt },
    .init("level", .any, "The granted level; beside allowed, reason or error the level that is asked for.") { $0.decision.level },
    .init("cutoff", .moment, "The date from which things are shown.") { $0.decision.cutoff },
    .init("requires", .text, "The item that has to be completed first.") { $0.decision.requires?.description },
    .init("balance", .number, "Coins there are.") { $0.decision.balance },
    .init("price", .number, "Coins it costs.") { $0.decision.price },
    .init("unlockedBy", .list, "The products that open it, in order.") { ScenarioValue($0.decision.unlockedBy.map(\.rawValue)) },
    .init("buyingHelps", .yesNo, "Whether a product opens it.") { $0.decision.buyingHelps },
    .init("placement", .text, "The paywall that belongs to the denial.") { $0.decision.placement?.rawValue },
    .init("validUntil", .moment, "Until when the answer holds.") { $0.decision.validUntil },
    .init("text", .text, "The sentence for a person.") { $0.decision.text(for: $0.feature, zone: $0.zone) },
    .init("error", .text, "The reason when it is an error in the question.") { $0.decision.isError ? $0.decision.reason.rawValue : nil },
  ]
}

extension ScenarioSubjects.Items {
  static let facts: [ScenarioFact<Self>] = [
    .init("allowedCount", .number, "How many of the items are allowed.") { $0.allowed },
    .init("deniedCount", .number, "How many are not.") { $0.count - $0.allowed },
  ]
}

extension ScenarioSubjects {
  /// Where a snapshot says that the customer stands with a product.
  static let status: [ScenarioFact<ProductStatus>] = [
    .init("owned", .yesNo, "Whether it gives access.") { $0.isOwned },
    .init("state", .one(of: ProductState.allCases.map(\.rawValue)), "Where the customer stands.") { $0.state.rawValue },
    .init("expires", .moment, "When the period ends or ended.") { $0.expires },
    .init("willRenew", .yesNo, "Whether it renews by itself.") { $0.willRenew },
    .init("renewsInto", .text, "What it renews into.") { $0.renewsInto?.rawValue },
    .init("graceUntil", .moment, "Until when access is kept after a failed renewal.") { $0.graceUntil },
    .init("retryUntil", .moment, "Until when the store tries to renew.") { $0.retryUntil },
    .init("pending", .yesNo, "Whether a purchase waits for somebody.") { $0.isPending },
    .init("ownership", .text, "Who owns it.") { $0.ownership?.rawValue },
    .init("commitment", .facts(.init(commitment)), "The commitment that it is in; null without one.") {
      $0.commitment.map { .object(ScenarioValue.facts(commitment, of: $0)) } ?? .absent
    },
  ]

  static let commitment: [ScenarioFact<RenewalInfo.Commitment>] = [
    .init("payment", .number, "Which of its payments the current period is, from 1.") { $0.payment },
    .init("payments", .number, "How many there are.") { $0.payments },
    .init("ends", .moment, "When it ends.") { $0.ends },
    .init("willRenew", .yesNo, "Whether another one follows.") { $0.willRenew },
  ]
}

extension ScenarioSubjects.Product {
  static let facts: [ScenarioFact<Self>] =
    ScenarioSubjects.status.map { row in
      ScenarioFact(row.shape.name, row.shape.kind, row.shape.about) { product, asked in row.find(product.status, asked) }
    } + [
      .init("finished", .yesNo, "Whether all its purchases are finished at the store.") { $0.isFinished },
      .init(
        "offers", .object(of: .one(of: ["eligible", "ineligible", "unknown"])),
        "Who may use which offer: eligible, ineligible or unknown, by the offer's id; introductory is the introductory one."
      ) { product, asked in product.offers(asked) },
      .init("priceIncreaseAgreed", .yesNo, "Whether the customer agreed to a price rise; null when none waits.") { $0.agreed },
    ]

  /// Whether all of the customer's purchases of it are finished on the device; false when there are none.
  private var isFinished: Bool {
    let bought = world.store.transactions(of: session.device.customer).filter { $0.productID == status.product }
    return !bought.isEmpty && bought.allSatisfy { session.device.finished.contains($0.id) }
  }

  /// Whether the customer agreed to a higher price; `nil` when there is none.
  private var agreed: Bool? {
    world.store.subscriptions(of: session.device.customer).last { $0.productID == status.product }?.priceIncreaseAgreed
  }

  /// Who may use which offer, of those that are asked about: by their ids, the introductory one as `introductory`. Unknown is what the store
  /// does not have, and everything while the device does not reach it.
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
    .init("shown", .yesNo, "Whether it is the one that is shown.") { $0.shown?.placement == $0.placement },
    .init("placement", .text, "The placement of the paywall that is shown; null when none is.") { $0.shown?.placement.rawValue },
    .init("products", .list, "The products that it sells, in order.") {
      ScenarioValue($0.shown?.products.map(\.rawValue) ?? $0.definition?.products?.map(\.rawValue) ?? [])
    },
    .init("title", .text, "A title above everything.") { $0.words?.title },
    .init("headline", .text, "Its headline.") { $0.words?.headline },
    .init("subtitle", .text, "The second line.") { $0.words?.subtitle },
    .init("benefits", .list, "Why to buy, each some of icon, title, description and features.") {
      $0.words?.benefits.map { .list($0.map { .object(ScenarioValue.facts(benefit, of: $0)) }) } ?? .absent
    },
    .init("preselected", .text, "The product that is selected at first.") { $0.words?.preselected?.rawValue },
    .init("actions", .list, "Its actions, in order.") { ScenarioValue(($0.shown?.actions ?? $0.usualActions).map(\.rawValue)) },
    .init("labels", .object(of: .text), "The words on buttons, by action.") {
      $0.words?.labels.map { .object($0.mapValues(ScenarioValue.text)) } ?? .absent
    },
    .init("purchaseLabel", .text, "What stands beside the purchase button.") { $0.words?.purchaseLabel },
    .init("trust", .list, "Lines that build trust.") { ScenarioValue($0.words?.trust ?? []) },
    .init("prompt", .text, "How insistently it is shown.") { $0.words?.prompt },
  ]

  private static let benefit: [ScenarioFact<PaywallDefinition.Benefit>] = [
    .init("icon", .text, "Its icon.") { $0.icon }, .init("title", .text, "Its title.") { .text($0.title) },
    .init("description", .text, "Its sentence.") { $0.description },
    .init("features", .list, "The features that it is about.") { ScenarioValue($0.features?.map(\.rawValue) ?? []) },
  ]
}

extension ScenarioSubjects.Step {
  static let facts: [ScenarioFact<Self>] = [
    .init("outcome", .text, "How the step ended.") { $0.last.outcome }, .init("error", .text, "The error of the step.") { $0.last.error },
    .init("newlyAllowed", .number, "How much was opened by the step.") { $0.opened(from: $0.before, to: $0.session.monetizer?.snapshot) },
    .init("noLongerAllowed", .number, "How much was closed by it.") { $0.opened(from: $0.session.monetizer?.snapshot, to: $0.before) },
    .init("state", .one(of: ["changed", "unchanged"]), "Whether what is stored was changed or unchanged.") {
      $0.isUnchanged ? "unchanged" : "changed"
    },
    .init("nothing", .yesNo, "That nothing happened.") {
      $0.isUnchanged && $0.isQuiet && $0.before == $0.session.monetizer?.snapshot
    },
    .init("events", .list, "The app's events since last asked, exactly; each a name or some of its keys.") {
      .list($0.session.takeEvents().map(ScenarioWorld.value))
    },
    .init(
      "log", .log(.init(ScenarioSubjects.notification)),
      "The store's log in Apple's words since last asked, exactly; each in words or by some of its facts."
    ) { step, asked in ScenarioSubjects.log(step.world.takeLog(), asked: asked) },
    .init("calls", .object(of: .number, keys: SimulatedDevice.callNames), "How often each API was called.") {
      .object($0.session.device.calls.mapValues { ScenarioValue($0) })
    },
    .init("nextChange", .moment, "When something changes by itself next.") { $0.session.monetizer?.nextChange },
    .init("charged", .money, "What the customer paid.") { .money($0.money.charged) },
    .init("refunded", .money, "What the customer got back.") { .money($0.money.refunded) },
    .init(
      "transactions", .counted(.init(ScenarioSubjects.transaction)),
      "How many transactions there are; or the list of them, each with some of its facts."
    ) { step, asked in
      guard case .list = asked else { return ScenarioValue(step.transactions.count) }
      return .list(step.transactions.map { .object(ScenarioValue.facts(ScenarioSubjects.transaction, of: ($0, step))) })
    },
    .init("granted", .number, "How many transactions the app has recorded.") { $0.session.monetizer?.state.transactions.count },
    .init(
      "variant", .object(of: .text), "From overlays to on or off, and from experiments to the arm of this device."
    ) { $0.session.variants },
    .init("appTransaction", .facts(.init(ScenarioSubjects.appTransaction)), "What the step was told of how the customer got the app.") {
      $0.last.appTransaction.map { .object(ScenarioValue.facts(ScenarioSubjects.appTransaction, of: $0)) } ?? .absent
    },
  ]

  fileprivate var before: Snapshot? { last.before[session.name] }
  private var isUnchanged: Bool { last.states[session.name] == session.stored }
  private var isQuiet: Bool {
    last.eventCount[session.name] == session.events.count && last.calls[session.name] == session.device.calls
  }

  private func opened(from earlier: Snapshot?, to later: Snapshot?) -> Int {
    guard let earlier, let later else { return 0 }
    return later.newlyAllowed(since: earlier).count
  }
}

extension ScenarioSubjects {
  /// A transaction as Apple's test session shows it, in the words of StoreKit.
  static let transaction: [ScenarioFact<(transaction: StoreTransaction, step: Step)>] = [
    .init("id", .text, "t1, t2, …, counted over all customers.") { $0.transaction.id.rawValue },
    .init("original", .text, "The first transaction's id.") { $0.transaction.originalID.rawValue },
    .init("product", .text, "The product.") { $0.transaction.productID.rawValue },
    .init("state", .one(of: ["purchased", "expired", "upgraded", "revoked"]), "purchased, expired, upgraded or revoked.") {
      let isOver = $0.transaction.expirationDate.map { [now = $0.step.world.store.clock.now] in $0 <= now } ?? false
      return $0.transaction.revocation != nil ? "revoked" : $0.transaction.isUpgraded ? "upgraded" : isOver ? "expired" : "purchased"
    },
    .init("reason", .one(of: ["purchase", "renewal"]), "purchase or renewal.") {
      let isRenewal = $0.step.world.store.world.isRenewal($0.transaction.id, customer: $0.step.session.device.customer)
      return isRenewal ? "renewal" : "purchase"
    },
    .init("purchased", .moment, "When its period begins.") { $0.transaction.purchaseDate },
    .init("expires", .moment, "When it ends.") { $0.transaction.expirationDate },
    .init("revoked", .moment, "When the store took it back.") { $0.transaction.revocation?.date },
    .init("revocationReason", .text, "Why.") { $0.transaction.revocation?.reason.rawValue },
    .init("ownership", .text, "Who owns it.") { $0.transaction.ownership.rawValue },
    .init("offer", .text, "The offer's id, or introductory.") { $0.transaction.offer.map { $0.id ?? $0.type.rawValue } },
    .init("quantity", .number, "How many.") { $0.transaction.quantity },
    .init("price", .text, "What it cost, as a decimal string.") { $0.transaction.price?.amountText },
    .init("account", .text, "The app's account that it was bought for.") { $0.transaction.account },
    .init("environment", .text, "production or sandbox.") { $0.transaction.environment.rawValue },
  ]

  static let appTransaction: [ScenarioFact<AppTransactionRecord>] = [
    .init("appID", .text, "The app.") { $0.appID }, .init("environment", .text, "production or sandbox.") { $0.environment.rawValue },
    .init("originalPurchaseDate", .moment, "When the customer first got it.") { $0.originalPurchaseDate },
    .init("originalAppVersion", .text, "Which version that was.") { $0.originalAppVersion },
  ]

  static let notification: [ScenarioFact<ServerNotification>] = [
    .init("type", .text, "notificationType.") { $0.type.rawValue },
    .init("subtype", .text, "subtype; null for none.") { $0.subtype?.rawValue },
    .init("product", .text, "The product.") { $0.productID.rawValue },
    .init(
      "status", .number,
      "The subscription's status afterwards: 1 active, 2 expired, 3 billing retry, 4 grace, 5 revoked; null for one-time products."
    ) { $0.status?.rawValue },
    .init("expirationIntent", .number, "Why it ended: 1 cancelled, 2 billing, 3 no consent, 4 unavailable, 5 other.") {
      $0.expirationIntent?.rawValue
    },
    .init("offerType", .number, "1 introductory, 2 promotional, 3 code, 4 win-back.") { $0.offerType },
    .init("offerDiscountType", .text, "FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT or ONE_TIME.") { $0.offerDiscountType },
    .init("transactionReason", .text, "PURCHASE or RENEWAL.") { $0.transactionReason?.rawValue },
    .init("revocationReason", .number, "1 a problem with the app, 0 anything else.") { $0.revocationReason },
    .init("transaction", .text, "The transaction's id.") { $0.transactionID?.rawValue },
    .init("originalTransaction", .text, "The first transaction's id.") { $0.originalTransactionID.rawValue },
    .init("environment", .text, "production or sandbox.") { $0.environment.rawValue },
    .init("customer", .text, "Whose.") { $0.customer.rawValue }, .init("date", .moment, "When.") { $0.date },
  ]

  /// What Apple's server said, each entry as it is asked for: in words, or by some of its facts.
  static func log(_ log: [ServerNotification], asked: ScenarioValue) -> ScenarioValue {
    guard case .list(let asked) = asked else { return ScenarioValue(log.map(words)) }
    return .list(
      log.enumerated().map { index, notification in
        guard index < asked.count, case .object(let keys) = asked[index] else { return .text(words(notification)) }
        return .object(ScenarioValue.facts(self.notification, of: notification).filter { keys[$0.key] != nil })
      })
  }

  /// `DID_RENEW.BILLING_RECOVERY com.example.monthly`, in Apple's words.
  static func words(_ notification: ServerNotification) -> String {
    notification.type.rawValue + (notification.subtype.map { ".\($0)" } ?? "") + " \(notification.productID)"
  }
}
