// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Decoder {
  /// Makes an error for a value that is not accepted. The message explains why, and how to fix it.
  func mistake(_ message: String) -> DecodingError { .dataCorrupted(.init(codingPath: codingPath, debugDescription: message)) }

  /// Reads a decimal string within a range. `what` names what is expected: "a share from 0 to 1, such as \"0.04\"".
  func decimal(in range: ClosedRange<Decimal> = 0...1_000_000_000, _ what: String) throws -> Decimal {
    let text = try String(from: self)
    guard let number = Money.amount(text), range.contains(number) else {
      throw mistake("\"\(text)\" is not \(what). Write a decimal string.")
    }
    return number
  }

  /// Checks the amount of a grant: from 0 to 1,000,000,000, so that sums of amounts stay exact.
  func amount(_ number: Int) throws -> Int {
    if number < 0 { throw mistake("An amount cannot be negative. Write 0 or more, or \"unlimited\".") }
    if number > 1_000_000_000 { throw mistake("An amount is at most 1000000000. Write less, or \"unlimited\".") }
    return number
  }
}

/// A number of 0 or more, written as a decimal string.
struct DecimalText: Decodable {
  let value: Decimal
  init(from decoder: any Decoder) throws { value = try decoder.decimal("a number of 0 or more, such as \"0.012\"") }
}
