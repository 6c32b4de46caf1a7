// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The reason why a verb has no answer, in a sentence that ends with what to do.
public struct ToolProblem: Error, Sendable, CustomStringConvertible {
  /// The sentence.
  public let description: String
  /// The mistake in the file that the answer is made of; `nil` when the request is wrong, not the file.
  public let mistake: Diagnostic?
  /// Makes a problem from a sentence.
  public init(_ description: String) { (self.description, mistake) = (description, nil) }
  /// Makes a problem of a mistake in a file.
  public init(_ mistake: Diagnostic) { (description, self.mistake) = (mistake.description, mistake) }
}
