// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension StoreWorld {
  /// The members of a customer's family, the customer included; empty without one.
  public func family(of customer: CustomerID) -> [CustomerID] {
    known(customer).flatMap { customers[$0].family }.map { families[$0].map { customers[$0].id } } ?? []
  }

  /// Adds a person to a customer's family. Both get copies of each other's shareable purchases, with transactions of their own. Source:
  /// Apple, Family Sharing: up to five other people.
  /// - Throws: ``SimulationError`` when the person is in a family already, is the customer, or the family has six people.
  public mutating func joinFamily(_ member: CustomerID, of customer: CustomerID) throws(SimulationError) -> [StoreEvent] {
    guard member != customer else { throw SimulationError(.invalidValue, "\(member) cannot join their own family. Name two people.") }
    guard family(of: member).isEmpty else {
      throw SimulationError(.nothingToDo, "\(member) is in a family already. Leave that one first.")
    }
    guard family(of: customer).count < 6 else {
      throw SimulationError(.invalidValue, "\(customer)'s family already has six people, the maximum. Remove a member first.")
    }
    let host = index(of: customer)
    let guest = index(of: member)
    let family = customers[host].family ?? families.add([host])
    customers[host].family = family
    let others = families[family]
    families[family].append(guest)
    customers[guest].family = family
    for other in others {
      shareEverything(of: other, with: guest)
      shareEverything(of: guest, with: other)
    }
    return settled()
  }

  /// Removes a person from the family. Shared purchases are revoked in both directions.
  /// - Throws: ``SimulationError`` when the person is in no family.
  public mutating func leaveFamily(_ member: CustomerID) throws(SimulationError) -> [StoreEvent] {
    guard let leaver = known(member), let family = customers[leaver].family else {
      throw SimulationError(.nothingToDo, "\(member) has no family. Join one first.")
    }
    families[family].removeAll { $0 == leaver }
    customers[leaver].family = nil
    for other in families[family] {
      revokeCopies(of: leaver, from: other)
      revokeCopies(of: other, from: leaver)
    }
    return settled()
  }

  /// Revokes shared copies of a customer's purchases in the family, all of them or those of some transactions.
  mutating func revokeShared(by owner: Row<Customer>, only: Set<TransactionID>? = nil) {
    guard let family = customers[owner].family else { return }
    for member in families[family] where member != owner { revokeCopies(of: owner, from: member, only: only) }
  }

  /// Passes an update of an owner's purchase on to the family.
  mutating func share(_ update: StoreUpdate, of owner: Row<Customer>, at date: Date) {
    guard let family = customers[owner].family else { return }
    for member in families[family] where member != owner {
      switch update {
      case .transaction(let signed):
        if let index = customers[owner].index(of: signed.transaction.id) { shareTransaction(index, of: owner, with: member, at: date) }
      case .renewal(let info):
        if let chain = customers[owner].chains.firstRow(where: { $0.originalID == info.originalID && !$0.isForgotten }) {
          shareChain(chain, of: owner, with: member, at: date)
        }
      case .intent, .country: break
      }
    }
  }

  private mutating func shareEverything(of owner: Row<Customer>, with member: Row<Customer>) {
    let running = customers[owner].chains.filter { $0.isEntitled && !$0.isForgotten && $0.sharedBy == nil }
    let current = Set(running.flatMap { periods(owner, $0) })
    for index in customers[owner].purchases.rows {
      let transaction = self[owner, index].transaction
      guard transaction.revocation == nil, transaction.expirationDate == nil || current.contains(index) else { continue }
      shareTransaction(index, of: owner, with: member, at: now)
    }
    for chain in customers[owner].chains.rows where self[owner, chain].isEntitled {
      shareChain(chain, of: owner, with: member, at: now)
    }
  }

  private mutating func shareTransaction(_ index: Row<Purchase>, of owner: Row<Customer>, with member: Row<Customer>, at date: Date) {
    let original = self[owner, index]
    guard original.source == nil, !original.isForged, let product = known(original.transaction.productID) else { return }
    if let copy = customers[member].copy(of: original.transaction.id),
      self[member, copy].transaction.revocation?.reason != .familyLeft
        || original.transaction.revocation != nil
    {
      let wasRevoked = self[member, copy].transaction.revocation != nil
      let update = change(member, copy, at: date) { transaction in
        transaction.expirationDate = original.transaction.expirationDate
        transaction.isUpgraded = original.transaction.isUpgraded
        transaction.revocation = original.transaction.revocation
      }
      let isRevoked = original.transaction.revocation != nil && !wasRevoked
      return emit(member, at: date, [update], isRevoked ? line(.revoke, nil, member, purchase: copy, at: date) : nil)
    }
    guard products[product].isFamilyShareable, [.nonConsumable, .autoRenewable].contains(products[product].type),
      original.transaction.revocation == nil
    else { return }
    var transaction = original.transaction
    transaction.id = nextTransactionID()
    transaction.originalID = mirror(of: original.transaction.originalID, owner, in: member)?.originalID ?? transaction.id
    (transaction.ownership, transaction.price, transaction.account) = (.familyShared, nil, nil)
    transaction.revision = Revision(date)
    var copy = Purchase(transaction: transaction)
    copy.source = original.transaction.id
    let row = customers[member].purchases.add(copy)
    customers[member].copies[original.transaction.id] = row
    if transaction.expirationDate == nil { customers[member].lasting.append(row) }
    let isFirst = transaction.originalID == transaction.id && transaction.expirationDate != nil
    emit(
      member, at: date, [.transaction(copy.signed)],
      isFirst ? line(.subscribed, .initialBuy, member, purchase: row, at: date) : nil)
  }

  private func mirror(of original: TransactionID, _ owner: Row<Customer>, in member: Row<Customer>) -> SubscriptionChain? {
    customers[member].chains.first { $0.sharedBy == .init(customer: owner, originalID: original) && !$0.isForgotten }
  }

  /// Updates a member's copy of a chain from the owner's chain, with its own original transaction.
  private mutating func shareChain(_ index: Row<SubscriptionChain>, of owner: Row<Customer>, with member: Row<Customer>, at date: Date) {
    let original = self[owner, index]
    guard original.sharedBy == nil else { return }
    let sharing = SubscriptionChain.Sharing(customer: owner, originalID: original.originalID)
    let current = self[owner, original.latest].transaction.id
    let copy = customers[member].copy(of: current)
    let existing = customers[member].chains.firstRow { $0.sharedBy == sharing && !$0.isForgotten }
    // Revoke the copy if the owner has changed to a plan that is not shared.
    guard products[original.product].isFamilyShareable else {
      if let existing { revokeCopy(existing, from: member, at: date) }
      return
    }
    guard let latest = copy ?? existing.map({ self[member, $0].latest }) else { return }
    var chain = original
    chain.sharedBy = sharing
    chain.latest = latest
    let before = original.previous.map { self[owner, $0].transaction.id }
    chain.previous = before.flatMap(customers[member].copy)
    chain.originalID = self[member, latest].transaction.originalID
    chain.revision = existing.map { self[member, $0].revision.next(at: date) } ?? Revision(date)
    if let existing { self[member, existing] = chain } else { customers[member].chains.append(chain) }
    let isSilent = chain.isExpired && settings.quirks.contains(.noUpdateAtExpiry)
    emit(member, at: date, isSilent ? [] : [.renewal(chain.info(products))], nil, environment: chain.environment)
  }

  /// Revokes a member's copies of an owner's purchases, all of them or those of some transactions.
  private mutating func revokeCopies(of owner: Row<Customer>, from member: Row<Customer>, only: Set<TransactionID>? = nil) {
    let sources = only ?? Set(customers[owner].purchases.map(\.transaction.id))
    for index in customers[member].chains.rows {
      let chain = self[member, index]
      guard chain.sharedBy?.customer == owner, !chain.isForgotten, let source = self[member, chain.latest].source,
        sources.contains(source)
      else { continue }
      revokeCopy(index, from: member, at: now)
    }
    for index in customers[member].purchases.rows {
      let purchase = self[member, index]
      guard let source = purchase.source, sources.contains(source), !purchase.isForgotten, purchase.transaction.revocation == nil else {
        continue
      }
      // Revoke a period with its chain, except a deleted period that another plan has already replaced.
      if let end = purchase.transaction.expirationDate, only == nil || end <= now { continue }
      revokePurchase(index, of: member, at: now)
    }
  }

  /// Ends a member's copy of a subscription, with its current period.
  private mutating func revokeCopy(_ chain: Row<SubscriptionChain>, from member: Row<Customer>, at date: Date) {
    let copy = self[member, chain]
    guard !copy.isOver else { return }
    self[member, chain].isTakenBack(at: date)
    if !copy.isInRetry {
      for index in periods(member, self[member, chain]) { revokePurchase(index, of: member, at: date) }
    }
    say(nil, nil, member, chain, at: date)
  }

  private mutating func revokePurchase(_ index: Row<Purchase>, of member: Row<Customer>, at date: Date) {
    guard self[member, index].transaction.revocation == nil else { return }
    let update = change(member, index, at: date) { $0.revocation = .init(date: date, reason: .familyLeft) }
    emit(member, at: date, [update], line(.revoke, nil, member, purchase: index, at: date))
  }
}
