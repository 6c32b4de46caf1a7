// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// The framework's own words for everything around a paywall in one language: locks, settings, the parental gate, the result of a tap.
///
/// `{name}`, `{count}`, `{done}`, `{date}`, `{first}`, `{second}`, `{balance}` and `{price}` stand for values.
struct ScreenWords: FrameworkWords {
  // The replacement for a feature.
  var unlock: String
  var locked: String
  var checking: String
  var unreachable: String
  var limitReached: String
  var resets: String
  var parentalLimit: String
  var requiresParent: String
  var requiresCompletion: String
  var coins: String
  var closed: String
  // The state of a subscription.
  var free: String
  var trial: String
  var renews: String
  var ends: String
  var grace: String
  var retry: String
  var expired: String
  var revoked: String
  var gift: String
  var redundant: String
  var upgrade: String
  var subscription: String
  var support: String
  // The result of a tap.
  var restored: String
  var nothingActive: String
  var nothingToRestore: String
  var restoreFailed: String
  var purchaseFailed: String
  var otherAccount: String
  var unverified: String
  var gateFailed: String
  // The parental gate.
  var gateTitle: String
  var gateMessage: String
  var gateQuestion: String
  var gateWrong: String
  var gateAnswer: String
  var delete: String
  var confirm: String
  var cancel: String
  // The onboarding.
  var skip: String
  // Collections.
  var completed: String
  var progress: String
  var unlimited: String
}

extension Language {
  /// A day in words: `April 1, 2026`.
  func day(_ date: Date, in zone: TimeZone) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: rawValue)
    formatter.timeZone = zone
    formatter.dateStyle = .long
    formatter.timeStyle = .none
    return formatter.string(from: date)
  }
}
