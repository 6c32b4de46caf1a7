// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A length of time that is the same whenever it begins: days are 24 hours, so that a change of clocks neither hides nor refills anything.
struct FixedLength: MeteredAmount {
  /// In seconds.
  let number: Int

  /// Reads the ISO 8601 form; months and years are refused.
  init(_ text: String, _ decoder: any Decoder) throws {
    guard let period = Period(text) else {
      throw decoder.mistake("\"\(text)\" is not a length of time. Write ISO 8601, such as P7D or PT30M.")
    }
    guard let seconds = period.fixedSeconds else {
      throw decoder.mistake(
        "\"\(text)\" is no fixed length: months and years differ. Write it in days, such as P30D for a month or P365D for a year.")
    }
    number = Int(seconds)
  }

  private init(number: Int) { self.number = number }

  static var jsonPlaceholder: FixedLength { FixedLength(number: 86400) }
}
