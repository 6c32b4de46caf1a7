// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// What the app brings, and what devices and accounts tell each other.
extension ScenarioVerbs {
  struct Record: ScenarioVerb {
    struct Coins: Sendable { var id = "", earned = 0, spent = 0 }
    struct Limit: Sendable {
      let feature: FeatureID
      /// As a grant writes it; `nil` lifts the limit.
      let amount: String?
    }
    struct Gift: Sendable {
      let id: String
      let entitlements: [EntitlementID]
      let until: Date?
      let isRevoked: Bool
    }
    enum Content: Sendable {
      case completion(ItemPath), coins(Coins), cap(Limit), grant(Gift)
    }

    static let info = ScenarioVerbInfo("record", .app, "A fact that the app brings: one of these.", knowsMembers: true)
    let content: Content

    init(_ keys: StepKeys) {
      let item = keys.optional("completion", .key(.item, "collection/item"), "An item that was finished.")
      let coins = keys.optional("coins", .object("coins", Self.coins), "Coins of one reason, in all.")
      let cap = keys.optional("cap", .object("a cap", Self.cap), "A parent's limit.")
      let gift = keys.optional("grant", .object("a grant", Self.gift), "A gift.")
      keys.exactlyOne(
        of: ["completion", "coins", "cap", "grant"], "\"record\" takes one of \"completion\", \"coins\", \"cap\" and \"grant\".")
      let all: [Content?] = [
        item.map { .completion(ItemPath(stringLiteral: $0)) }, coins.map(Content.coins), cap.map(Content.cap), gift.map(Content.grant),
      ]
      content = all.compactMap { $0 }.first ?? .coins(Coins())
    }

    private static let coins: @Sendable (StepKeys) -> Coins = { keys in
      Coins(
        id: keys.required("id", .text, "The entry's name."),
        earned: keys.optional("earned", .whole(0...Int.max), "How many were earned.") ?? 0,
        spent: keys.optional("spent", .whole(0...Int.max), "How many were spent.") ?? 0)
    }
    private static let cap: @Sendable (StepKeys) -> Limit = { keys in
      let amount = keys.json("amount", "The amount as a grant writes it; absent or null lifts the limit.")
      return Limit(
        feature: keys.required("feature", .feature, "The feature that is asked about."),
        amount: amount.flatMap { $0.isNull ? nil : $0.text() })
    }
    private static let gift: @Sendable (StepKeys) -> Gift = { keys in
      Gift(
        id: keys.required("id", .text, "The gift's name."),
        entitlements: keys.required("entitlements", .list(of: .entitlement), "What is given."),
        until: keys.optional("until", .instant, "When it ends. Absent: never."),
        isRevoked: keys.optional("revoked", .flag, "Whether it is taken back.") ?? false)
    }

    func title(_ names: CatalogWords) -> String {
      switch content {
      case .completion(let item): "complete \(item)"
      case .coins(let coins): "coins of \(coins.id): \(coins.earned) earned, \(coins.spent) spent"
      case .cap(let cap):
        cap.amount.map { "limit \(names.feature(cap.feature)) to \(Self.words(amount: $0))" }
          ?? "lift the limit of \(names.feature(cap.feature))"
      case .grant(let gift): gift.isRevoked ? "take the gift \(gift.id) back" : "give \(gift.id)"
      }
    }

    /// An amount of a grant as a person says it: `"PT30M"` is 30 minutes.
    private static func words(amount: String) -> String {
      let text = amount.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
      return Period(text)?.words ?? text
    }

    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let (monetizer, member) = (try stage.app(), stage.member)
      stage.world.lastStep.remarks = unknown(in: monetizer.effectiveCatalog)
      switch content {
      case .completion(let item): await monetizer.complete(item, by: member)
      case .coins(let coins) where coins.spent == 0: await monetizer.as(member).earn(coins.earned, for: coins.id)
      case .coins(let coins):
        let source = SourceID(stage.session.name)
        await monetizer.record(
          .wallet(WalletEntry(id: coins.id, subject: member.subject, source: source, earned: coins.earned, spent: coins.spent)), by: member)
      case .cap(let cap):
        // Nothing is written for somebody who only looks around.
        if member.role != .demo { await monetizer.limit(cap.feature, to: cap.amount.map(CapAmount.init(json:)), for: member) }
      case .grant(let gift):
        let (known, now) = (monetizer.state.grants[gift.id], stage.device.time.now)
        await monetizer.record(
          .grant(
            ComplimentaryGrant(
              id: gift.id, entitlements: gift.entitlements, from: known?.from ?? now, until: gift.until, isRevoked: gift.isRevoked,
              revision: Revision(now, sequence: (known?.revision.sequence ?? -1) + 1))), by: member)
      }
      return nil
    }

    /// What a fact names that the catalog does not have: it is kept for a catalog that has it, and does nothing with this one.
    private func unknown(in catalog: Catalog) -> [String] {
      switch content {
      case .completion(let item): catalog.items(matching: item.description).isEmpty ? ["the catalog has no item \(item)"] : []
      case .coins: []
      case .cap(let cap): catalog.feature(cap.feature) == nil ? ["the catalog has no feature \(cap.feature)"] : []
      case .grant(let gift):
        gift.entitlements.filter { id in !catalog.entitlements.contains { $0.id == id } }.map { "the catalog has no entitlement \($0)" }
      }
    }
  }

  struct Account: ScenarioVerb {
    static let info = ScenarioVerbInfo("account", .app, "A person signs in or out; another monetizer takes over.")
    /// `nil` for a guest.
    let account: String?
    let policy: HandOverPolicy

    init(_ keys: StepKeys) {
      account = keys.required("to", .account, "The account; null for nobody, a guest.")
      policy =
        keys.optional(
          "policy", .word,
          "What becomes of what was recorded: each keeps their own, the new one gets it and the old one has nothing left, or both have all. "
            + "Absent: keep.") ?? .keep
    }
    func title(_ names: CatalogWords) -> String {
      (account.map { "sign in as \($0)" } ?? "sign out") + (policy == .keep ? "" : ", \(policy.rawValue) what was recorded")
    }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let monetizer = try stage.app()
      do throws(StorageError) { try await stage.session.signIn(as: account, policy, from: monetizer) } catch {
        throw ScenarioProblem(text: error.description)
      }
      // With the old monetizer go its passes.
      stage.world.hands[stage.session.name] = nil
      return nil
    }
  }

  /// One exchange between two devices: a message there, and one back.
  struct Sync: ScenarioVerb {
    enum Loss: String, Sendable, Decodable, CaseIterable { case there, back, both }
    static let info = ScenarioVerbInfo(
      "sync", .app, "Two devices of one account tell each other what they have recorded: a message there, and one back.",
      outcomes: "`exchanged`, `delayed`, `lost`, `offline`")
    let with: String
    let lose: Loss?
    let isDuplicated: Bool
    let delay: Period?

    init(_ keys: StepKeys) {
      with = keys.required("with", .device, "The other device.")
      lose = keys.optional("lose", .word, "Which message gets lost. Absent: none.")
      isDuplicated = keys.optional("duplicate", .flag, "Whether each message arrives twice. Absent: no.") ?? false
      delay = keys.optional("delay", .period, "How long the messages are under way. Absent: no time.")
    }
    func title(_ names: CatalogWords) -> String {
      "exchange with \(with)" + (lose.map { $0 == .both ? ", both lost" : ", lost \($0.rawValue)" } ?? "")
        + (isDuplicated ? ", each twice" : "") + (delay.map { ", \($0.words) under way" } ?? "")
    }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? { try await stage.world.exchange(self, stage.session) }
  }
}

extension ScenarioSort where Value == String? {
  /// An account, or `null` for a guest.
  static let account = ScenarioSort("an account, or null", ["type": ["string", "null"]], or: nil) { value, reading in
    value.isNull ? .some(nil) : reading.reader.decode(String.self, from: value).map { .some($0) }
  }
}
