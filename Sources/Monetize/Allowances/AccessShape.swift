// SPDX-License-Identifier: Apache-2.0

/// Yes or no. The shape of a feature that names none. Grants: `true`.
public struct AccessShape: AllowanceShape {
  /// `access`.
  public static let name = "access"

  /// `true`, or `false` (in a cap: not at all).
  public struct Grant: Allowance, Decodable {
    let isGiven: Bool

    /// Reads `true` or `false`.
    public init(from decoder: any Decoder) throws { isGiven = try decoder.singleValueContainer().decode(Bool.self) }

    private init(isGiven: Bool) { self.isGiven = isGiven }

    /// Either.
    public func joined(with other: Self) -> Self { Grant(isGiven: isGiven || other.isGiven) }

    /// Allowed when given.
    public func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
      isGiven ? .allowed : .denied(.requiresPurchase)
    }
  }
}
