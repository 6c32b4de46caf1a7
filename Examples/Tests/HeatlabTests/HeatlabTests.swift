// SPDX-License-Identifier: Apache-2.0
import Foundation
import Heatlab
import Monetize
import MonetizeSimulator
import Stages
import Testing

extension ProductID {
  static let monthly: Self = "com.heatlab.pro.monthly"
  static let annual: Self = "com.heatlab.pro.annual"
}

/// The shipped file; `trial` enables the planned trial.
enum HeatlabFile {
  static func catalog(trial: Bool = false) throws -> Catalog {
    try Catalog(json: trial ? Stage.json("heatlab", ("\"enabled\": false", "\"enabled\": true")) : Stage.json("heatlab"))
  }
}

struct FixedSessions: SessionStore {
  let all: [Session]
  func sessions() -> [Session] { all }
}

@Suite(.timeLimit(.minutes(30)))
struct CatalogTests {
  @Test("HEAT-01, DEF-H10: two lengths of one tier: one group, one level, prices as decimals") func plans() throws {
    let catalog = try HeatlabFile.catalog()
    #expect(catalog.products.map(\.id) == [.monthly, .annual])
    #expect(catalog.products.map { $0.price?.amountText } == ["4.99", "39.99"])
    #expect(catalog.products.compactMap { $0.subscription?.period.description } == ["P1M", "P1Y"])
    #expect(Set(catalog.products.compactMap { $0.subscription?.group }) == ["pro"])
    #expect(Set(catalog.products.compactMap { $0.subscription?.level }) == [1])
  }

  @Test("HEAT-02: eight features, and the rest of the table is the signed matrix") func features() throws {
    let ids = try HeatlabFile.catalog().features.map(\.id)
    #expect(
      ids == [.workoutTracking, .realTimeHeartRate, .history, .baselineComparison, .trends, .periodComparisons, .aiInsights, .cloudSync])
  }

  @Test("DEF-X3, HEAT-37: a catalog needs no server, and a wrong signature gives no Pro") func noServer() async throws {
    let stage = Stage(try HeatlabFile.catalog())
    await stage.monetizer.start()
    #expect(try await stage.buy(.monthly, .unverified) == .unverified)
    #expect(!HeatlabPro(stage.monetizer).isPro && stage.device.finished.isEmpty)
  }
}

@Suite(.timeLimit(.minutes(30)))
struct ProStatusTests {
  @Test(
    "HEAT-23, HEAT-25, AMB-13, DEF-H2, DEF-S2: every state has a name, and isPro follows from it alone", arguments: ProductState.allCases)
  func states(_ state: ProductState) async throws {
    let stage = try #require(try await Stage.at(state, of: .monthly, in: HeatlabFile.catalog(trial: true)))
    let (pro, now) = (HeatlabPro(stage.monetizer), stage.store.clock.now)
    let day = 86400.0
    let expected: (date: Date?, isPro: Bool) =
      switch state {
      case .unknown, .never, .pending: (nil, false)
      case .trial: (now + 7 * day, true)
      case .active: (now + 31 * day, true)
      case .grace: (now + 16 * day, true)
      case .billingRetry: (now + 44 * day, false)
      case .expired: (now - 76 * day, false)
      case .revoked: (now, false)
      }
    let settings = try #require(pro.settings)
    #expect(
      settings.state == state && settings.date == expected.date
        && settings.willRenew == [.trial, .active, .grace, .billingRetry].contains(state))
    #expect(pro.isPro == expected.isPro && settings.isEntitled == expected.isPro)
    #expect(stage.monetizer.allows(.aiInsights) == expected.isPro)
  }

  @Test("HEAT-23, AMB-13: with renewal off, it is Pro until the end of the period, and not after") func notRenewing() async throws {
    let stage = try #require(try await Stage.at(.active, of: .monthly, in: HeatlabFile.catalog()))
    try await stage.store.setAutoRenew(false, product: .monthly, customer: "ann")
    let pro = HeatlabPro(stage.monetizer)
    let end = stage.store.clock.now + 31 * 86400
    #expect(pro.settings?.state == .active && pro.settings?.date == end && pro.settings?.willRenew == false && pro.isPro)
    await stage.store.advance(to: end)
    #expect(pro.settings?.state == .expired && pro.settings?.date == end && !pro.isPro)
  }

  @Test("HEAT-01, XC-02: a change from month to year leaves one status, with Pro throughout") func crossgrade() async throws {
    let stage = try #require(try await Stage.at(.active, of: .monthly, in: HeatlabFile.catalog()))
    let pro = HeatlabPro(stage.monetizer)
    try await stage.buy(.annual)
    #expect(pro.isPro && stage.monetizer.snapshot.products.filter(\.isOwned).count == 1)
    await stage.store.advance(by: Period(months: 1))
    #expect(pro.isPro && stage.monetizer.snapshot.products.filter(\.isOwned).map(\.product) == [.annual])
  }

  @Test("HEAT-23: a gift is Pro without an end and without a subscription") func gift() async throws {
    let stage = Stage(try HeatlabFile.catalog())
    await stage.monetizer.start()
    await stage.monetizer.give([.pro], id: "support")
    #expect(HeatlabPro(stage.monetizer).settings?.isGift == true && HeatlabPro(stage.monetizer).settings?.date == nil)
    #expect(HeatlabPro(stage.monetizer).settings?.actions == [.restore])
  }
}

extension FeatureAccess {
  fileprivate var waitsFor: Reason? { if case .waiting(let decision) = self { decision.reason } else { nil } }
}

@Suite(.timeLimit(.minutes(30)))
struct ProGateTests {
  @Test("HEAT-22, HEAT-24, DEF-H1, DEF-S3: unknown waits, free shows the paywall, Pro shows the content; nothing flashes at launch")
  func threeAnswers() async throws {
    let catalog = try HeatlabFile.catalog()
    let free = Stage(catalog)
    #expect(free.monetizer.access(to: .aiInsights).waitsFor == .unknown)
    await free.monetizer.start()
    guard case .offer(let paywall, _) = free.monetizer.access(to: .aiInsights) else {
      Issue.record("Somebody who has not paid is asked.")
      return
    }
    #expect(paywall.placement == .featureRestricted && paywall.products == [.annual, .monthly] && paywall.request?.feature == .aiInsights)
    try await free.buy(.monthly)
    #expect(free.monetizer.access(to: .aiInsights).isOpen)

    // A second device of the same person: first unknown, then Pro; never a prompt.
    let again = Stage(catalog, store: free.store, device: "new phone")
    #expect(again.monetizer.access(to: .aiInsights).waitsFor == .unknown)
    await again.monetizer.start()
    #expect(again.monetizer.access(to: .aiInsights).isOpen)
  }

  @Test("HEAT-24, DEF-H1: a subscriber sees the content at once after a launch, from stored facts")
  func stored() async throws {
    let storage = MemoryStorage()
    let first = Stage(try HeatlabFile.catalog(), storage: storage)
    await first.monetizer.start()
    try await first.buy(.monthly)
    let second = Stage(try HeatlabFile.catalog(), store: first.store, storage: storage)
    #expect(second.monetizer.access(to: .aiInsights).isOpen && HeatlabPro(second.monetizer).isPro)
  }

  @Test("HEAT-06: a comparison is one of three, each closed for free and open for Pro", arguments: PeriodComparison.allCases)
  func comparisons(_ comparison: PeriodComparison) async throws {
    let stage = Stage(try HeatlabFile.catalog())
    await stage.monetizer.start()
    guard case .offer(let paywall, _) = stage.monetizer.access(to: comparison.feature) else {
      Issue.record("\(comparison) is for Pro.")
      return
    }
    #expect(Set(paywall.products) == [.monthly, .annual])
    try await stage.buy(.annual)
    #expect(stage.monetizer.access(to: comparison.feature).isOpen)
  }

  @Test("HEAT-22: a pending purchase is neither; without a product on sale there is no offer") func others() async throws {
    let waiting = try #require(try await Stage.at(.pending, of: .monthly, in: HeatlabFile.catalog()))
    #expect(waiting.monetizer.access(to: .aiInsights).waitsFor == .pending)
    let off = Stage(try Catalog(json: Stage.json("heatlab", ("\"group\": \"pro\",", "\"group\": \"pro\", \"onSale\": false,"))))
    await off.monetizer.start()
    guard case .closed(let decision) = off.monetizer.access(to: .aiInsights) else {
      Issue.record("Nothing is on sale.")
      return
    }
    #expect(decision.reason == .notOffered)
  }

  @Test("XC-06, DEF-S6: two views share one owner, so a purchase in one shows in the other") func oneOwner() async throws {
    let stage = Stage(try HeatlabFile.catalog())
    await stage.monetizer.start()
    let (list, settings) = (HeatlabPro(stage.monetizer), HeatlabPro(stage.monetizer))
    let old = list.settings
    try await stage.buy(.monthly)
    #expect(list.isPro && settings.isPro && old?.isEntitled == false)
  }
}

@Suite(.timeLimit(.minutes(30)))
struct SessionRepositoryTests {
  private static let day = 86400.0

  private static func repository(_ ages: [Double], _ stage: Stage) -> SessionRepository {
    let now = stage.store.clock.now
    let sessions = ages.enumerated().map { Session(id: $0.offset, start: now - $0.element) }
    return SessionRepository(FixedSessions(all: sessions), for: stage.monetizer)
  }

  @Test("HEAT-04, HEAT-26, AMB-11: seven days are 168 hours and count to the second; Pro sees all") func boundaries() async throws {
    let stage = Stage(try HeatlabFile.catalog())
    await stage.monetizer.start()
    let repository = Self.repository([7 * Self.day - 60, 7 * Self.day, 7 * Self.day + 1, 400 * Self.day], stage)
    #expect(repository.sessions(for: .history).sessions.map(\.id) == [0, 1])
    #expect(repository.sessions(for: .history).hidden == 2)
    try await stage.buy(.monthly)
    #expect(repository.sessions(for: .history).sessions.map(\.id) == [0, 1, 2, 3])
  }

  @Test("HEAT-05, DEF-H8: history and trends have one cutoff, at any moment, across a change of the clocks") func oneCutoff() throws {
    let clock = SimulatedStore(catalog: try HeatlabFile.catalog(), start: Stage.start)
    let stage = Stage(try HeatlabFile.catalog(), store: clock)
    let repository = Self.repository([], stage)
    var random = SystemRandomNumberGenerator()
    for seconds in (0..<1000).map({ _ in Double.random(in: 0...40_000_000, using: &random) }).sorted() {
      let now = Stage.start + seconds
      stage.device.time.set(now)
      let snapshot = stage.monetizer.snapshot
      for feature in [FeatureID("history"), "trends"] {
        #expect(snapshot.decision(for: feature).cutoff == now - 7 * Self.day, "seed \(seconds)")
        #expect(stage.monetizer.decision(for: feature).cutoff == now - 7 * Self.day)
      }
    }
    #expect(repository.window(for: .history).cutoff != nil)
  }

  @Test("HEAT-08, AMB-15: of thirty stored sessions free shows eight, Pro all, and a lapse eight again")
  func nothingIsDeleted() async throws {
    let stage = Stage(try HeatlabFile.catalog())
    await stage.monetizer.start()
    let repository = Self.repository((0..<30).map { Double($0) * Self.day }, stage)
    func check(_ shown: Int) {
      #expect(repository.sessions(for: .history).sessions.count == shown && repository.sessions(for: .history).hidden == 30 - shown)
      #expect(repository.sessions(for: .sync).sessions.count == 30)
    }
    check(8)
    try await stage.buy(.monthly)
    check(30)
    try await stage.store.expire(.monthly, customer: "ann")
    check(8)
  }

  @Test("HEAT-09, DEF-H6: the window limits what is shown, not the baseline and the sync") func purposes() async throws {
    let stage = Stage(try HeatlabFile.catalog())
    await stage.monetizer.start()
    let repository = Self.repository([0, 400 * Self.day], stage)
    let cutoff = stage.store.clock.now - 7 * Self.day
    #expect(SessionPurpose.allCases.map { repository.window(for: $0).cutoff } == [cutoff, cutoff, nil, nil])
    #expect(SessionPurpose.allCases.map { repository.sessions(for: $0).sessions.count } == [1, 1, 2, 2])
  }

  @Test("HEAT-26, DEF-H7: no caller can claim to be Pro: a window comes from the present decision")
  func neverStale() async throws {
    let stage = Stage(try HeatlabFile.catalog())
    let repository = Self.repository([400 * Self.day], stage)
    #expect(repository.sessions(for: .history).sessions.isEmpty)
    await stage.monetizer.start()
    try await stage.buy(.annual)
    #expect(repository.sessions(for: .history).sessions.count == 1)
    try await stage.store.refund(.annual, customer: "ann")
    #expect(repository.sessions(for: .history).sessions.isEmpty)
    // No function of the app has a parameter "is Pro".
    let folder = Stage.root.appendingPathComponent("Examples/Sources/Heatlab")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift") {
      let source = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      for line in source.components(separatedBy: "\n") where line.contains("isPro") {
        #expect(line.contains("var isPro: Bool") || line.contains("let isPro: Bool") || !line.contains("Bool"), "\(file): \(line)")
      }
    }
  }
}

@Suite(.timeLimit(.minutes(30)))
struct SettingsTests {
  @Test("HEAT-28: a status line and the possible actions, in each state", arguments: ProductState.allCases)
  func settings(_ state: ProductState) async throws {
    let stage = try #require(try await Stage.at(state, of: .monthly, in: HeatlabFile.catalog(trial: true)))
    let settings = try #require(HeatlabPro(stage.monetizer).settings)
    let expected: (String, [PaywallAction]) =
      switch state {
      case .unknown: ("Checking…", [.restore])
      case .never: ("Free", [.upgrade, .restore])
      case .pending: ("Waiting for approval", [.restore])
      case .trial: ("Pro, free until 2026-03-08", [.restore, .manage])
      case .active: ("Pro, renews 2026-04-08", [.restore, .manage])
      case .grace: ("Pro until 2026-04-24: the payment failed", [.restore, .manage])
      case .billingRetry: ("The payment failed", [.restore, .manage])
      case .expired: ("Ended 2026-04-08", [.upgrade, .restore])
      case .revoked: ("Refunded 2026-03-01", [.upgrade, .restore])
      }
    #expect(settings.line(in: Calendar.storeCalendar.timeZone) == expected.0)
    #expect(settings.actions == expected.1)
  }
}

@Suite(.timeLimit(.minutes(30)))
struct WatchTests {
  @Test("HEAT-14, DEF-H4, DEF-H9: a running watch gets the update; one that starts later reads the store, without any message")
  func twoDevices() async throws {
    let phone = Stage(try HeatlabFile.catalog(), device: "phone")
    let running = Stage(try HeatlabFile.catalog(), store: phone.store, device: "watch")
    let launched = Stage(try HeatlabFile.catalog(), store: phone.store, device: "other watch")
    let (watch, late) = (HeatlabWatch(running.monetizer), HeatlabWatch(launched.monetizer))
    await phone.monetizer.start()
    await watch.check()
    try await phone.buy(.monthly)
    #expect(watch.pro.isPro)
    await phone.store.advance(by: 20)
    #expect(late.pro.settings?.state == .unknown)
    await late.check()
    #expect(late.pro.isPro && late.pro.monetizer.access(to: .aiInsights).isOpen)
  }

  @Test("HEAT-47: the watch reads only the store, and needs no pending message of the phone")
  func ownChannel() async throws {
    let phone = Stage(try HeatlabFile.catalog(), device: "phone")
    let stage = Stage(try HeatlabFile.catalog(), store: phone.store, device: "watch")
    let watch = HeatlabWatch(stage.monetizer)
    await phone.monetizer.start()
    await watch.check()
    try await phone.store.setNetwork(.offline, device: "watch")
    try await phone.buy(.monthly)
    #expect(!watch.pro.isPro)
    try await phone.store.setNetwork(.online, device: "watch")
    let asked = stage.device.calls["read"] ?? 0
    await watch.check()
    #expect(watch.pro.isPro && stage.device.calls["read"] == asked + 1)
  }

  @Test("HEAT-12, DEF-H11: only a tap on restore asks the person to sign in, once; launches and checks never do") func restore()
    async throws
  {
    let stage = Stage(try HeatlabFile.catalog())
    await HeatlabWatch(stage.monetizer).check()
    await HeatlabWatch(stage.monetizer).check()
    #expect(stage.device.calls["synchronize"] == 0)
    #expect(try await stage.monetizer.restorePurchases() == .nothingToRestore)
    #expect(stage.device.calls["synchronize"] == 1)
  }

  @Test("HEAT-34, DEF-H12: the trial is shown to eligible customers only") func eligibility() async throws {
    let stage = Stage(try HeatlabFile.catalog(trial: true))
    await stage.monetizer.start()
    #expect(try await stage.monetizer.storeProducts().map { $0.introductoryOffer != nil } == [true, true])
    try await stage.buy(.monthly)
    try await stage.store.setAutoRenew(false, customer: "ann")
    await stage.store.advance(by: Period(days: 8))
    #expect(try await stage.monetizer.storeProducts().map { $0.introductoryOffer != nil } == [false, false])
    try await stage.buy(.annual)
    #expect(stage.store.money(of: "ann").charged.map(\.amountText) == ["39.99"])
  }
}
