// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// An article that the customer has opened, with the date of the last time.
struct Opened: CustomFact {
  static let name = "opened"
  let key: String
  let date: Date
  func merged(with other: Self) -> Self { other.date > date ? other : self }
}

/// A number of different articles per month.
struct Articles: AllowanceShape {
  static let name = "articles"

  struct Grant: Allowance, Decodable {
    let limit: Int
    init(limit: Int) { self.limit = limit }
    init(from decoder: any Decoder) throws { limit = try decoder.singleValueContainer().decode(Int.self) }

    var changesWithTime: Bool { true }
    func joined(with other: Self) -> Self { Grant(limit: max(limit, other.limit)) }

    func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      let month = context.period(.month)
      let opened = context.facts(of: Opened.self).filter { $0.date >= month.start }.map(\.key)
      let isOpen = request.parameters["article"].map(opened.contains) ?? false
      var verdict = Verdict(isAllowed: isOpen || opened.count < limit, reason: .limitReached)
      (verdict.used, verdict.limit, verdict.remaining) = (opened.count, limit, max(0, limit - opened.count))
      (verdict.resetsAt, verdict.changesAt) = (month.end, month.end)
      return verdict
    }
  }
}
