// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The result at the parental gate.
enum GateAnswer: String, Sendable, Decodable, CaseIterable {
  case pass, fail, reuse

  /// The words for a title.
  static func words(_ answer: GateAnswer?) -> String {
    switch answer {
    case .pass?: " through the gate"
    case .fail?: ", failing the gate"
    case .reuse?: " with a used pass"
    case nil: ""
    }
  }
}

extension StepKeys {
  fileprivate func gate() -> GateAnswer? {
    optional(
      "gate", .word, "The parental gate: pass, fail, or reuse an old pass. Absent: not used.")
  }
}

/// Paywalls and purchases.
extension ScenarioVerbs {
  struct Open: ScenarioVerb {
    static let info = ScenarioVerbInfo(
      "open", .app, "Taps a feature, or opens the paywall of a placement.",
      outcomes: "`content`, `paywall: <placement>`, `denied: <reason>`, `gateFailed`", allowsMembers: true)
    let placement: PlacementID?
    let request: ScenarioRequest?
    let gate: GateAnswer?

    init(_ keys: StepKeys) {
      placement = keys.optional("placement", .placement, "The placement of the paywall, instead of a feature.")
      request = keys.question(isRequired: keys.isListing ? false : !keys.has("placement"))
      gate = keys.gate()
      if keys.isListing || keys.has("placement") {
        keys.exactlyOne(
          of: ["feature", "placement"],
          "\"open\" takes a \"feature\" or a \"placement\", not both. Remove one.")
      }
      keys.customersOnly(when: .has("placement"))
    }
    func title(_ names: CatalogWords) -> String {
      (placement.map { "open the paywall \($0)" } ?? "tap \(request?.text(names) ?? "")") + GateAnswer.words(gate)
    }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      if let placement { return try await stage.open(gate) { await $0.openPaywall(at: placement) } }
      guard let asked = request else { return nil }
      let request = asked.request(at: stage.device.time.now, in: try stage.app().catalog)
      return try await stage.open(gate) { await $0.as(stage.member).open(request) }
    }
  }

  struct Dismiss: ScenarioVerb {
    static let info = ScenarioVerbInfo(
      "dismiss", .app, "Closes the open paywall, and drops the pass that opened it.")
    let placement: PlacementID?

    init(_ keys: StepKeys) { placement = keys.optional("placement", .placement, "The paywall's placement.") }
    func title(_ names: CatalogWords) -> String { "close the paywall" + (placement.map { " \($0)" } ?? "") }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let app = try stage.app()
      let hand = stage.world.hands[stage.session.name]
      guard let shown = hand?.paywall, placement ?? shown.placement == shown.placement else {
        throw ScenarioProblem(
          text: "No paywall \(placement.map { "\($0) " } ?? "")is open on \(stage.session.name). Open it first.")
      }
      app.closePaywall(shown, pass: hand?.paywallPass, by: stage.member)
      stage.world.hands[stage.session.name]?.close()
      return nil
    }
  }

  struct Restore: ScenarioVerb {
    static let info = ScenarioVerbInfo(
      "restore", .app, "Restores purchases.",
      outcomes: "`restored`, `nothingActive`, `nothingToRestore`, `cancelled`, `failed`, `gateRequired`, `gateFailed`")
    let gate: GateAnswer?

    init(_ keys: StepKeys) { gate = keys.gate() }
    func title(_ names: CatalogWords) -> String { "restore purchases" + GateAnswer.words(gate) }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let monetizer = try stage.app()
      let pass = try await stage.pass(gate)
      if case .refused = pass { return "gateFailed" }
      do throws(GateRequired) {
        let outcome = try await monetizer.restorePurchases(pass: pass.value)
        if case .failed(let error) = outcome { stage.world.lastStep.error = error.code.rawValue }
        return Outcome(outcome.name)
      } catch { return "gateRequired" }
    }
  }

  struct Purchase: ScenarioVerb {
    enum CrashPoint: String, Sendable, Decodable, CaseIterable { case store, grant, finish }
    enum Origin: String, Sendable, Decodable, CaseIterable { case app, promotion, appStore, code }
    static let info = ScenarioVerbInfo(
      "purchase", .app, "Buys a product.",
      outcomes: "`completed`, `alreadyOwned`, `pending`, `cancelled`, `unverified`, `failed`, `gateRequired`, `gateFailed`, `crashed`")
    let product: ProductID
    let offer: String?
    let quantity: Int
    let from: Origin
    let gate: GateAnswer?
    let sheet: Sheet?
    let at: Date?
    let crashAt: CrashPoint?

    init(_ keys: StepKeys) {
      product = keys.required("product", .product, "A product's id.")
      offer = keys.optional("offer", .key(.offer(of: product), "text"), "The offer's id.")
      quantity = keys.optional("quantity", .whole(1...10), "The quantity; more than 1 only for consumables. Absent: 1.") ?? 1
      from = keys.optional("from", .word, "The place of the purchase. Absent: the app.") ?? .app
      gate = keys.gate()
      sheet = keys.optional("sheet", .word, "The result of the store's sheet. Absent: by the settings.")
      at = keys.optional("at", .instant, "The date of a purchase in the past.")
      crashAt = keys.optional(
        "crashAt", .word,
        "The moment of a crash: after the charge, after the durable grant, or after the finish.")
      keys.noEffect(
        ["gate", "at", "crashAt"], when: .is("from", "appStore"),
        "the purchase happens on the App Store, and reaches the app afterwards.")
      keys.noEffect(
        ["gate", "at", "crashAt", "quantity"], when: .is("from", "code"),
        "the store's own sheet redeems a code, and the purchase reaches the app afterwards.")
      keys.needs("offer", when: .is("from", "code"), "A purchase \"from\": \"code\" redeems a code. Name it: \"offer\": \"…\".")
    }

    func title(_ names: CatalogWords) -> String {
      let origin =
        switch from {
        case .app: ""
        case .promotion: " from a promotion"
        case .appStore: " on the App Store"
        case .code: " by code"
        }
      return "buy \(names.product(product))" + (quantity > 1 ? " × \(quantity)" : "") + origin + (offer.map { " with \($0)" } ?? "")
        + GateAnswer.words(gate) + Self.words(sheet) + (crashAt.map { ", crash at \($0.rawValue)" } ?? "")
    }

    private static func words(_ sheet: Sheet?) -> String {
      switch sheet {
      case nil, .confirm?: ""
      case .cancel?: ", cancel the sheet"
      case .askToBuy?: ", ask to buy"
      case .interrupted?: ", interrupted"
      case .unverified?: ", wrong signature"
      }
    }

    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      if quantity > 1, let type = stage.store.type(of: product), type != .consumable {
        throw ScenarioProblem(text: "A \"quantity\" above 1 is only for consumables, and \(product) is not a consumable. Remove it.")
      }
      try checkDate(stage)
      let outcome =
        switch from {
        case .app, .promotion: try await inTheApp(stage)
        case .appStore, .code: await elsewhere(stage)
        }
      if let offer, stage.world.lastStep.error == StoreError.Code.ineligibleForOffer.rawValue {
        let reason = stage.store.reasonAgainst(offer: offer, for: product, customer: stage.customer)
        stage.world.lastStep.remarks += [reason].compactMap { $0 }
      }
      return outcome
    }

    /// Refuses a date that the store has passed in another way already: later than now, or before the end of an earlier period of the group,
    /// unless that is the running one. The customer would pay twice for the same time.
    private func checkDate(_ stage: ScenarioStage) throws(ScenarioProblem) {
      guard let at else { return }
      let products = stage.store.world.products
      func group(_ id: ProductID) -> String? { products.first { $0.id == id }?.terms?.group }
      let now = stage.store.clock.now
      let earlier = group(product).map { own in
        stage.store.transactions(of: stage.customer).filter { group($0.productID) == own && $0.ownership == .purchased }
      }
      let first = earlier?.map { bought in bought.expirationDate.flatMap { $0 <= now ? $0 : nil } ?? bought.purchaseDate }.max()
      guard at > now || at < first ?? at else { return }
      throw ScenarioProblem(
        SimulationError(
          .invalidValue,
          at > now
            ? "A purchase \"at\" \(ISODate.text(at)) would be in the future. Advance to that time instead."
            : "At \(ISODate.text(at)) \(stage.customer) had another period of this group. Write \(ISODate.text(first ?? at)) or later."))
    }

    private func inTheApp(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let (monetizer, session) = (try stage.app(), stage.session)
      let pass = try await stage.pass(gate)
      if case .refused = pass { return "gateFailed" }
      session.device.nextSheet = sheet
      session.buys(at: at)
      // Unused settings of this purchase must not apply to a later one.
      defer {
        session.device.nextSheet = nil
        session.buys(at: nil)
      }
      switch crashAt {
      case .store?: session.dies(.beforeWriting)
      case .grant?: session.dies(.afterWriting)
      case .finish?: session.dies(.afterFinishing)
      case nil: break
      }
      guard let outcome = try? await monetizer.purchase(product, offer: offer, quantity: quantity, pass: pass.value) else {
        session.dies(.none)
        return "gateRequired"
      }
      if crashAt != nil {
        session.quit()
        return "crashed"
      }
      if case .failed(let error) = outcome { stage.world.lastStep.error = error.code.rawValue }
      return Outcome(outcome.name)
    }

    /// Buys on the App Store itself, or in the store's sheet for codes. The app receives it as an update.
    private func elsewhere(_ stage: ScenarioStage) async -> Outcome? {
      stage.device.nextSheet = sheet
      defer { stage.device.nextSheet = nil }
      return await stage.asking { () async throws(StoreError) in
        let result =
          from == .code
          ? try await stage.device.redeemCode(offer ?? "", for: product)
          : try await stage.device.buyOnTheStore(PurchaseRequest(product, offerID: offer, quantity: quantity))
        switch result {
        case .success: return "completed"
        case .pending: return "pending"
        case .userCancelled: return "cancelled"
        }
      }
    }
  }
}

/// The open paywall of a device, its pass, and the last used pass.
struct ScenarioHand {
  var used: GatePass?
  private(set) var paywallPass: GatePass?
  private(set) var paywall: Paywall?

  mutating func show(_ paywall: Paywall, _ pass: GatePass?) { (self.paywall, paywallPass) = (paywall, pass) }
  /// Closes the paywall and drops the pass that opened it.
  mutating func close() { (paywall, paywallPass) = (nil, nil) }
  mutating func takePass() -> GatePass? {
    guard let pass = paywallPass else { return nil }
    (used, paywallPass) = (pass, nil)
    return pass
  }
}

extension ScenarioStage {
  /// The pass at the start of an action behind the gate.
  fileprivate enum Pass {
    case none
    case passed(GatePass)
    case refused

    var value: GatePass? {
      if case .passed(let pass) = self { pass } else { nil }
    }
  }

  /// The app, for a step with a result at the parental gate.
  private func app(withGate gate: GateAnswer?) throws(ScenarioProblem) -> Monetizer {
    let monetizer = try app()
    guard gate != .fail || monetizer.catalog.parentalGate != nil else {
      throw ScenarioProblem(text: "The catalog has no parental gate. Remove \"gate\".")
    }
    return monetizer
  }

  fileprivate func pass(_ gate: GateAnswer?) async throws(ScenarioProblem) -> Pass {
    let monetizer = try app(withGate: gate)
    switch gate {
    // A paywall that was opened behind the gate keeps its pass.
    case nil: return world.hands[session.name]?.takePass().map(Pass.passed) ?? .none
    case .reuse?:
      guard let pass = world.hands[session.name]?.used else {
        throw ScenarioProblem(text: "No pass has been used yet, so there is none to reuse.")
      }
      return .passed(pass)
    case .pass?, .fail?:
      session.atGate(passes: gate == .pass)
      do throws(GateFailed) {
        let pass = try await monetizer.passParentalGate()
        world.hands[session.name, default: ScenarioHand()].used = pass
        return .passed(pass)
      } catch { return .refused }
    }
  }

  fileprivate func open(_ gate: GateAnswer?, _ tap: (Monetizer) async -> Monetizer.Opening) async throws(ScenarioProblem) -> Outcome {
    let monetizer = try app(withGate: gate)
    session.atGate(passes: gate == .pass)
    switch await tap(monetizer) {
    case .content: return "content"
    case .denied(let decision): return Outcome("denied: \(decision.reason)")
    case .gateFailed: return "gateFailed"
    case .paywall(let paywall, let pass):
      world.hands[session.name, default: ScenarioHand()].show(paywall, pass)
      let listings = store.world.storeProducts(for: paywall.products, customer: customer)
      world.lastStep.remarks += world.names(session).lines(paywall, for: monetizer.snapshot, listings: listings)
      return Outcome("paywall: \(paywall.placement)")
    }
  }
}
