// SPDX-License-Identifier: Apache-2.0
import Monetize
import MonetizeTools
import Testing

struct TypedPeriodTests {
  @Test(
    "A length of time is read as people type it",
    arguments: [
      ("7d", "P7D"), ("7 days", "P7D"), ("1 Month", "P1M"), ("a month", "P1M"), ("an hour", "PT1H"), ("month", "P1M"), ("90min", "PT1H30M"),
      ("2 weeks", "P14D"), ("1y", "P1Y"), ("30 s", "PT30S"), ("pt20m", "PT20M"), ("P1W", "P7D"), ("0d", "P0D"), ("99999d", "P99999D"),
      ("3m", "P3M"), ("3 mo", "P3M"),
    ]) func reads(text: String, iso: String)
  { #expect(Period(typed: text)?.description == iso) }

  @Test(
    "A fixed length has minutes where another has months", arguments: [("3m", "PT3M"), ("3 m", "PT3M"), ("3 mo", "P3M"), ("3d", "P3D")])
  func fixed(text: String, iso: String) { #expect(Period(typed: text, isFixed: true)?.description == iso) }

  @Test(
    "Anything else is no length of time",
    arguments: [
      "", " ", "3", "3 3", "d7", "7d d", "7 d 3", "7  d", " 7d", "7d ", "-7d", "1.5h", "a", "a 7d", "an", "100000d",
      "99999999999999999999d",
      "７d", "P", "1 P1D", "fortnight",
    ]) func refuses(text: String)
  { #expect(Period(typed: text) == nil) }
}
