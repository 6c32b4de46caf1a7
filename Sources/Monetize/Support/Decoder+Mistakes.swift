// SPDX-License-Identifier: Apache-2.0

extension Decoder {
  /// That the value here is not accepted: a sentence that says why, and how to mend it.
  func mistake(_ message: String) -> DecodingError { .dataCorrupted(.init(codingPath: codingPath, debugDescription: message)) }

  /// An amount that a grant says: at least 0.
  func amount(_ number: Int) throws -> Int {
    if number < 0 { throw mistake("An amount cannot be negative. Write 0 or more, or \"unlimited\".") }
    return number
  }
}
