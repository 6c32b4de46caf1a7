// SPDX-License-Identifier: Apache-2.0
import Foundation
import MagicalStories
import Monetize
import MonetizeSimulator
import Stages

/// The subject of the laws of `SeedCodeTests`: the app, or the code of the document that it was written from.
protocol MonthlyApp {
  var left: Int { get }
  var isPremium: Bool { get }
  /// Whether a subscriber sees the lock just after a launch, before the store's answer.
  var isLockedAtLaunch: Bool { get async throws }
  /// The number of simultaneous taps that made a story.
  func makeAtOnce(_ count: Int) async -> Int
  func subscribe() async throws
  func refundWhileAway() async throws
  /// Makes the renewal fail, with a grace period.
  func paymentFails() async throws
  /// Sets the device's clock.
  func set(_ date: Date)
  /// Lets time pass while the app does not run, then launches it.
  func relaunch(at date: Date?) async throws -> Self
}

/// The document's own logic (002 L109–136, L186–200, L219–223, L425–449, L637–649), without StoreKit and SwiftUI.
final class SeedMagic: MonthlyApp {
  /// The profile on disk, L219–223.
  final class Profile {
    var monthlyStoryCount = 0
    var currentPeriodStart: Date?
    var hasActiveSubscription = false
  }
  /// The App Store: the end of the paid period.
  final class Store { var expires: Date? }
  /// L117–122.
  enum SubscriptionStatus {
    case free
    case premium(expiresAt: Date)
    case expired
  }

  private let profile: Profile
  private let store: Store
  private var now: Date
  /// L114: the initial value, before any request.
  private var status = SubscriptionStatus.free
  /// L428: a new process has a new period, because nothing loads the old one.
  private var periodStart: Date

  init(_ profile: Profile = Profile(), _ store: Store = Store(), now: Date = Stage.start) {
    (self.profile, self.store, self.now, periodStart) = (profile, store, now, now)
    profile.currentPeriodStart = profile.currentPeriodStart ?? now
  }

  // L447: the device's month. L445: read on demand.
  private func resetMonthlyUsageIfNeeded() {
    let calendar = Calendar(identifier: .gregorian)
    guard calendar.component(.month, from: now) != calendar.component(.month, from: periodStart) else { return }
    profile.monthlyStoryCount = 0
    periodStart = now
  }

  private func check() {
    if let expires = store.expires { status = now < expires ? .premium(expiresAt: expires) : .expired }
  }

  var isPremium: Bool {
    if profile.hasActiveSubscription { return true }
    if case .premium = status { return true }
    return false
  }
  var left: Int {
    resetMonthlyUsageIfNeeded()
    return max(0, 3 - profile.monthlyStoryCount)
  }
  var isLockedAtLaunch: Bool { if case .free = SeedMagic(Profile(), store, now: now).status { true } else { false } }

  /// L186–200: each call checks, waits for the generator, and then counts.
  func makeAtOnce(_ count: Int) async -> Int {
    let allowed = (0..<count).filter { _ in isPremium || left > 0 }.count
    profile.monthlyStoryCount += allowed
    return allowed
  }

  func subscribe() {
    store.expires = now + 31 * 86400
    profile.hasActiveSubscription = true
    check()
  }
  func refundWhileAway() { store.expires = nil }

  // L117–122 has a date and no grace; the flag is left out, because the law about refunds tests it.
  func paymentFails() {
    profile.hasActiveSubscription = false
    now = (store.expires ?? now) + 86400
    check()
  }
  func set(_ date: Date) { now = date }
  func relaunch(at date: Date?) -> SeedMagic {
    let next = SeedMagic(profile, store, now: date ?? now)
    next.check()
    return next
  }
}

/// The app, with a lasting disk and store.
struct OurMagic: MonthlyApp {
  let stage: Stage
  let storage: MemoryStorage

  static func launch(_ old: OurMagic? = nil) async throws -> OurMagic {
    let storage = old?.storage ?? MemoryStorage()
    let stage = Stage(try MagicFile.catalog(), store: old?.stage.store, storage: storage)
    await stage.monetizer.start()
    return OurMagic(stage: stage, storage: storage)
  }

  var left: Int { stage.monetizer.decision(for: .story).remaining ?? .max }
  var isPremium: Bool { stage.monetizer.allows(.customThemes) }
  var isLockedAtLaunch: Bool {
    get async throws {
      let early = Stage(try MagicFile.catalog(), store: stage.store).monetizer.decision(for: .customThemes)
      return !early.isAllowed && early.reason != .unknown
    }
  }

  func makeAtOnce(_ count: Int) async -> Int {
    let service = StoryService(Generator(), for: stage.monetizer)
    return await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<count { group.addTask { (try? await service.generate(StoryIdea(id: UUID().uuidString))) != nil } }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
  }

  func subscribe() async throws { try await stage.buy(.monthly) }
  func refundWhileAway() async throws {
    try await stage.store.setNetwork(.offline)
    try await stage.store.refund(.monthly, customer: "ann")
    try await stage.store.setNetwork(.online)
  }
  func paymentFails() async throws {
    try stage.store.setGracePeriod(Period(days: 16))
    await stage.store.setPayment(.fails, customer: "ann")
    if let renewal = stage.store.nextRenewal(of: "ann") { await stage.store.advance(to: renewal + 86400) }
  }
  func set(_ date: Date) { stage.device.time.set(date) }
  func relaunch(at date: Date?) async throws -> OurMagic {
    if let date { await stage.store.advance(to: date) }
    return try await OurMagic.launch(self)
  }
}
