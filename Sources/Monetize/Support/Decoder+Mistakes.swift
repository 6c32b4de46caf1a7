// SPDX-License-Identifier: Apache-2.0
extension Decoder {
  /// Makes an error for a value that is not accepted. The message explains why, and how to fix it.
  package func mistake(_ message: String) -> DecodingError { .dataCorrupted(.init(codingPath: codingPath, debugDescription: message)) }

  /// Checks the amount of a grant: from 0 to 1,000,000,000, so that sums of amounts stay exact.
  package func amount(_ number: Int) throws -> Int {
    if number < 0 { throw mistake("An amount cannot be negative. Write 0 or more, or \"unlimited\".") }
    if number > 1_000_000_000 { throw mistake("An amount is at most 1000000000. Write less, or \"unlimited\".") }
    return number
  }
}
