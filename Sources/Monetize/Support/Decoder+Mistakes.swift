// SPDX-License-Identifier: Apache-2.0

extension Decoder {
  /// Makes an error for a value that is not accepted. The message explains why, and how to fix it.
  func mistake(_ message: String) -> DecodingError { .dataCorrupted(.init(codingPath: codingPath, debugDescription: message)) }

  /// Checks the amount of a grant: at least 0.
  func amount(_ number: Int) throws -> Int {
    if number < 0 { throw mistake("An amount cannot be negative. Write 0 or more, or \"unlimited\".") }
    return number
  }
}
