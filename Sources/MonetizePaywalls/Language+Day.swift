// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

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
