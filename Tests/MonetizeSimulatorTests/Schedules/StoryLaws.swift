// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Monetize
@testable import MonetizeSimulator

/// Checks the world of a story after each step, and returns the violated law of design.md.
final class StoryLaws {
  struct Device {
    var process: String?
    /// The device has had a complete answer, and every update since.
    var isComplete = false
    var reads = 0
    var eventsAtLaunch = 0
    var events = 0
    /// Uses of the feature that never refills, counted since the disk was wiped.
    var committed = 0
    var hints: Decision?
    var gems: Decision?
    /// The subject of the last check of the future.
    var looked: (version: Int, change: Date?)?
    /// The state whose limits and overlays were checked last.
    var compared: Int?
    /// The features and members that a parent has limited before.
    var capped: Set<Cap.Key> = []
  }

  let watch: StoryWatch
  let shelf: Story.Shelf
  private var catalog: Catalog { shelf.catalog }
  private var devices: [String: Device] = [:]
  private var ends: [CustomerID: [TransactionID: (product: ProductID, end: Date)]] = [:]
  private var hadErrors = false
  private var credits = CreditLaws()
  private var money = MoneyLaws()
  private var amounts: AmountLaw
  private var versions = VersionLaw()
  private(set) var owners = OwnerLaws()
  private var passes: [CustomerID: [TransactionID: StoreTransaction]] = [:]

  init(_ shelf: Story.Shelf, watch: StoryWatch) {
    (self.shelf, self.watch) = (shelf, watch)
    amounts = AmountLaw(shelf.catalog)
  }

  func check(_ world: ScenarioWorld, _ step: ScenarioStep) -> [Violation] {
    let truth = world.store.world
    var found = watch.takeViolations()
    found += world.reportedDisagreements.map { Violation(law: "one-answer", text: $0) }
    world.reportedDisagreements = []
    owners.begin(world, step)
    for session in world.sessions {
      remember(truth, session.device.customer)
      found += check(session, world, truth, step)
    }
    found += owners.check(world, step) + money.check(truth) + versions.check(world, step)
    amounts.look(at: truth, after: step, world.sessions.map(\.version.catalog))
    found += amounts.takeViolations()
    if let session = owners.givenAway { watch.seen.withLock { $0.finished[session] = [] } }
    hadErrors = Self.hasErrors(world.store)
    return found
  }

  private static func hasErrors(_ store: SimulatedStore) -> Bool {
    store.state.withLock { !$0.errors.isEmpty || $0.devices.contains { !$0.errors.isEmpty } }
  }

  private func check(_ session: ScenarioSession, _ world: ScenarioWorld, _ truth: StoreWorld, _ step: ScenarioStep) -> [Violation] {
    var device = devices[session.name] ?? Device()
    defer {
      device.events = session.events.count
      devices[session.name] = device
    }
    if wipes(step, session, world) {
      device.committed = 0
      if step.does(ScenarioVerbs.Reinstall.self)?.keeps == .nothing { credits.wiped(session.name) }
      watch.seen.withLock { seen in
        for owner in seen.finished.keys where owner.device == session.name { seen.finished[owner] = [] }
        if session.monetizer != nil { seen.damaged.insert(session.name) }
      }
    }
    let reads = session.device.calls["read"] ?? 0
    let hasRead = reads > device.reads
    device.reads = reads
    var found = gate(session)
    guard let monetizer = session.monetizer else {
      (device.process, device.isComplete, device.hints, device.gems) = (nil, false, nil, nil)
      credits.ended(on: session.name)
      return found
    }
    if device.process != monetizer.parts.run {
      (device.process, device.isComplete, device.hints, device.gems, device.looked) = (monetizer.parts.run, false, nil, nil, nil)
      device.compared = nil
      device.eventsAtLaunch = device.events
    }
    let known = Set(monetizer.state.transactions.values.map(\.id))
    let truly = Truth(truth, session.device.customer, catalog, known: known, account: session.account, hasRead: hasRead)
    let snapshot = monetizer.snapshot
    device.isComplete = isComplete(device.isComplete, hasRead, snapshot, session, world, truth, truly, step)
    let scene = Scene(session: session, monetizer: monetizer, snapshot: snapshot, truth: truly, now: monetizer.now)
    if device.isComplete { found += whatTheStoreSays(scene, truth, hasRead) }
    found += nothingUnpaid(scene) + nothingLost(scene) + unknownIsNotNo(scene) + onceGranted(scene, device) + quiet(scene, &device)
    found += limits(scene, &device, world, step) + changes(scene, &device, step)
    // Other laws check credits and uses that come from elsewhere.
    if !owners.mixed.contains(session.name) {
      found += credits.check(
        scene, step, outcome: world.lastStep.outcome, elsewhere: Self.finished(besides: session, world), isComplete: device.isComplete)
    }
    if hasRead, device.isComplete { found += delivered(scene, truth, step) }
    return found
  }

  private static func finished(besides session: ScenarioSession, _ world: ScenarioWorld) -> Set<TransactionID> {
    world.sessions.filter { $0.name != session.name && $0.device.customer == session.device.customer }.reduce(into: []) {
      $0.formUnion($1.device.finished)
    }
  }

  /// Steps after which a device may have forgotten facts that only its disk had.
  private func wipes(_ step: ScenarioStep, _ session: ScenarioSession, _ world: ScenarioWorld) -> Bool {
    guard case .act(let verb, let frame) = step.content, frame.device ?? "phone" == session.name else { return false }
    return verb is ScenarioVerbs.Reinstall || step.does(ScenarioVerbs.SetWorld.self)?.changes("damage") == true
  }

  private func isComplete(
    _ was: Bool, _ hasRead: Bool, _ snapshot: Snapshot, _ session: ScenarioSession, _ world: ScenarioWorld, _ truth: StoreWorld,
    _ truly: Truth, _ step: ScenarioStep
  ) -> Bool {
    guard session.device.network == .online, session.device.listenerCount > 0, snapshot.situation.store.hasAnswered else { return false }
    // The device's facts belong to another customer now, or are unassigned, until it reads again.
    if step.does(ScenarioVerbs.Forget.self) != nil || step.does(ScenarioVerbs.SetWorld.self)?.changes("environment") == true {
      return false
    }
    // With wrong signatures no update counts.
    if hadErrors || Self.hasErrors(world.store) { return false }
    guard hasRead else { return was }
    if !world.store.settings.quirks.isDisjoint(with: [.emptyReads, .failedReads, .cancelledReads]) { return was }
    // A delayed listing or read is not an answer yet.
    let listed = Set(truth.answer(for: session.device.customer, app: catalog.app.id).transactions.map(\.transaction.id))
    let isListed = truly.transactions.allSatisfy { transaction in
      listed.contains(transaction.id)
        || (Story.passes[transaction.productID] != nil && session.monetizer?.state.transactions[transaction.id] != nil)
    }
    guard isListed else { return was }
    let grace = session.monetizer?.parts.configuration.listingGrace ?? 0
    let isYoung =
      session.monetizer?.sync.recordedAt.withLock { $0.values.contains { session.device.time.now < $0 + grace } } ?? false
    return was || !isYoung
  }

  /// The products that a customer ever paid for, with the latest end that the store ever announced.
  private func remember(_ truth: StoreWorld, _ customer: CustomerID) {
    let subscriptions = truth.subscriptions(of: customer)
    credits.remember(truth, customer)
    for transaction in truth.transactions(of: customer) where Story.credits[transaction.productID] == nil {
      if Story.passes[transaction.productID] != nil {
        passes[customer, default: [:]][transaction.id] = transaction
        continue
      }
      let known = ends[customer]?[transaction.id]?.end ?? .distantPast
      let chain = subscriptions.first { $0.originalID == transaction.originalID && $0.productID == transaction.productID }
      let end = max(known, transaction.expirationDate ?? .distantFuture, chain?.graceUntil ?? .distantPast)
      ends[customer, default: [:]][transaction.id] = (transaction.productID, end)
    }
    let bought = passes[customer] ?? [:]
    for (id, end) in Truth.passes(Array(bought.values)) {
      if let product = bought[id]?.productID { ends[customer, default: [:]][id] = (product, end) }
    }
  }

  // MARK: The laws

  /// (b) After a complete successful read, all purchases are finished.
  private func delivered(_ scene: Scene, _ truth: StoreWorld, _ step: ScenarioStep) -> [Violation] {
    guard case .act(let verb, let frame) = step.content, frame.device ?? "phone" == scene.session.name,
      ["launch", "relaunch", "foreground", "reinstall"].contains(verb.info.name)
    else { return [] }
    let forged = Set(
      truth.unfinished(of: scene.session.device.customer, app: catalog.app.id).filter { !$0.isVerified }.map(\.transaction.id))
    let left = truth.unfinished(of: scene.session.device.customer, app: catalog.app.id).map(\.transaction).filter {
      !forged.contains($0.id)
    }
    return left.map {
      Violation(
        law: "all-is-delivered",
        text: "\(scene.session.name): \($0.id) of \($0.productID) is not finished after the app has asked for everything.",
        expectation: scene.expects("\"product\": \"\($0.productID)\", \"finished\": true"))
    }
  }

  struct Scene {
    let session: ScenarioSession
    let monetizer: Monetizer
    let snapshot: Snapshot
    let truth: Truth
    let now: Date

    /// Whether a parent has limited the customer, whose credits count within the limit.
    func isCapped(_ feature: FeatureID) -> Bool { monetizer.state.caps[Cap.Key(feature: feature, subject: .customer)]?.amount != nil }

    var owned: Set<ProductID> { Set(snapshot.products.filter(\.isOwned).map(\.product)) }

    func expects(_ feature: FeatureID, credits: Int) -> String {
      // No credits were ever bought, or none count: then there is no number.
      expects("\"feature\": \"\(feature)\", \"credits\": \(credits == 0 ? "null" : "\(credits)")")
    }

    func expects(_ fields: String) -> String { "{ \"expect\": { \(fields) }, \"on\": \"\(session.name)\" }" }
  }

  /// (a) The app allows exactly what the customer has in the store.
  private func whatTheStoreSays(_ scene: Scene, _ truth: StoreWorld, _ hasRead: Bool) -> [Violation] {
    let (owned, now) = (scene.owned, truth.now)
    let apart = abs(scene.now.timeIntervalSince(now))
    var found: [Violation] = []
    // A clock that was set after the last answer can mislead; one within two days of the true time is trusted.
    if apart > 1, !hasRead { return [] }
    let slack: TimeInterval = apart > 1 ? 2 * 86400 + 1 : 0
    if apart <= 1 {
      for product in Story.passes.keys.sorted() where owned.contains(product) && scene.truth.owned(product, at: now) {
        guard let end = scene.truth.end(ofPass: product), let expires = scene.snapshot.status(of: product)?.expires, end != expires else {
          continue
        }
        found.append(
          Violation(
            law: "a-pass-ends-exactly",
            text: "\(scene.session.name): \(product) is paid until \(ISODate.text(end)) and lasts until \(ISODate.text(expires)).",
            expectation: scene.expects("\"product\": \"\(product)\", \"expires\": \"\(ISODate.text(end))\"")))
      }
    }
    for product in catalog.products.map(\.id) where owned.contains(product) != scene.truth.owned(product, at: now) {
      let isOwned = owned.contains(product)
      if slack > 0, scene.truth.owned(product, at: now - slack) == isOwned || scene.truth.owned(product, at: now + slack) == isOwned {
        continue
      }
      found.append(
        Violation(
          law: isOwned ? "nothing-more" : "all-that-is-paid",
          text: "\(scene.session.name): by the store \(product) is \(isOwned ? "not " : "")owned, by the app the opposite.",
          expectation: scene.expects("\"product\": \"\(product)\", \"owned\": \(!isOwned)")))
    }
    return found
  }

  /// (a) Nothing without a purchase that ever gave it.
  private func nothingUnpaid(_ scene: Scene) -> [Violation] {
    let ever = (ends[scene.session.device.customer] ?? [:]).values
    return scene.owned.sorted().filter { product in !ever.contains { $0.product == product && scene.now < $0.end } }.map {
      Violation(
        law: "nothing-unpaid", text: "\(scene.session.name): \($0) is had and was never paid for until now.",
        expectation: scene.expects("\"product\": \"\($0)\", \"owned\": false"))
    }
  }

  /// (b) Finished purchases are known for ever, and known and held ones give access, whatever the reads returned.
  private func nothingLost(_ scene: Scene) -> [Violation] {
    var found: [Violation] = []
    let state = scene.monetizer.state
    for id in watch.seen.withLock({ $0.finished[Owner(scene.session)] ?? [] }).sorted() where state.transactions[id] == nil {
      found.append(Violation(law: "nothing-lost", text: "\(scene.session.name): \(id) was finished and is not known any more."))
    }
    // In another environment than that of the device's last update, its facts do not count.
    let world = scene.snapshot.situation.environment
    for transaction in scene.truth.transactions
    where scene.now < Self.leastEnd(transaction) && world ?? transaction.environment == transaction.environment {
      guard let known = state.transactions[transaction.id], known.revision >= transaction.revision, known.revocation?.reason != .gone,
        !scene.owned.contains(transaction.productID)
      else { continue }
      found.append(
        Violation(
          law: "paid-is-open", text: "\(scene.session.name): \(transaction.id) is known and held, and \(transaction.productID) is not had.",
          expectation: scene.expects("\"product\": \"\(transaction.productID)\", \"owned\": true")))
    }
    return found
  }

  /// The end of a transaction's access by itself.
  private static func leastEnd(_ transaction: StoreTransaction) -> Date {
    if let pass = Story.passes[transaction.productID] { return transaction.purchaseDate + Double(pass.days) * 86400 }
    return transaction.expirationDate ?? .distantFuture
  }

  /// (c) Before an answer, no decision leads to a paywall.
  private func unknownIsNotNo(_ scene: Scene) -> [Violation] {
    guard !scene.snapshot.situation.store.hasAnswered else { return [] }
    let requests = ["hint", "gem", "extras"].map { AccessRequest(FeatureID($0)) } + [AccessRequest("story.play", item: "denny/3")]
    return requests.filter { scene.snapshot.decision(for: $0).placement != nil }.map {
      Violation(
        law: "unknown-is-not-no", text: "\(scene.session.name): \($0.feature) leads to a paywall before the store has answered.",
        expectation: scene.expects("\"feature\": \"\($0.feature)\", \"placement\": null"))
    }
  }

  /// (d) A purchase is announced at most once by a process.
  private func onceGranted(_ scene: Scene, _ device: Device) -> [Violation] {
    let events = scene.session.events
    var announced: [ProductID: Int] = [:]
    for event in events.dropFirst(device.eventsAtLaunch) {
      guard [.purchaseCompleted, .purchaseRestored, .subscriptionRenewed].contains(event.name), let product = event.product else {
        continue
      }
      announced[product, default: 0] += 1
    }
    var bought: [ProductID: Int] = [:]
    for transaction in scene.monetizer.state.transactions.values { bought[transaction.productID, default: 0] += 1 }
    return announced.filter { $0.value > bought[$0.key] ?? 0 }.sorted { $0.key < $1.key }.map {
      Violation(
        law: "granted-once", text: "\(scene.session.name): \($0.key) is announced \($0.value) times, and there are \(bought[$0.key] ?? 0).")
    }
  }

  /// (e) The store is never asked to sell without a pass of the gate.
  private func gate(_ session: ScenarioSession) -> [Violation] {
    let calls = watch.seen.withLock { $0.purchases[session.name] ?? 0 }
    let passes = session.events.filter { $0.name == .gatePassed }.count
    return calls <= passes
      ? [] : [Violation(law: "gate-before-purchase", text: "\(session.name): \(calls) purchases were started with \(passes) passes.")]
  }
}
