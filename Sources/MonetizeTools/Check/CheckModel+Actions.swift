// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension CheckModel {
  /// A day after an end, when the store has reported it.
  private static let settled = 86400

  private struct Alike: Hashable {
    let first: Int
    let purchase: CheckState.Purchase
  }

  /// The possible next actions in a state, with the resulting states.
  func successors(of state: CheckState, _ answers: CheckAnswers, _ cache: CheckCache) -> [(CheckAction, CheckState)] {
    var found: [(CheckAction, CheckState)] = []
    // Tries only the first of several interchangeable products that are in the same state.
    var seen: Set<Alike> = []
    for index in catalog.products.indices where seen.insert(Alike(first: first[index], purchase: state.purchases[index])).inserted {
      if let next = buying(index, state) { found.append((.buy(index), next)) }
      if let next = lapsing(index, state, answers.ends[index]) { found.append((.lapse(index), next)) }
      if state.purchases[index].standing == .active { found.append((.refund(index), refunding(index, state))) }
    }
    // A use that the free tier alone allows needs no purchase.
    let free = state.hasActive ? cache.answers(state.factsWithoutPurchases, self).meters : answers.meters
    for (index, feature) in metered.enumerated() {
      guard let meter = answers.meters[index] else { continue }
      found += using(feature, state, meter, free: free[index])
    }
    if let next = passing(state, answers.nextChange) { found.append((.nextChange, next)) }
    if !state.isReinstalled && !state.uses.isEmpty { found.append((.reinstall, reinstalling(state))) }
    return found
  }

  private func buying(_ index: Int, _ state: CheckState) -> CheckState? {
    let product = catalog.products[index]
    let before = state.purchases[index]
    let isConsumable = type(of: product.kind).sellsCredits
    guard product.isOnSale, product.storeType != .none, isConsumable ? before.quantity < 2 : before.standing != .active else { return nil }
    // The store sells a trial once.
    if product.storeType == .nonConsumable, before.standing == .ended { return nil }
    var next = state
    var purchase = CheckState.Purchase(standing: .active, since: state.now, quantity: isConsumable ? before.quantity + 1 : 1)
    if let terms = product.subscription {
      for other in state.purchases.active where other != index {
        guard let running = catalog.products[other].subscription, running.group == terms.group else { continue }
        // A lower plan begins after the higher one ends: nothing changes now.
        if terms.level > running.level { return nil }
        next.purchases[other].standing = .replaced
      }
      let introduction = hasIntroduction(index, state) ? terms.introductoryOffer?.period : nil
      purchase.end = seconds((introduction ?? terms.period).added(to: date(state.now), in: .storeCalendar))
      if introduction != nil { purchase.introductionEnd = purchase.end }
    }
    next.purchases[index] = purchase
    return next
  }

  /// Whether the store offers the introductory offer: once per group, also to a subscriber of a plan without one.
  func hasIntroduction(_ index: Int, _ state: CheckState) -> Bool {
    guard let terms = catalog.products[index].subscription, terms.introductoryOffer != nil else { return false }
    return !state.purchases.made.contains { entry in
      let other = catalog.products[entry.product].subscription
      return other?.group == terms.group && other?.introductoryOffer != nil
    }
  }

  /// The end of something paid for a time: the customer turns renewal off, or a pass ends.
  private func lapsing(_ index: Int, _ state: CheckState, _ accessEnd: Int?) -> CheckState? {
    guard state.purchases[index].standing == .active, state.changes < options.changes else { return nil }
    let end = catalog.products[index].subscription != nil ? state.purchases[index].end : accessEnd
    guard let end, end < 400 * 86400 * 10 else { return nil }
    var next = state
    next.now = max(state.now, end) + Self.settled
    next.changes += 1
    next.purchases[index].standing = .ended
    renew(&next)
    return next
  }

  /// Of a consumable that was bought twice, the later purchase.
  private func refunding(_ index: Int, _ state: CheckState) -> CheckState {
    var next = state
    next.purchases[index].quantity -= 1
    if next.purchases[index].quantity == 0 { next.purchases[index].standing = .refunded }
    return next
  }

  /// A single use, and all remaining uses at once.
  private func using(_ feature: Int, _ state: CheckState, _ meter: CheckAnswers.Meter, free: CheckAnswers.Meter?) -> [(
    CheckAction, CheckState
  )] {
    let left = meter.left ?? 1
    let before = state.uses.filter { $0.feature == feature && $0.at == state.now }.reduce(0) { $0 + $1.amount }
    // Up to three single uses show the effect of one more; a use that has no effect on the count is not repeated.
    let amounts = (before < (meter.left == nil ? 1 : 3) ? [1] : []) + (left > 1 ? [left] : [])
    return amounts.compactMap { amount in
      guard let metering = amount == 1 ? meter.one : meter.all else { return nil }
      var next = state
      var use = CheckState.Uses(feature: feature, at: state.now, day: metering.day, amount: amount)
      (use.isCounted, use.credits) = (metering.isCounted, metering.credits)
      // Credits pay for what the free tier does not cover.
      use.unpaid = [amount, amount - use.credits].first { free?.allows($0) == true } ?? 0
      let same = next.uses.firstIndex { known in
        (known.feature, known.at, known.isCounted, known.unpaid == known.amount, known.isForgotten) == (
          use.feature, use.at, use.isCounted, use.unpaid == amount, false
        ) && (known.credits > 0) == (use.credits > 0)
      }
      if let same {
        next.uses[same].amount += amount
        next.uses[same].credits += use.credits
        next.uses[same].unpaid += use.unpaid
      } else {
        next.uses.append(use)
        next.uses.sort()
      }
      return (.use(feature: feature, amount: amount), next)
    }
  }

  private func passing(_ state: CheckState, _ change: Int?) -> CheckState? {
    guard state.changes < options.changes, let change else { return nil }
    var next = state
    next.now = max(state.now + 1, change)
    next.changes += 1
    renew(&next)
    return next
  }

  /// Renews the active plans.
  private func renew(_ state: inout CheckState) {
    for index in state.purchases.active {
      guard let period = catalog.products[index].subscription?.period else { continue }
      while state.purchases[index].end <= state.now {
        state.purchases[index].end = max(
          state.purchases[index].end + 1, seconds(period.added(to: date(state.purchases[index].end), in: .storeCalendar)))
      }
    }
  }

  private func reinstalling(_ state: CheckState) -> CheckState {
    var next = state
    next.isReinstalled = true
    // A use of credits survives as the purchase of them does.
    for (index, use) in next.uses.enumerated() where use.credits == 0 && !catalog.features[use.feature].survivesReinstall {
      next.uses[index].isForgotten = true
    }
    return next
  }
}
