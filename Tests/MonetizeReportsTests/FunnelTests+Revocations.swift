// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeReports

/// Refunds, as apps and other programs log them.
extension FunnelTests {
  @Test("A purchase that is revoked, reversed and revoked again is revoked; a revoked trial gives no payment back") func revokedAgain()
    throws
  {
    let monthly: ProductID = "com.magicalstories.premium.monthly"
    func event(_ name: MonetizeEvent.Name, after days: Double, until: Double, trial: Bool? = nil, at seen: Double? = nil) -> [EventRecord] {
      events(name, 0..<1, after: seen ?? days) {
        ($0.product, $0.transaction, $0.trial) = (monthly, trial == true ? "trial" : "t", trial)
        ($0.purchased, $0.until) = (Self.start, Self.start + until * 86400)
      }
    }
    let once = event(.purchaseCompleted, after: 0, until: 30) + event(.purchaseRevoked, after: 2, until: 2)
    let reversed = once + event(.purchaseReinstated, after: 4, until: 30)
    let again = reversed + event(.purchaseRevoked, after: 6, until: 6)
    func refunds(_ log: [EventRecord]) throws -> String { try figure("refunds", log, "magical-stories").parts }
    #expect(try refunds(once) == "1 of 1" && refunds(reversed) == "0 of 1" && refunds(again) == "1 of 1")
    #expect(try figure("mrr", again, "magical-stories").value == 0)
    #expect(try refunds(again + event(.purchaseReinstated, after: 8, until: 30)) == "0 of 1")
    // Another device reports all of it later.
    let late = again.map { event in
      var event = event
      event.at += 10 * 86400
      return event
    }
    #expect(try refunds(again + late) == "1 of 1")
    // One device reports the revocation before another one reports the purchase.
    let disordered = event(.purchaseRevoked, after: 3, until: 3) + event(.purchaseCompleted, after: 5, until: 30)
    #expect(try refunds(disordered) == "1 of 1" && figure("mrr", disordered, "magical-stories").value == 0)
    let trial = event(.purchaseCompleted, after: 0, until: 7, trial: true) + event(.purchaseRevoked, after: 1, until: 1, trial: true)
    #expect(try refunds(trial + event(.purchaseCompleted, after: 8, until: 30)) == "0 of 1")
  }

  @Test("A revocation is of its transaction, ends it when it is reported at the latest, and its line need not say that it was a trial")
  func revokedByHand() throws {
    let monthly: ProductID = "com.magicalstories.premium.monthly"
    func event(_ name: MonetizeEvent.Name, _ transaction: TransactionID, after days: Double, _ until: Double? = nil, trial: Bool? = nil)
      -> [EventRecord]
    {
      events(name, 0..<1, after: days) {
        ($0.product, $0.transaction, $0.trial) = (monthly, transaction, trial)
        $0.until = until.map { Self.start + $0 * 86400 }
      }
    }
    func mrr(_ log: [EventRecord], after days: Double) throws -> Decimal? {
      try figure("mrr", log + events(.appLaunched, 0..<1, after: days), "magical-stories").value
    }
    let price = Decimal(string: "8.99")
    // The line repeats the end that was paid for.
    let ended = event(.purchaseCompleted, "1", after: 0, 30) + event(.purchaseRevoked, "1", after: 9, 30)
    #expect(try mrr(ended, after: 19) == 0)
    let older =
      event(.purchaseCompleted, "1", after: 0) + event(.subscriptionRenewed, "2", after: 31) + event(.purchaseRevoked, "1", after: 40)
    #expect(try mrr(older, after: 41) == price)
    // Paid for March 1 to April 1, however late the store takes the revocation back.
    let back =
      event(.purchaseCompleted, "1", after: 0) + event(.purchaseRevoked, "1", after: 9) + event(.purchaseReinstated, "1", after: 19)
    #expect(try mrr(back, after: 30) == price && mrr(back, after: 32) == 0)
    let trial =
      event(.purchaseCompleted, "1", after: 0, 7, trial: true) + event(.subscriptionRenewed, "2", after: 7, 38)
      + event(.purchaseRevoked, "1", after: 8)
    #expect(try figure("refunds", trial, "magical-stories").parts == "0 of 1" && mrr(trial, after: 9) == price)
  }
}
