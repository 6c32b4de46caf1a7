// SPDX-License-Identifier: Apache-2.0

/// Closes a feature until a release of the app is out. Such a feature is reported as not available, never as locked.
public struct ReleaseCondition: Condition {
  /// `release`.
  public static let name = "release"
  /// The release.
  public let release: String

  /// Decodes the release's name.
  public init(from decoder: any Decoder) throws { release = try decoder.singleValueContainer().decode(String.self) }

  /// Denies until the release is out.
  public func denial(in context: ConditionContext) -> Reason? { context.releases.contains(release) ? nil : .notAvailable }

  /// The text with the release's name.
  public func text(for reason: Reason) -> String? { reason == .notAvailable ? "comes with release \(release)." : nil }
}
