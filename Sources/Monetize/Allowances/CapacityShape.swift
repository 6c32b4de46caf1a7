// SPDX-License-Identifier: Apache-2.0

/// The number of things that may exist at once: one profile, five projects. Deleting one makes room. Source: "One child profile only".
///
/// Grants: `1`. The app passes the current number in ``AccessRequest/held``, because only the app has it. After a plan lapses, surplus
/// things stay and adding is denied. A request without `held` is an error: ``Reason/heldMissing``.
public struct CapacityShape: AllowanceShape {
  /// `capacity`.
  public static let name = "capacity"
  /// `true`.
  public static let needsHeld = true

  /// The largest number that may exist.
  public struct Grant: Allowance, Decodable {
    let capacity: Int

    private init(capacity: Int) { self.capacity = capacity }

    /// Reads a number.
    public init(from decoder: any Decoder) throws {
      guard let capacity = try? decoder.singleValueContainer().decode(Int.self) else {
        throw decoder.mistake("Expected the number that may exist at once: a whole number, or \"unlimited\".")
      }
      self.capacity = try decoder.amount(capacity)
    }

    /// The larger capacity.
    public func joined(with other: Self) -> Self { Grant(capacity: max(capacity, other.capacity)) }

    /// Allowed when the requested count fits beside those that exist.
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
