// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Facts that the app supplies, and exchanges between devices and accounts.
extension ScenarioVerbs {
  struct Record: ScenarioVerb {
    struct Coins: Sendable { var id = "", earned = 0, spent = 0 }
    struct Limit: Sendable {
      let feature: FeatureID
      /// The amount as in a grant; `nil` lifts the limit.
      let amount: String?
    }
    struct Gift: Sendable {
      let id: String
      let entitlements: [EntitlementID]
      let credits: [FeatureID: Int]
      let until: Date?
      let isRevoked: Bool
    }
    enum Content: Sendable {
      case completion(ItemPath), coins(Coins), cap(Limit), grant(Gift)
    }

    static let info = ScenarioVerbInfo("record", .app, "Records one fact.", allowsMembers: true)
    let content: Content

    init(_ keys: StepKeys) {
      let item = keys.optional("completion", .key(.item, "collection/item"), "A finished item.")
      let coins = keys.optional("coins", .object("coins", Self.coins), "The total coins of one reason.")
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
        id: keys.required("id", .name, "The entry's id."),
        earned: keys.optional("earned", .whole(0...Int.max), "The number earned in total.") ?? 0,
        spent: keys.optional("spent", .whole(0...Int.max), "The number spent in total.") ?? 0)
    }
    private static let cap: @Sendable (StepKeys) -> Limit = { keys in
      let amount = keys.json("amount", "The amount as in a grant; absent or null lifts the limit.")
      return Limit(
        feature: keys.required("feature", .feature, "The limited feature."),
        amount: amount.flatMap { $0.isNull ? nil : $0.text() })
    }
    private static let gift: @Sendable (StepKeys) -> Gift = { keys in
      let credits = keys.optional("credits", .map(to: .whole(1...Int.max), naming: .feature), "The given credits, by feature.") ?? [:]
      let entitlements = keys.optional("entitlements", .list(of: .entitlement), "The granted entitlements.") ?? []
      keys.exactlyOne(of: ["entitlements", "credits"], "A gift has either \"entitlements\" or \"credits\".")
      return Gift(
        id: keys.required("id", .name, "The gift's id."), entitlements: entitlements,
        credits: Dictionary(credits.map { (FeatureID($0), $1) }) { first, _ in first },
        until: keys.optional("until", .instant, "When it ends. Absent: never."),
        isRevoked: keys.optional("revoked", .flag, "Whether it is revoked.") ?? false)
    }

    func title(_ names: CatalogWords) -> String {
      switch content {
      case .completion(let item): "complete \(item)"
      case .coins(let coins):
        [(coins.spent == 0 || coins.earned > 0, coins.earned, "earned"), (coins.spent > 0, coins.spent, "spent")]
          .filter(\.0).map { "\(CatalogWords.counted($1, "coin")) \($2)" }.joined(separator: ", ") + " (\(coins.id))"
      case .cap(let cap):
        cap.amount.map {
          $0 == "false" ? "forbid \(names.feature(cap.feature))" : "limit \(names.feature(cap.feature)) to \(Self.words(amount: $0))"
        }
          ?? "lift the limit of \(names.feature(cap.feature))"
      case .grant(let gift) where gift.isRevoked: "take the gift \(gift.id) back"
      case .grant(let gift) where gift.credits.isEmpty: "give \(gift.id)"
      case .grant(let gift):
        "give "
          + gift.credits.sorted { $0.key < $1.key }.map { "+\($1) \(names.feature($0))" }.joined(separator: ", ") + " (\(gift.id))"
      }
    }

    /// An amount of a grant in words: `"PT30M"` is 30 minutes.
    private static func words(amount: String) -> String {
      let text = amount.trimmingCharacters(in: CharacterSet(charactersIn: "\""))
      return Period(text)?.words ?? text
    }

    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let (monetizer, member) = (try stage.app(), stage.member)
      stage.world.lastStep.remarks = unknown(in: monetizer.catalog)
      switch content {
      case .completion(let item): await monetizer.as(member).complete(item)
      case .coins(let coins) where coins.spent == 0: await monetizer.as(member).earn(coins.earned, for: coins.id)
      case .coins(let coins):
        let source = SourceID(stage.session.name)
        await monetizer.record(
          .wallet(WalletEntry(id: coins.id, subject: member.subject, source: source, earned: coins.earned, spent: coins.spent)), by: member)
      case .cap(let cap):
        // A demo user records nothing.
        if member.role != .demo { await monetizer.as(member).limit(cap.feature, to: cap.amount.map(CapAmount.init(json:))) }
      case .grant(let gift):
        let (known, now) = (monetizer.state.grants[gift.id], stage.device.time.now)
        await monetizer.record(
          .grant(
            ComplimentaryGrant(
              id: gift.id, entitlements: gift.entitlements, credits: gift.credits, from: known?.from ?? now, until: gift.until,
              isRevoked: gift.isRevoked, revision: .next(after: known?.revision, at: now))), by: member)
      }
      if case .coins = content {
        stage.world.lastStep.remarks.append("\(CatalogWords.counted(monetizer.as(member).coins, "coin")) in all")
      }
      return nil
    }

    /// Names of a fact that this catalog lacks. The fact is kept for a later catalog, and has no effect with this one.
    private func unknown(in catalog: Catalog) -> [String] {
      switch content {
      case .completion(let item): catalog.items(matching: item.description).isEmpty ? ["the catalog has no item \(item)"] : []
      case .coins: []
      case .cap(let cap): catalog.feature(cap.feature) == nil ? ["the catalog has no feature \(cap.feature)"] : []
      case .grant(let gift):
        gift.entitlements.filter { id in !catalog.entitlements.contains { $0.id == id } }.map { "the catalog has no entitlement \($0)" }
          + gift.credits.keys.sorted().filter { catalog.feature($0) == nil }.map { "the catalog has no feature \($0)" }
      }
    }
  }

  struct Account: ScenarioVerb {
    static let info = ScenarioVerbInfo("account", .app, "Signs in or out, with a new monetizer.")
    /// `nil` for a guest.
    let account: String?
    let policy: HandOverPolicy

    init(_ keys: StepKeys) {
      account = keys.required("to", .account, "The account; null for a guest.")
      policy =
        keys.optional(
          "policy", .word,
          "The recorded facts: each account keeps its own, all move to the new account, or both have all. Absent: keep.") ?? .keep
    }
    func title(_ names: CatalogWords) -> String {
      (account.map { "sign in as \($0)" } ?? "sign out") + (policy == .keep ? "" : ", \(policy.rawValue) what was recorded")
    }
    func perform(_ stage: ScenarioStage) async throws(ScenarioProblem) -> Outcome? {
      let monetizer = try stage.app()
      do throws(StorageError) { try await stage.session.signIn(as: account, policy, from: monetizer) } catch {
        throw ScenarioProblem(text: error.description)
      }
      // Passes belong to the old monetizer.
      stage.world.hands[stage.session.name] = nil
      return nil
    }
  }

  /// An exchange between two devices: a message there and one back.
  struct Sync: ScenarioVerb {
    enum Loss: String, Sendable, Decodable, CaseIterable { case there, back, both }
    static let info = ScenarioVerbInfo(
      "sync", .app, "Exchanges recorded facts between two devices of one account: a message there and one back.",
      outcomes: "`exchanged`, `delayed`, `lost`, `offline`")
    let with: String
    let lose: Loss?
    let isDuplicated: Bool
    let delay: Period?

    init(_ keys: StepKeys) {
      with = keys.required("with", .device, "The other device.")
      lose = keys.optional("lose", .word, "The message that gets lost. Absent: none.")
      isDuplicated = keys.optional("duplicate", .flag, "Whether each message arrives twice. Absent: no.") ?? false
      delay = keys.optional("delay", .period, "The delay of the messages. Absent: none.")
    }
    func title(_ names: CatalogWords) -> String {
      "exchange with \(with)" + (lose.map { $0 == .both ? ", both lost" : ", lost \($0.rawValue)" } ?? "")
        + (isDuplicated ? ", each twice" : "") + (delay.map { ", delayed by \($0.words)" } ?? "")
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
