// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// What the person does at the parental gate.
enum GateAnswer: String, Sendable, Decodable, CaseIterable {
  case pass, fail, reuse

  /// In a title, behind what it is about.
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
      "gate", .word, "What the person does at the parental gate: passes, fails, or shows a pass that was used before. Absent: nothing.")
  }
}

/// Paywalls and purchases.
extension ScenarioVerbs {
  struct Open: ScenarioVerb {
    static let info = ScenarioVerbInfo(
      "open", .app, "A tap on a feature, or on the paywall of a placement.",
      outcomes: "`content`, `paywall: <placement>`, `denied: <reason>`, `gateFailed`", knowsMembers: true)
    let placement: PlacementID?
    let request: ScenarioRequest?
    let gate: GateAnswer?

    init(_ keys: StepKeys) {
      placement = keys.optional("placement", .placement, "The paywall that is opened, in place of a feature.")
      request = keys.question(isRequired: keys.isListing ? false : !keys.has("placement"))
      gate = keys.gate()
      if keys.isListing || keys.has("placement") {
        keys.exactlyOne(
          of: ["feature", "placement"],
          "A tap is on a \"feature\" or on the paywall of a \"placement\", not on both. Leave one out.")
      }
      keys.customersOnly(when: .has("placement"))
    }
    func title(_ names: CatalogWords) -> String {
      (placement.map { "open the paywall \($0)" } ?? "tap \(request?.text(names) ?? "")") + GateAnswer.words(gate)
    }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      if let placement { return try await stage.open(gate) { await $0.openPaywall(at: placement) } }
      guard let asked = request else { return nil }
      let request = asked.request(at: stage.device.time.now, in: try stage.app().effectiveCatalog)
      return try await stage.open(gate) { await $0.as(stage.member).open(request) }
    }
  }

  struct Dismiss: ScenarioVerb {
    static let info = ScenarioVerbInfo(
      "dismiss", .app, "The person closes the paywall that is open; the pass that it was opened with is gone.")
    let placement: PlacementID?

    init(_ keys: StepKeys) { placement = keys.optional("placement", .placement, "Its placement.") }
    func title(_ names: CatalogWords) -> String { "close the paywall" + (placement.map { " \($0)" } ?? "") }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let app = try stage.app()
      let hand = stage.world.hands[stage.session.name]
      guard let shown = hand?.paywall, placement ?? shown.placement == shown.placement else {
        throw ScenarioProblem(
          text: "No paywall \(placement.map { "\($0) " } ?? "")is open on \(stage.session.name). Open it before.")
      }
      app.closePaywall(shown, pass: hand?.paywallPass, by: stage.member)
      stage.world.hands[stage.session.name]?.close()
      return nil
    }
  }

  struct Restore: ScenarioVerb {
    static let info = ScenarioVerbInfo(
      "restore", .app, "The person restores purchases.",
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
      "purchase", .app, "A purchase.",
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
      offer = keys.optional("offer", .text, "The offer's id.")
      quantity = keys.optional("quantity", .whole(1...10), "How many; only consumables may be more than one. Absent: 1.") ?? 1
      from = keys.optional("from", .word, "Where the purchase starts. Absent: in the app.") ?? .app
      gate = keys.gate()
      sheet = keys.optional("sheet", .word, "What happens at the store's sheet. Absent: as the world is set.")
      at = keys.optional("at", .instant, "When it was really bought, for a purchase in the past.")
      crashAt = keys.optional(
        "crashAt", .word,
        "When the process dies: after the store has charged, after the grant is durable, after the store heard that it is finished.")
      keys.noEffect(
        ["gate", "at", "crashAt"], when: .is("from", "appStore"),
        "on the App Store itself the app is not asked, and hears of it afterwards.")
      keys.noEffect(
        ["gate", "at", "crashAt", "quantity"], when: .is("from", "code"),
        "a code is redeemed in the store's own sheet, and the app hears of it afterwards.")
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
        throw ScenarioProblem(text: "Only consumables are bought several at once, and \(product) is none. Leave \"quantity\" out.")
      }
      switch from {
      case .app, .promotion: return try await inTheApp(stage)
      case .appStore, .code: return await elsewhere(stage)
      }
    }

    private func inTheApp(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let (monetizer, session) = (try stage.app(), stage.session)
      let pass = try await stage.pass(gate)
      if case .refused = pass { return "gateFailed" }
      session.device.nextSheet = sheet
      session.buys(at: at)
      // What the store was not asked for does not wait for a later purchase.
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

    /// On the App Store itself, or in the store's sheet for codes: the app is not asked, and hears of it as an update.
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

/// What a person has in hand on a device: the paywall that is open, the pass that it holds, and the pass that was used last.
struct ScenarioHand {
  var used: GatePass?
  private(set) var paywallPass: GatePass?
  private(set) var paywall: Paywall?

  mutating func show(_ paywall: Paywall, _ pass: GatePass?) { (self.paywall, paywallPass) = (paywall, pass) }
  /// With the paywall goes the pass that it was opened with.
  mutating func close() { (paywall, paywallPass) = (nil, nil) }
  mutating func takePass() -> GatePass? {
    guard let pass = paywallPass else { return nil }
    (used, paywallPass) = (pass, nil)
    return pass
  }
}

extension ScenarioStage {
  /// What the person has in hand when something behind the gate starts.
  fileprivate enum Pass {
    case none
    case passed(GatePass)
    case refused

    var value: GatePass? {
      if case .passed(let pass) = self { pass } else { nil }
    }
  }

  /// The app, for a step that says what happens at the parental gate.
  private func app(withGate gate: GateAnswer?) throws(ScenarioProblem) -> Monetizer {
    let monetizer = try app()
    guard gate != .fail || monetizer.effectiveCatalog.parentalGate != nil else {
      throw ScenarioProblem(text: "The catalog has no parental gate, so that there is none to fail. Leave \"gate\" out.")
    }
    return monetizer
  }

  fileprivate func pass(_ gate: GateAnswer?) async throws(ScenarioProblem) -> Pass {
    let monetizer = try app(withGate: gate)
    switch gate {
    // From a paywall that was opened behind the gate, its pass is in hand.
    case nil: return world.hands[session.name]?.takePass().map(Pass.passed) ?? .none
    case .reuse?:
      guard let pass = world.hands[session.name]?.used else {
        throw ScenarioProblem(text: "No pass has been used yet, so that none can be used again.")
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
      world.lastStep.remarks += world.names(session).lines(paywall)
      return Outcome("paywall: \(paywall.placement)")
    }
  }
}
