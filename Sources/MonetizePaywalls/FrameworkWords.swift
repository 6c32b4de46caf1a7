// SPDX-License-Identifier: Apache-2.0
import Monetize

/// The framework's own words for one group of screens, in the languages that the framework has.
protocol FrameworkWords: Sendable {
  static var english: Self { get }
  static var german: Self { get }
  static var japanese: Self { get }
}

extension FrameworkWords {
  /// The words of a language; English for a language that the framework does not have.
  static func of(_ language: Language) -> Self {
    switch language.base {
    case "de": german
    case "ja": japanese
    default: english
    }
  }
}
