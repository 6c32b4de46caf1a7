// SPDX-License-Identifier: Apache-2.0
import Monetize

/// The name of a free trial in an app without subscriptions, such as "14-day Trial". Source: App Review guideline 3.1.1.
struct TrialName {
  let length: Period

  /// `nil` for any other name.
  init?(_ name: String) {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
    guard words.count == 3, words[1] == "day", words[2] == "trial", let days = Int(words[0]), days > 0, days < 100_000 else { return nil }
    length = Period(days: days)
  }
}
