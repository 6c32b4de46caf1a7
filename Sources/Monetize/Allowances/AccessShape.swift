// SPDX-License-Identifier: Apache-2.0

/// A feature that is either granted or not. The default shape. Grants: `true`.
public struct AccessShape: AllowanceShape {
  /// `access`.
  public static let name = "access"

  /// `true`, or `false`. In a cap, `false` denies everything.
  public struct Grant: Permission {
    /// Whether access is granted.
    public let isGiven: Bool
    /// Makes a grant.
    public init(isGiven: Bool) { self.isGiven = isGiven }
    /// Always allowed.
    public func judgeGiven(_ request: AccessRequest, in context: AllowanceContext) -> Verdict { .allowed }
  }
}

/// A grant that is either given or not: `true` or `false`. The shape decides what it allows.
public protocol Permission: Allowance, Decodable {
  /// Whether access is granted.
  var isGiven: Bool { get }
  /// Makes a grant.
  init(isGiven: Bool)
  /// Judges a request by the shape's rule. Called only when ``isGiven`` is `true`.
  func judgeGiven(_ request: AccessRequest, in context: AllowanceContext) -> Verdict
}

extension AllowanceShape where Grant: Permission {
  /// `false`.
  public static var hasAmounts: Bool { false }
}

extension Permission {
  /// Reads `true` or `false`.
  public init(from decoder: any Decoder) throws { self.init(isGiven: try decoder.singleValueContainer().decode(Bool.self)) }
  /// Given when either side is given.
  public func joined(with other: Self) -> Self { Self(isGiven: isGiven || other.isGiven) }
  /// Judges by the shape's rule when the grant is given; otherwise denies.
  public func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict {
    isGiven ? judgeGiven(request, in: context) : .denied(.requiresPurchase)
  }
}
