// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Int {
  /// The next number. The highest number stays, because a damaged file or a broken server may contain it.
  var next: Int { self == .max ? self : self + 1 }
}

extension Date {
  /// The next moment that can be represented.
  var next: Date { Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate.nextUp) }
}
