// SPDX-License-Identifier: Apache-2.0

/// How many may exist at once: one profile, five projects. Nothing is used up; what is deleted makes room. Source: "One child profile only".
///
/// Grants: `1`. The app says how many there are (``AccessRequest/held``), because only it knows; more than fit, after a plan has lapsed,
/// stay where they are, and adding is denied. Without `held` the question cannot be answered and is an error: ``Reason/heldMissing``.
public struct CapacityShape: AllowanceShape {
  /// `capacity`.
  public static let name = "capacity"

  /// How many there may be.
  public struct Grant: Allowance, Decodable {
    let capacity: Int

    private init(capacity: Int) { self.capacity = capacity }

    /// Reads a number.
    public init(from decoder: any Decoder) throws {
      guard let capacity = try? decoder.singleValueContainer().decode(Int.self) else {
        throw decoder.mistake("Expected how many there may be at once: a whole number, or \"unlimited\".")
      }
      self.capacity = try decoder.amount(capacity)
    }

    /// The larger capacity.
    public func joined(with other: Self) -> Self { Grant(capacity: max(capacity, other.capacity)) }

    /// Allowed when as many as asked for find room beside those that exist.
    public func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      var verdict = Verdict.denied(capacity > 0 ? .heldMissing : .capacity)
      verdict.limit = capacity
      if let held = request.held.map({ max(0, $0) }) {
        (verdict.isAllowed, verdict.reason) = (request.count <= capacity - held, .capacity)
        verdict.used = held
        verdict.remaining = max(0, capacity - held)
        verdict.asked = request.count
      }
      return verdict
    }
  }
}
