// SPDX-License-Identifier: Apache-2.0

/// A length of time that is the same whenever it begins: days are 24 hours, so that a change of clocks neither hides nor refills anything.
struct FixedLength: Decodable, JSONPlaceholder {
  let seconds: Int

  /// Reads the ISO 8601 form; months and years are refused.
  init(from decoder: any Decoder) throws { try self.init(decoder.singleValueContainer().decode(String.self), decoder) }

  init(_ text: String, _ decoder: any Decoder) throws {
    func wrong(_ message: String) -> DecodingError { .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message)) }
    guard let period = Period(text) else { throw wrong("\"\(text)\" is not a length of time. Write ISO 8601, such as P7D or PT30M.") }
    guard let seconds = period.fixedSeconds else {
      throw wrong(
        "\"\(text)\" is no fixed length: months and years differ. Write it in days, such as P30D for a month or P365D for a year.")
    }
    self.seconds = Int(seconds)
  }

  private init(seconds: Int) { self.seconds = seconds }

  static var jsonPlaceholder: FixedLength { FixedLength(seconds: 86400) }
}
