// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A feature with several levels, each including those before it. Source: parental controls that are basic for free and full for Premium.
///
/// The feature lists its `levels`, lowest first; a grant names one of them: `"basic"`. A request without a level is allowed, and
/// ``Decision/level`` holds the granted level. A request with a level (``AccessRequest/level``) is allowed up to the granted one.
/// `"unlimited"` is the highest level, including levels added later.
public struct LevelShape: AllowanceShape {
  /// `level`.
  public static let name = "level"

  /// `false`: a level is a name.
  public static let hasAmounts = false

  /// The levels, lowest first.
  public let levels: [String]

  private enum CodingKeys: String, CodingKey { case levels }

  /// Decodes `levels`: at least one, all different.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    levels = try container.decode([String].self, forKey: .levels)
    let mistake =
      levels.isEmpty
      ? "A feature with levels needs at least one. List them, the lowest first."
      : levels.contains("") || levels.contains("unlimited")
        ? "A level needs a name other than \"unlimited\", which means the highest level. Choose another name."
        : Set(levels).count < levels.count ? "Levels need different names. Remove the duplicate." : nil
    if let mistake { throw DecodingError.dataCorruptedError(forKey: .levels, in: container, debugDescription: mistake) }
  }

  /// Decodes the name of a level.
  public func grant(from decoder: any Decoder) throws -> Grant {
    let name = try? decoder.singleValueContainer().decode(String.self)
    guard let name, let index = levels.firstIndex(of: name) else {
      let guess = name.flatMap { closestMatch(to: $0, in: levels) }
      let known = levels.map { "\"\($0)\"" }.joined(separator: ", ")
      throw decoder.mistake(
        (name.map { "There is no level \"\($0)\"." } ?? "Expected the name of a level.")
          + didYouMean(guess, or: "Write one of \(known), or \"unlimited\"."))
    }
    return Grant(levels: levels, index: index)
  }

  /// Allowed at the highest level.
  public func unlimited(_ request: AccessRequest) -> Verdict { Grant(levels: levels, index: levels.count - 1).verdict(request) }

  /// One of the feature's levels. Includes the levels before it.
  public struct Grant: Allowance {
    let levels: [String]
    let index: Int

    /// The higher level.
    public func joined(with other: Self) -> Self { index >= other.index ? self : other }

    /// Allowed up to the granted level.
    public func judge(_ request: AccessRequest, in context: AllowanceContext) -> Verdict { verdict(request) }

    fileprivate func verdict(_ request: AccessRequest) -> Verdict {
      var verdict = Verdict.allowed
      if let level = request.level {
        guard let asked = levels.firstIndex(of: level) else { return .denied(.unknownLevel) }
        if asked > index { verdict = .denied(.requiresPurchase) }
      }
      verdict.level = levels[index]
      verdict.levelOrdinal = index + 1
      return verdict
    }
  }
}
