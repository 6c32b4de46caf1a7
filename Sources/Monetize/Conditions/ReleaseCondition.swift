// SPDX-License-Identifier: Apache-2.0

/// A feature that a release of the app brings: what is not out is not available, and never locked.
public struct ReleaseCondition: Condition {
  /// `release`.
  public static let name = "release"
  /// The release.
  public let release: String

  /// Reads the release's name.
  public init(from decoder: any Decoder) throws { release = try decoder.singleValueContainer().decode(String.self) }

  /// Closed until the release is out.
  public func denial(in context: ConditionContext) -> Reason? { context.releases.contains(release) ? nil : .notAvailable }

  /// The text names the release.
  public func text(for reason: Reason) -> String? { reason == .notAvailable ? "comes with release \(release)." : nil }
}
