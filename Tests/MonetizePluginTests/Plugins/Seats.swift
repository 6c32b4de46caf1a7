// SPDX-License-Identifier: Apache-2.0
import Monetize

/// A capacity, written again with public API only.
struct Seats: AllowanceShape {
  static let name = "test.seats"

  struct Grant: Allowance, Decodable {
    let seats: Int
    init(seats: Int) { self.seats = seats }
    init(from decoder: any Decoder) throws { seats = try decoder.singleValueContainer().decode(Int.self) }

    func joined(with other: Self) -> Self { Grant(seats: max(seats, other.seats)) }

    func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      guard let held = request.held else {
        var verdict = Verdict.denied(seats > 0 ? .heldMissing : .capacity)
        verdict.limit = seats
        return verdict
      }
      var verdict = Verdict(isAllowed: request.count <= seats - max(0, held), reason: .capacity)
      (verdict.used, verdict.limit, verdict.remaining) = (max(0, held), seats, max(0, seats - max(0, held)))
      verdict.asked = request.count
      return verdict
    }
  }
}
