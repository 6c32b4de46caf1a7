// SPDX-License-Identifier: Apache-2.0

/// The findings of `monetize lint` that a person has accepted: the section `lint` of a catalog. Changes no decision.
public struct LintPolicy: Sendable, Hashable, Codable {
  /// The accepted findings with one code in one place.
  public struct Acceptance: Sendable, Hashable, Codable {
    /// The code of the findings.
    public let code: String
    /// The JSON path of the findings, or of a value around them. Empty for the whole file.
    public let at: String
    /// The reason why they are acceptable.
    public let reason: String
  }

  /// The accepted findings.
  public let accept: [Acceptance]?
}
