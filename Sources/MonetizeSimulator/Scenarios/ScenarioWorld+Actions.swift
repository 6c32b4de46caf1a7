// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

extension ScenarioWorld {
  /// Does one thing, and says how it ended when that is worth saying.
  func perform(_ action: ScenarioAction, _ frame: ActionFrame, _ session: ScenarioSession) async throws(ScenarioProblem) -> Outcome? {
    switch action {
    case .launch(let answers):
      guard session.monetizer == nil else { throw ScenarioProblem(text: "The app runs already. Use \"relaunch\", or \"quit\" first.") }
      await session.launch(zone: zone, answers: answers)
    case .quit(let how):
      if how == .normal { _ = try app(session) }
      shownPaywalls[session.name] = nil
      session.quit()
    case .relaunch:
      shownPaywalls[session.name] = nil
      session.quit()
      await session.launch(zone: zone, answers: true)
    case .reinstall(let keeps):
      session.reinstall(keepingSecure: keeps == .secure)
      await session.launch(zone: zone, answers: true)
    case .background: _ = try app(session)
    case .foreground:
      let monetizer = try app(session)
      await monetizer.start()
      await monetizer.refresh()
    case .open(let request, let gate):
      let request = request.request(at: session.device.time.now, in: try app(session).effectiveCatalog)
      return try await open(gate, session) { await $0.as(frame.member).open(request) }
    case .openPaywall(let placement, let gate): return try await open(gate, session) { await $0.openPaywall(at: placement) }
    case .purchase(let purchase): return try await buy(purchase, session)
    case .dismiss(let placement): try dismiss(placement, session)
    case .load:
      let monetizer = try app(session)
      do throws(StoreError) { return Outcome("\(try await monetizer.storeProducts().count) products") } catch { return failed(error) }
    case .appTransaction:
      let monetizer = try app(session)
      do throws(StoreError) {
        lastStep.appTransaction = try await monetizer.appTransaction()
        return "answered"
      } catch { return failed(error) }
    case .manage(let product, let to):
      do throws(StoreError) { try await session.device.manageSubscriptions(product, autoRenew: to == .on) } catch { return failed(error) }
    case .requestRefund(let product):
      do throws(StoreError) { try await session.device.requestRefund(product) } catch { return failed(error) }
    case .restore(let gate):
      let monetizer = try app(session)
      let pass = try await self.pass(gate, session)
      if case .refused = pass { return "gateFailed" }
      do throws(GateRequired) {
        let outcome = try await monetizer.restorePurchases(pass: pass.value)
        if case .failed(let error) = outcome { lastStep.error = error.code.rawValue }
        return Outcome(outcome.name)
      } catch { return "gateRequired" }
    case .use(let use): return try await self.use(use, frame.member, session)
    case .record(let record): try await self.record(record, frame.member, session)
    case .update(let patch): try await update(patch, session)
    case .account(let account, let policy):
      let monetizer = try app(session)
      do throws(StorageError) { try await session.signIn(as: account, policy, from: monetizer) } catch {
        throw ScenarioProblem(text: error.description)
      }
      // With the old monetizer go its passes.
      (paywallPass[session.name], usedPass[session.name], shownPaywalls[session.name]) = (nil, nil, nil)
    case .sync(let sync): return try await exchange(sync, session)
    case .overlay(let text): return configure(text, frame.device == nil ? sessions : [session])
    case .approve, .decline, .renewal, .family, .refund, .renew, .expire, .extend, .deliver, .forget:
      try await atStore(action, session)
    case .set(let settings): try await set(settings, session, errorsOn: frame.device == nil ? nil : session.device.id)
    }
    return nil
  }

  private func failed(_ error: StoreError) -> Outcome {
    lastStep.error = error.code.rawValue
    return "failed"
  }

  func app(_ session: ScenarioSession) throws(ScenarioProblem) -> Monetizer {
    guard let monetizer = session.monetizer else {
      throw ScenarioProblem(text: "The app is not running on \(session.name). Add { \"do\": \"launch\" } before.")
    }
    return monetizer
  }

  /// The same, for a step that says what happens at the parental gate.
  private func app(_ session: ScenarioSession, withGate gate: ScenarioAction.GateAnswer?) throws(ScenarioProblem) -> Monetizer {
    let monetizer = try app(session)
    guard gate != .fail || monetizer.effectiveCatalog.parentalGate != nil else {
      throw ScenarioProblem(text: "The catalog has no parental gate, so that there is none to fail. Leave \"gate\" out.")
    }
    return monetizer
  }

  // MARK: The gate

  /// What the person has in hand when something behind the gate starts.
  private enum Pass {
    case none
    case passed(GatePass)
    case refused

    var value: GatePass? {
      if case .passed(let pass) = self { pass } else { nil }
    }
  }

  private func pass(_ gate: ScenarioAction.GateAnswer?, _ session: ScenarioSession) async throws(ScenarioProblem) -> Pass {
    let monetizer = try app(session, withGate: gate)
    switch gate {
    case nil:
      // From a paywall that was opened behind the gate, its pass is in hand.
      guard let pass = paywallPass.removeValue(forKey: session.name) else { return .none }
      usedPass[session.name] = pass
      return .passed(pass)
    case .reuse?:
      guard let pass = usedPass[session.name] else {
        throw ScenarioProblem(text: "No pass has been used yet, so that none can be used again.")
      }
      return .passed(pass)
    case .pass?, .fail?:
      session.atGate(passes: gate == .pass)
      do throws(GateFailed) {
        let pass = try await monetizer.passParentalGate()
        usedPass[session.name] = pass
        return .passed(pass)
      } catch { return .refused }
    }
  }

  private func open(
    _ gate: ScenarioAction.GateAnswer?, _ session: ScenarioSession, _ tap: (Monetizer) async -> Monetizer.Opening
  ) async throws(ScenarioProblem) -> Outcome {
    let monetizer = try app(session, withGate: gate)
    session.atGate(passes: gate == .pass)
    switch await tap(monetizer) {
    case .content: return "content"
    case .denied(let decision): return Outcome("denied: \(decision.reason)")
    case .gateFailed: return "gateFailed"
    case .paywall(let paywall, let pass):
      (paywallPass[session.name], shownPaywalls[session.name]) = (pass, paywall.placement)
      lastStep.remarks += names(session).lines(paywall)
      return Outcome("paywall: \(paywall.placement)")
    }
  }

  /// With the paywall goes the pass that it was opened with.
  private func dismiss(_ placement: PlacementID?, _ session: ScenarioSession) throws(ScenarioProblem) {
    _ = try app(session)
    guard let shown = shownPaywalls[session.name], placement ?? shown == shown else {
      throw ScenarioProblem(text: "No paywall \(placement.map { "\($0) " } ?? "")is open on \(session.name). Open it before.")
    }
    (paywallPass[session.name], shownPaywalls[session.name]) = (nil, nil)
  }

  // MARK: Buying

  private func buy(_ purchase: ScenarioAction.Purchase, _ session: ScenarioSession) async throws(ScenarioProblem) -> Outcome {
    if purchase.quantity > 1, let type = store.type(of: purchase.product), type != .consumable {
      throw ScenarioProblem(text: "Only consumables are bought several at once, and \(purchase.product) is none. Leave \"quantity\" out.")
    }
    if let outcome = await buyElsewhere(purchase, session) { return outcome }
    let monetizer = try app(session)
    let pass = try await self.pass(purchase.gate, session)
    if case .refused = pass { return "gateFailed" }
    session.device.nextSheet = purchase.sheet
    session.buys(at: purchase.at)
    // What the store was not asked for does not wait for a later purchase.
    defer {
      session.device.nextSheet = nil
      session.buys(at: nil)
    }
    switch purchase.crashAt {
    case .store?: session.dies(.beforeWriting)
    case .grant?: session.dies(.afterWriting)
    case .finish?: session.dies(.afterFinishing)
    case nil: break
    }
    guard
      let outcome = try? await monetizer.purchase(purchase.product, offer: purchase.offer, quantity: purchase.quantity, pass: pass.value)
    else {
      session.dies(.none)
      return "gateRequired"
    }
    if purchase.crashAt != nil {
      session.quit()
      return "crashed"
    }
    if case .failed(let error) = outcome { lastStep.error = error.code.rawValue }
    return Outcome(outcome.name)
  }

  /// On the App Store itself, or in the store's sheet for codes: the app is not asked, and hears of it as an update. A promotion is the app's
  /// to go on with, and is bought there like anything else.
  private func buyElsewhere(_ purchase: ScenarioAction.Purchase, _ session: ScenarioSession) async -> Outcome? {
    let result: PurchaseResult
    session.device.nextSheet = purchase.sheet
    defer { session.device.nextSheet = nil }
    do throws(StoreError) {
      switch purchase.from {
      case .app, .promotion: return nil
      case .appStore:
        let request = PurchaseRequest(purchase.product, offerID: purchase.offer, quantity: purchase.quantity)
        result = try await session.device.buyOnTheStore(request)
      case .code: result = try await session.device.redeemCode(purchase.offer ?? "", for: purchase.product)
      }
    } catch { return failed(error) }
    return switch result {
    case .success: "completed"
    case .pending: "pending"
    case .userCancelled: "cancelled"
    }
  }

  private func record(_ record: ScenarioAction.Record, _ member: Member, _ session: ScenarioSession) async throws(ScenarioProblem) {
    let monetizer = try app(session)
    let now = session.device.time.now
    lastStep.remarks = unknown(in: record, monetizer.effectiveCatalog)
    switch record {
    case .completion(let item): await monetizer.complete(item, by: member)
    case .coins(let id, let earned, 0): await monetizer.as(member).earn(earned, for: id)
    case .coins(let id, let earned, let spent):
      await monetizer.record(
        .wallet(WalletEntry(id: id, subject: member.subject, source: SourceID(session.name), earned: earned, spent: spent)), by: member)
    case .cap(let feature, let amount):
      // Nothing is written for somebody who only looks around.
      if member.role != .demo { await monetizer.limit(feature, to: amount.map(CapAmount.init(json:)), for: member) }
    case .grant(let id, let entitlements, let until, let revoked):
      let known = monetizer.state.grants[id]
      await monetizer.record(
        .grant(
          ComplimentaryGrant(
            id: id, entitlements: entitlements, from: known?.from ?? now, until: until, isRevoked: revoked,
            revision: Revision(now, sequence: (known?.revision.sequence ?? -1) + 1))), by: member)
    }
  }

  /// What a fact names that the catalog does not have: it is kept for a catalog that has it, and does nothing with this one.
  private func unknown(in record: ScenarioAction.Record, _ catalog: Catalog) -> [String] {
    switch record {
    case .completion(let item): return Self.items(item.description, catalog).isEmpty ? ["the catalog has no item \(item)"] : []
    case .coins: return []
    case .cap(let feature, _): return catalog.feature(feature) == nil ? ["the catalog has no feature \(feature)"] : []
    case .grant(_, let entitlements, _, _):
      return entitlements.filter { id in !catalog.entitlements.contains { $0.id == id } }.map { "the catalog has no entitlement \($0)" }
    }
  }

  /// A new version of the app on one device: its catalog is the one there, patched.
  private func update(_ patch: JSONValue, _ session: ScenarioSession) async throws(ScenarioProblem) {
    let version: AppVersion
    do throws(CatalogError) { version = try runner.version(session.version, updatedBy: patch) } catch {
      let first = error.diagnostics.first { $0.severity == .error }
      throw ScenarioProblem(text: "The updated catalog cannot be used. \(first?.message ?? "")")
    }
    // What the store sells is set up there, and not by an app: only what it does not know yet comes to it.
    for product in version.catalog.simulatedProducts where !store.sells(product.id) { store.setProduct(product) }
    session.install(version)
    let ran = session.monetizer != nil
    session.quit()
    if ran { await session.launch(zone: zone, answers: true) }
  }

  /// Remote configuration reaches apps: at once where they run, and at each launch from now on. One that breaks a rule changes nothing.
  private func configure(_ text: String?, _ sessions: [ScenarioSession]) -> Outcome {
    do throws(CatalogError) {
      var overlays: [Overlay] = []
      if let text { overlays.append(try Overlay(json: Data(text.utf8))) }
      // Judged before any app hears of it, for those outside its share as well.
      for (overlay, session) in overlays.flatMap({ overlay in sessions.map { (overlay, $0) } }) {
        _ = try session.version.catalog.applying(overlay)
      }
      for session in sessions { try session.configure(overlays) }
      return "applied"
    } catch {
      lastStep.error = error.diagnostics.first?.code.rawValue
      return "refused"
    }
  }
}
