// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import Monetize
@testable import MonetizeSimulator

extension OwnerLaws {
  /// (i) A sign-in or sign-out: each keeps its own facts, both have all, or one has all and the other nothing.
  mutating func handedOver(_ device: String, to account: String?, _ policy: HandOverPolicy, _ moments: [String: Moment]) -> [Violation] {
    guard let before = last[device], let after = moments[device], before.account != account, after.account == account else { return [] }
    let old = Owner(device: device, account: before.account)
    let theirs = known[Owner(device: device, account: account)] ?? Recorded()
    let all = before.recorded.merged(theirs)
    switch policy {
    case .keep: known[old] = before.recorded
    case .share: known[old] = all
    case .transfer:
      // Signing out lifts no restriction.
      known[old] = Recorded()
      known[old]?.settled = before.recorded.caps
      givenAway = old
    }
    guard !unsure.contains(device), !arrived.contains(device) else { return [] }
    let expected = policy == .keep ? theirs : all
    let gain = policy == .share ? gainsNothing(device, before, after) : []
    guard after.recorded.isSame(expected) else {
      let law = [.keep: "each-keeps-their-own", .share: "both-have-all", .transfer: "a-transfer-moves-once"][policy] ?? ""
      return gain + [
        Violation(
          law: law,
          text:
            "\(device), \(before.account ?? "guest") to \(account ?? "guest"): \(after.recorded.settled.count) facts, "
            + "not \(expected.settled.count)."
        )
      ]
    }
    return gain
  }

  /// After a change of accounts under `share`, the rest of a limit that never refills is not larger, unless the other account paid for
  /// more.
  private func gainsNothing(_ device: String, _ before: Moment, _ after: Moment) -> [Violation] {
    guard after.owned.isSubset(of: before.owned), after.recorded.gifts == before.recorded.gifts,
      after.recorded.caps == before.recorded.caps,
      let had = before.hints.remaining.map({ $0 - (before.hints.credits ?? 0) }),
      let has = after.hints.remaining.map({ $0 - (after.hints.credits ?? 0) }), has > had
    else { return [] }
    let most = had + (after.hints.credits ?? 0)
    return [
      Violation(
        law: "sharing-gives-nothing", text: "\(device): \(had) hints were left, and \(has) are since the sign-in.",
        expectation:
          "{ \"expect\": { \"feature\": \"hint\", \"remaining\": { \"atMost\": \(most) } }, \"on\": \"\(device)\" }"
      )
    ]
  }

  /// (j) An exchange: delivered records are known, lost ones are not, and uses add up.
  mutating func exchanged(_ here: String, _ sync: ScenarioVerbs.Sync, _ moments: [String: Moment]) -> [Violation] {
    let there = sync.with
    guard let (a, b) = both(here, there, last), let (left, right) = both(here, there, moments), left.run == a.run, right.run == b.run,
      // Other waiting records were delivered as well.
      partners[here] == [there], partners[there] == [here], (waiting[here] ?? 0) + (waiting[there] ?? 0) == 0, !hadWaiting,
      // Records of a wrong future are not applied immediately.
      abs(left.now.timeIntervalSince(right.now)) < 86400,
      // The uses of a damaged state are unknown, and no exchange restores them.
      [left, right].allSatisfy({ $0.hints.used ?? 0 < Use.unknownAmount })
    else { return [] }
    let all = a.recorded.merged(b.recorded)
    let expected = [sync.lose == .back ? a.recorded : all, sync.lose == .there ? b.recorded : all]
    if sync.lose == nil, let used = all.hintsUsed,
      let (name, moment) = [(here, left), (there, right)].first(where: { $1.hints.used ?? used != used })
    {
      return [
        Violation(law: "uses-add-up", text: "\(name): \(moment.hints.used ?? 0) hints are used, and the two devices used \(used).")
      ]
    }
    for (moment, expected) in zip([left, right], expected) where !moment.recorded.isSame(expected) {
      return [
        Violation(
          law: "an-exchange-is-whole",
          text: "\(here) with \(there): \(moment.recorded.settled.count) facts are known behind it, not \(expected.settled.count).")
      ]
    }
    if sync.lose == nil { equal = [here, there] }
    return []
  }

  private func both(_ here: String, _ there: String, _ moments: [String: Moment]) -> (Moment, Moment)? {
    guard let one = moments[here], let other = moments[there] else { return nil }
    return (one, other)
  }

  /// (k) Devices with equal facts stay equal, whatever earlier records arrive late or twice.
  mutating func stayEqual(_ moments: [String: Moment]) -> [Violation] {
    let devices = equal.sorted()
    guard devices.count == 2, let (one, other) = both(devices[0], devices[1], moments), one.account == other.account else { return [] }
    if one.recorded.isSame(other.recorded) { return [] }
    equal = []
    return [Violation(law: "old-news-changes-nothing", text: "\(devices[0]) and \(devices[1]) knew the same, and do not any more.")]
  }
}
