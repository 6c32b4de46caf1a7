// SPDX-License-Identifier: Apache-2.0

/// Yes or no. The shape of a feature that names none. Grants: `true`.
public struct AccessShape: AllowanceShape {
  /// `access`.
  public static let name = "access"

  /// `true`, or `false` (in a cap: not at all).
  public struct Grant: Permission {
    /// Whether it is given.
    public let isGiven: Bool
    /// Makes a grant.
    public init(isGiven: Bool) { self.isGiven = isGiven }
    /// Allowed.
    public func judgeGiven(_ request: AccessRequest, in context: AllowanceContext) -> Verdict { .allowed }
  }
}

/// A grant that is given or not: `true`, or `false` (in a cap: not at all). What it allows is a rule of its shape.
public protocol Permission: Allowance, Decodable {
  /// Whether it is given.
  var isGiven: Bool { get }
  /// Makes a grant.
  init(isGiven: Bool)
  /// Judges a request by the shape's rule, where the grant is given.
  func judgeGiven(_ request: AccessRequest, in context: AllowanceContext) -> Verdict
}

extension Permission {
  /// Reads `true` or `false`.
  public init(from decoder: any Decoder) throws { self.init(isGiven: try decoder.singleValueContainer().decode(Bool.self)) }
  /// Either.
  public func joined(with other: Self) -> Self { Self(isGiven: isGiven || other.isGiven) }
  /// By the shape's rule when it is given.
  public func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
    isGiven ? judgeGiven(request, in: context) : .denied(.requiresPurchase)
  }
}
