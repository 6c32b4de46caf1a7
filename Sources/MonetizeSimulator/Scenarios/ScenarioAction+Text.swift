// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension ScenarioAction {
  /// Whose doing it is.
  var kind: ScenarioReport.Entry.Kind {
    switch self {
    case .launch, .quit, .relaunch, .reinstall, .background, .foreground, .open, .openPaywall, .dismiss, .load, .appTransaction, .purchase,
      .restore, .use,
      .record,
      .update, .overlay, .account, .sync:
      .app
    case .approve, .decline, .renewal, .manage, .requestRefund, .family, .refund, .renew, .expire, .extend, .deliver, .forget: .store
    case .set: .world
    }
  }

  /// What happens, in a few words.
  func title(times: Int, _ names: CatalogWords) -> String {
    let often = times > 1 ? " × \(times)" : ""
    return words(names) + often
  }

  private func words(_ names: CatalogWords) -> String {
    func name(_ product: ProductID) -> String { names.product(product) }
    return switch self {
    case .launch(let answers): answers ? "launch" : "launch, no answer from the store yet"
    case .quit(let how): how == .crash ? "crash" : "quit"
    case .relaunch: "relaunch"
    case .reinstall(let keeps): keeps == .secure ? "delete and reinstall" : "delete and reinstall, nothing is kept"
    case .background: "to the background"
    case .foreground: "to the foreground"
    case .open(let request, let gate): "tap \(request.text(names))" + Self.words(gate)
    case .openPaywall(let placement, let gate): "open the paywall \(placement)" + Self.words(gate)
    case .account(let account, let policy):
      (account.map { "sign in as \($0)" } ?? "sign out") + (policy == .keep ? "" : ", \(policy.rawValue) what was recorded")
    case .sync(let sync):
      "exchange with \(sync.with)" + (sync.lose.map { $0 == .both ? ", both lost" : ", lost \($0.rawValue)" } ?? "")
        + (sync.isDuplicated ? ", each twice" : "") + (sync.delay.map { ", \($0.words) under way" } ?? "")
    case .purchase(let purchase):
      "buy \(name(purchase.product))" + (purchase.quantity > 1 ? " × \(purchase.quantity)" : "") + Self.words(purchase.from)
        + (purchase.offer.map { " with \($0)" } ?? "") + Self.words(purchase.gate)
        + (purchase.sheet.map { $0 == .confirm ? "" : ", \(Self.words($0))" } ?? "")
        + (purchase.crashAt.map { ", crash at \($0.rawValue)" } ?? "")
    case .dismiss(let placement): "close the paywall" + (placement.map { " \($0)" } ?? "")
    case .load: "load the products"
    case .appTransaction: "ask how the customer got the app"
    case .restore(let gate): "restore purchases" + Self.words(gate)
    case .use(let use):
      "use \((use.length == nil ? use.request : use.request.counting(1)).text(names))"
        + (use.length.map { " for \($0.words)" } ?? "") + (use.parallel > 1 ? ", \(use.parallel) at once" : "")
        + (use.takes.map { ", taking \($0.words)" } ?? "")
        + (use.work == .succeeds ? "" : ", the work \(use.work.rawValue)")
    case .record(let record): Self.words(record, names)
    case .update: "update the app"
    case .overlay(let overlay): overlay == nil ? "remote configuration is gone" : "remote configuration arrives"
    case .approve(let product): "approve \(name(product))"
    case .decline(let product): "decline \(name(product))"
    case .renewal(let to, let product): "turn renewal \(to.rawValue)" + (product.map { " for \(name($0))" } ?? "")
    case .manage(let product, let to): "turn renewal \(to.rawValue) for \(name(product)), in the app"
    case .requestRefund(let product): "ask for a refund of \(name(product))"
    case .family(let member, let joins): "\(member) \(joins ? "joins" : "leaves") the family"
    case .refund(let product, let part, _, let reverse):
      reverse
        ? "reverse the refund of \(name(product))"
        : part == .none ? "refuse a refund of \(name(product))" : "refund \(name(product))" + (part == .prorated ? ", prorated" : "")
    case .renew(let product): "renew \(name(product)) now"
    case .expire(let product): "expire \(name(product)) now"
    case .extend(let product, let by): "extend \(name(product)) by \(by.words)"
    case .deliver(let times): "deliver everything again" + (times > 1 ? " × \(times)" : "")
    case .forget(let product, let newestOnly):
      product.map { "delete \(newestOnly ? "the newest transaction" : "all transactions") of \(name($0))" } ?? "clear the purchase history"
    case .set(let settings): settings.words(names)
    }
  }

  private static func words(_ gate: GateAnswer?) -> String {
    switch gate {
    case .pass?: " through the gate"
    case .fail?: ", failing the gate"
    case .reuse?: " with a used pass"
    case nil: ""
    }
  }

  private static func words(_ origin: Origin) -> String {
    switch origin {
    case .app: ""
    case .promotion: " from a promotion"
    case .appStore: " on the App Store"
    case .code: " by code"
    }
  }

  private static func words(_ sheet: Sheet) -> String {
    switch sheet {
    case .confirm: "confirm"
    case .cancel: "cancel the sheet"
    case .askToBuy: "ask to buy"
    case .interrupted: "interrupted"
    case .unverified: "wrong signature"
    }
  }

  /// An amount of a grant as a person says it: `"PT30M"` is 30 minutes.
  private static func words(amount: String) -> String {
    let text = amount.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
    return Period(text)?.words ?? text
  }

  private static func words(_ record: Record, _ names: CatalogWords) -> String {
    switch record {
    case .completion(let item): "complete \(item)"
    case .coins(let id, let earned, let spent): "coins of \(id): \(earned) earned, \(spent) spent"
    case .cap(let feature, let amount):
      amount.map { "limit \(names.feature(feature)) to \(words(amount: $0))" } ?? "lift the limit of \(names.feature(feature))"
    case .grant(let id, _, _, let revoked): revoked ? "take the gift \(id) back" : "give \(id)"
    }
  }
}

extension WorldSettings {
  /// What is different from now on.
  func words(_ names: CatalogWords) -> String {
    func name(_ product: String) -> String { names.product(ProductID(product)) }
    var parts: [String] = []
    if let network { parts.append(network.rawValue) }
    if let payment { parts.append("payment \(payment.rawValue)") }
    if let askToBuy { parts.append("Ask to Buy \(askToBuy ? "on" : "off")") }
    if let interruptedPurchases { parts.append("purchases are \(interruptedPurchases ? "" : "not ")interrupted") }
    if let interruptedAnswer { parts.append("interrupted purchases answer \(interruptedAnswer.rawValue)") }
    if let gracePeriodAfter { parts.append("changes of the grace period take \(gracePeriodAfter.words)") }
    if let gracePeriod { parts.append("grace period \(gracePeriod.words)") }
    if let graceFor { parts.append("grace for \(graceFor.rawValue)") }
    if let monthEnd { parts.append("month end \(monthEnd.rawValue)") }
    if let askToBuyLasts { parts.append("requests last \(askToBuyLasts.words)") }
    if let price {
      let what = price.offer.map { "\($0) of \(names.product(price.product))" } ?? names.product(price.product)
      parts.append("\(what) costs \(price.amount)" + (price.storefront.map { " in \($0)" } ?? ""))
    }
    for (product, isOn) in (onSale ?? [:]).sorted(by: { $0.key < $1.key }) {
      parts.append("\(name(product)) \(isOn ? "on" : "not on") sale")
    }
    if let storefront { parts.append("storefront \(storefront)") }
    if let environment { parts.append("environment \(environment)") }
    if let originalPurchaseDate { parts.append("got the app on \(originalPurchaseDate)") }
    if let originalAppVersion { parts.append("got version \(originalAppVersion)") }
    for (api, error) in (errors ?? [:]).sorted(by: { $0.key < $1.key }) {
      let times = error.times.map { " × \($0)" } ?? ""
      parts.append(error.error == "none" ? "\(api) works" : "\(api) fails with \(error.error)\(times)")
    }
    for (quirk, isOn) in (quirks ?? [:]).sorted(by: { $0.key < $1.key }) { parts.append("\(quirk) \(isOn ? "on" : "off")") }
    if let clock { parts.append(clock == "true" ? "the clock is right" : "the clock says \(clock)") }
    if let timeZone { parts.append("in \(timeZone)") }
    if let damage { parts.append("the state file is \(damage == .corrupt ? "damaged" : damage == .truncate ? "cut short" : "deleted")") }
    if let secureStorage { parts.append(secureStorage ? "the app has a secure storage" : "the app has no secure storage") }
    for (product, payments) in (commitment ?? [:]).sorted(by: { $0.key < $1.key }) {
      parts.append("\(name(product)) commits to \(payments) payments")
    }
    for (code, stacks) in (codeStacks ?? [:]).sorted(by: { $0.key < $1.key }) {
      parts.append("\(code) \(stacks ? "comes after" : "takes the place of") the introductory offer")
    }
    for (product, codes) in (codes ?? [:]).sorted(by: { $0.key < $1.key }) {
      for (code, amount) in codes.sorted(by: { $0.key < $1.key }) { parts.append("\(name(product)) costs \(amount) by \(code)") }
    }
    for (code, whom) in (codeFor ?? [:]).sorted(by: { $0.key < $1.key }) { parts.append("\(code) is for \(whom.joined(separator: ", "))") }
    return parts.joined(separator: ", ")
  }
}
