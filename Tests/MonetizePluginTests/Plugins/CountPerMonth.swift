// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A count per calendar month, written again with public API only.
struct CountPerMonth: AllowanceShape {
  static let name = "test.perMonth"
  static let isMetered = true

  struct Grant: Allowance, Decodable {
    let limit: Int
    init(limit: Int) { self.limit = limit }
    init(from decoder: any Decoder) throws { limit = try decoder.singleValueContainer().decode(Int.self) }

    var changesWithTime: Bool { true }
    func joined(with other: Self) -> Self { Grant(limit: max(limit, other.limit)) }

    func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      let month = context.period(.month)
      let used = context.used(in: month.days)
      var verdict = Verdict(isAllowed: request.count <= limit - used, reason: .limitReached)
      verdict.used = used
      verdict.limit = limit
      verdict.remaining = max(0, limit - used)
      verdict.asked = request.count
      verdict.measure = .calendar(.month)
      verdict.resetsAt = month.end
      verdict.changesAt = [month.end, context.nextBelief].compactMap { $0 }.min()
      return verdict
    }
  }

  func day(in context: AllowanceContext) -> (day: Int, zone: TimeZone) { context.today(within: .month) }
}
