// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// Checks the law of a `ProductKind`: a pure function of its history, in which order has no effect and a purchase never reduces access.
public struct ProductKindKit: Sendable {
  private let kind: any ProductKind
  private let transactions: [StoreTransaction]
  private let renewals: [TransactionID: RenewalInfo]
  private let times: [Date]

  /// Makes a kit.
  /// - Parameters:
  ///   - kind: A value of the kind.
  ///   - transactions: Purchases of one product. Their number determines the work, O(n² × times).
  ///   - renewals: The renewal status of these purchases.
  ///   - times: The times to check, such as before, during and after a period.
  public init(_ kind: any ProductKind, transactions: [StoreTransaction], renewals: [TransactionID: RenewalInfo] = [:], times: [Date]) {
    self.kind = kind
    self.transactions = transactions
    self.renewals = renewals
    self.times = times
  }

  /// Checks every behaviour.
  public func run() -> KitReport {
    var report = KitReport(subject: "Product kind \(type(of: kind).name)")
    let nothing = times.isEmpty ? "there are no times." : transactions.isEmpty ? "there are no purchases." : nil
    let tooFew = nothing ?? (transactions.count < 2 ? "two purchases are required." : nil)
    let neverOwned = times.contains { ownership(transactions, $0).isActive } ? nil : "the product is owned at none of these times."
    report.check("kind.pure", "Equal facts give equal answers.", unless: nothing) {
      first { ownership(transactions, $0) == ownership(transactions, $0) ? nil : "Two answers at \($0) differ." }
    }
    report.check("kind.order", "Missed renewals arrive newest first.", unless: tooFew) {
      first {
        ownership(transactions, $0) == ownership(transactions.reversed(), $0)
          ? nil : "The answer at \($0) depends on the order of purchases."
      }
    }
    report.check("kind.paying", "A further purchase never reduces access.", unless: nothing) {
      first { time in
        for count in transactions.indices {
          let (fewer, more) = (ownership(Array(transactions[..<count]), time), ownership(Array(transactions[...count]), time))
          if fewer.isActive && !more.isActive { return "Purchase \(transactions[count].id) ends access at \(time)." }
          let (before, after) = (fewer.until ?? .distantFuture, more.until ?? .distantFuture)
          if fewer.isActive && after < before { return "Purchase \(transactions[count].id) shortens access at \(time)." }
        }
        return nil
      }
    }
    report.check("kind.until", "Access lasts exactly until its end date.", unless: nothing ?? neverOwned) {
      first { time in
        let owned = ownership(transactions, time)
        guard owned.isActive, let end = owned.until else { return nil }
        if end <= time { return "The end \(end) is not after \(time)." }
        let moment = Date(timeIntervalSinceReferenceDate: end.timeIntervalSinceReferenceDate.nextDown)
        return ownership(transactions, moment).isActive ? nil : "Access ends before \(end)."
      }
    }
    return report
  }

  private func ownership(_ transactions: [StoreTransaction], _ time: Date) -> Ownership {
    let product = self.transactions.first?.productID ?? "product"
    return kind.ownership(from: ProductHistory(product: product, transactions: transactions, renewals: renewals), at: time)
  }

  private func first(_ failure: (Date) -> String?) -> String? {
    for time in times { if let text = failure(time) { return text } }
    return nil
  }
}
