// SPDX-License-Identifier: Apache-2.0
import Monetize

/// The framework's own words for a paywall in one language. Used where the catalog has no text.
///
/// `{price}`, `{period}`, `{length}`, `{count}`, `{after}`, `{name}`, `{percent}`, `{limit}`, `{used}`, `{offer}` and `{date}` stand
/// for values.
struct PaywallWords: FrameworkWords {
  /// A recurring price: `$8.99 per month`.
  var recurring: String
  /// The cadence alone: `per month`.
  var cadence: String
  /// The price of a longer plan per month: `$7.50 per month`.
  var monthly: String
  var saving: String
  var freeTrial: String
  var payUpFront: String
  var payAsYouGo: String
  /// An introductory offer with the day on which it ends.
  var offerEnds: String
  var oneTime: String
  var pass: String
  var adds: String
  var tip: String
  var renewal: String
  var cancellation: String
  var terms: String
  var privacy: String
  var loading: String
  var failed: String
  var buying: String
  /// The store sells none of the products here.
  var notSold: String
  var waiting: String
  var done: String
  var retry: String
  var buy: String
  var subscribe: String
  var startTrial: String
  var winBack: String
  var restore: String
  var manage: String
  var dismiss: String
  /// The button that closes a paywall after the purchase.
  var proceed: String
  var remaining: String
  var unlimited: String
  var meter: String
  /// The separator between the parts of a sentence that a screen reader speaks.
  var comma: String

  /// A text with values in place of the names in braces.
  static func fill(_ text: String, _ values: KeyValuePairs<String, String>) -> String {
    text.filled { name in values.first { $0.key == name }?.value ?? "{\(name)}" } ?? text
  }
}
