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

  /// Revokes shared copies of a customer's purchases in the family, all of them or those of deleted transactions.
  mutating func revokeShared(by owner: Row<Customer>, only deleted: [TransactionID]? = nil) {
    for member in relatives(of: owner) { revokeCopies(of: owner, from: member, only: deleted) }
  }

  /// Passes an update of an owner's purchase on to the family.
  mutating func share(_ update: StoreUpdate, of owner: Row<Customer>, at date: Date) {
    for member in relatives(of: owner) {
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

  /// The other members of a customer's family.
  private func relatives(of owner: Row<Customer>) -> [Row<Customer>] {
    customers[owner].family.map { families[$0].filter { $0 != owner } } ?? []
  }

  private mutating func shareEverything(of owner: Row<Customer>, with member: Row<Customer>) {
    let chains = customers[owner].chains.rows.filter { self[owner, $0].isEntitled && !self[owner, $0].isForgotten }
    let current = Set(chains.flatMap { periods(owner, self[owner, $0]) })
    for index in customers[owner].purchases.rows where !self[owner, index].isForgotten {
      let transaction = self[owner, index].transaction
      guard transaction.revocation == nil, transaction.expirationDate == nil || current.contains(index) else { continue }
      shareTransaction(index, of: owner, with: member, at: now)
    }
    for chain in chains { shareChain(chain, of: owner, with: member, at: now) }
  }

  /// Updates a member's copy of a purchase, or makes one. A copy that was taken back stays as it is.
  private mutating func shareTransaction(_ index: Row<Purchase>, of owner: Row<Customer>, with member: Row<Customer>, at date: Date) {
    let (purchase, original) = (self[owner, index], self[owner, index].transaction)
    guard purchase.source == nil, !purchase.isForged, let product = known(original.productID) else { return }
    if let copy = customers[member].copies[original.id] {
      let update = change(member, copy, at: date) { transaction in
        transaction.expirationDate = original.expirationDate
        transaction.isUpgraded = original.isUpgraded
        transaction.revocation = original.revocation
      }
      return emit(member, at: date, [update], original.revocation == nil ? nil : line(.revoke, nil, member, purchase: copy, at: date))
    }
    guard products[product].isFamilyShareable, [.nonConsumable, .autoRenewable].contains(products[product].type),
      original.revocation == nil
    else { return }
    var transaction = original
    let isPeriod = original.expirationDate != nil
    transaction.id = nextTransactionID()
    transaction.originalID = customers[member].originals[original.originalID] ?? transaction.id
    (transaction.ownership, transaction.price, transaction.account) = (.familyShared, nil, nil)
    transaction.revision = Revision(date)
    let copy = Purchase(transaction: transaction, source: original.id)
    let row = customers[member].purchases.add(copy)
    customers[member].copies[original.id] = row
    if isPeriod { customers[member].originals[original.originalID] = transaction.originalID } else { customers[member].lasting.append(row) }
    let isFirst = isPeriod && transaction.originalID == transaction.id
    emit(
      member, at: date, [.transaction(copy.signed)],
      isFirst ? line(.subscribed, .initialBuy, member, purchase: row, at: date) : nil)
  }

  /// Updates a member's copy of a chain from the owner's chain, with its own transactions.
  private mutating func shareChain(_ index: Row<SubscriptionChain>, of owner: Row<Customer>, with member: Row<Customer>, at date: Date) {
    var chain = self[owner, index]
    guard !chain.isShared, let original = customers[member].originals[chain.originalID] else { return }
    let existing = customers[member].chains.firstRow { $0.originalID == original }
    // Revoke the copy if the owner has changed to a plan that is not shared.
    guard products[chain.product].isFamilyShareable else {
      if let existing { revokeCopy(existing, from: member, at: date) }
      return
    }
    let copies = customers[member].copies
    guard let latest = copies[self[owner, chain.latest].transaction.id] else { return }
    (chain.isShared, chain.originalID, chain.latest) = (true, original, latest)
    chain.previous = chain.previous.flatMap { copies[self[owner, $0].transaction.id] }
    chain.revision = existing.map { self[member, $0].revision.next(at: date) } ?? Revision(date)
    if let existing { self[member, existing] = chain } else { customers[member].chains.append(chain) }
    let isSilent = chain.isExpired && settings.quirks.contains(.noUpdateAtExpiry)
    emit(member, at: date, isSilent ? [] : [.renewal(chain.info(products))], nil, environment: chain.environment)
  }

  /// Revokes a member's copies of an owner's purchases, all of them or those of deleted transactions.
  private mutating func revokeCopies(of owner: Row<Customer>, from member: Row<Customer>, only deleted: [TransactionID]? = nil) {
    let sources = deleted ?? customers[owner].purchases.map(\.transaction.id)
    let copies = Set(sources.compactMap { customers[member].copies[$0] })
    for chain in customers[member].chains.rows where copies.contains(self[member, chain].latest) {
      revokeCopy(chain, from: member, at: now)
    }
    for copy in copies.sorted() {
      // Revoke a period with its chain, except a deleted period that another plan has already replaced.
      if let end = self[member, copy].transaction.expirationDate, deleted == nil || end <= now { continue }
      revokePurchase(copy, of: member, at: now)
    }
  }

  /// Ends a member's copy of a subscription, with its current period.
  private mutating func revokeCopy(_ chain: Row<SubscriptionChain>, from member: Row<Customer>, at date: Date) {
    let copy = self[member, chain]
    guard !copy.isOver else { return }
    self[member, chain].isTakenBack(at: date)
    if !copy.isInRetry {
      for index in periods(member, copy) { revokePurchase(index, of: member, at: date) }
    }
    publish(nil, nil, member, chain, at: date)
  }

  /// Takes a copy back: from now on it does not follow the owner's purchase.
  private mutating func revokePurchase(_ index: Row<Purchase>, of member: Row<Customer>, at date: Date) {
    let purchase = self[member, index]
    guard let source = purchase.source, purchase.transaction.revocation == nil else { return }
    customers[member].copies[source] = nil
    let update = change(member, index, at: date) { $0.revocation = .init(date: date, reason: .familyLeft) }
    emit(member, at: date, [update], line(.revoke, nil, member, purchase: index, at: date))
  }
}
