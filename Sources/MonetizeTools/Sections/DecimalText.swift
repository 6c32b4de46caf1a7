// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// A number of 0 or more, written as a decimal string.
struct DecimalText: Decodable {
  let value: Decimal
  init(from decoder: any Decoder) throws { value = try decoder.decimal("a number of 0 or more, such as \"0.012\"") }
}

extension Decoder {
  /// Reads a decimal string within a range. `what` names what is expected: "a share from 0 to 1, such as \"0.04\"".
  func decimal(in range: ClosedRange<Decimal> = 0...1_000_000_000, _ what: String) throws -> Decimal {
    let text = try String(from: self)
    guard let number = Money.amount(text), range.contains(number) else {
      throw mistake("\"\(text)\" is not \(what). Write a decimal string.")
    }
    return number
  }
}
