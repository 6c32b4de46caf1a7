// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// A length of time that does not depend on its start. A day is always 24 hours, so daylight saving neither hides nor refills anything.
struct FixedLength: Decodable, JSONPlaceholder {
  let seconds: Int

  /// Decodes the ISO 8601 form. Refuses months, years, and lengths over 68 years.
  init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let period = Period(text) else {
      throw decoder.mistake("\"\(text)\" is not a length of time. Write ISO 8601, such as P7D or PT30M.")
    }
    guard let length = period.fixedSeconds else {
      throw decoder.mistake(
        "\"\(text)\" is not a fixed length: months and years vary. Write it in days, such as P30D for a month or P365D for a year.")
    }
    // Limited to 32 bits, the size of an `Int` on an Apple Watch.
    guard let seconds = Int32(exactly: length) else { throw decoder.mistake("\"\(text)\" is too long: 68 years are the most.") }
    self.seconds = Int(seconds)
  }

  private init(seconds: Int) { self.seconds = seconds }

  static var jsonPlaceholder: FixedLength { FixedLength(seconds: 86400) }
}
