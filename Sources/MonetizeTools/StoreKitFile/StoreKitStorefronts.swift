// SPDX-License-Identifier: Apache-2.0

/// The App Store's storefronts, by the currency of their prices.
///
/// Source: App Store Connect Help, "App Store localizations" and "Currencies for App Store prices", 2026: 175 countries and regions.
enum StoreKitStorefronts {
  /// The ISO 3166-1 alpha-3 codes of each currency's storefronts. The first is that of a new file.
  private static let table: [(currency: String, codes: String)] = [
    (
      "USD",
      """
      USA AFG AGO AIA ALB ARG ARM ATG AZE BEN BFA BHR BHS BLR BLZ BMU BOL BRB BRN BTN BWA CIV CMR COD COG CPV CRI CYM DMA DOM DZA ECU
      FJI FSM GAB GEO GHA GMB GNB GRD GTM GUY HND IRQ ISL JAM JOR KEN KGZ KHM KNA KWT LAO LBN LBR LBY LCA LKA MAC MAR MDA MDG MDV MKD
      MLI MMR MNG MOZ MRT MSR MUS MWI NAM NER NIC NPL NRU OMN PAN PLW PNG PRY RWA SEN SLB SLE SLV STP SUR SWZ SYC TCA TCD TJK TKM TON
      TTO TUN UGA UKR URY UZB VCT VEN VGB VUT YEM ZMB ZWE
      """
    ),
    ("EUR", "DEU AUT BEL BGR BIH CYP ESP EST FIN FRA GRC HRV IRL ITA LTU LUX LVA MLT MNE NLD PRT SRB SVK SVN XKS"),
    ("GBP", "GBR"), ("JPY", "JPN"), ("CNY", "CHN"), ("CAD", "CAN"), ("AUD", "AUS"), ("NZD", "NZL"), ("CHF", "CHE"), ("SEK", "SWE"),
    ("NOK", "NOR"), ("DKK", "DNK"), ("PLN", "POL"), ("CZK", "CZE"), ("HUF", "HUN"), ("RON", "ROU"), ("RUB", "RUS"), ("TRY", "TUR"),
    ("INR", "IND"), ("IDR", "IDN"), ("KRW", "KOR"), ("BRL", "BRA"), ("MXN", "MEX"), ("CLP", "CHL"), ("COP", "COL"), ("PEN", "PER"),
    ("ZAR", "ZAF"), ("EGP", "EGY"), ("NGN", "NGA"), ("TZS", "TZA"), ("ILS", "ISR"), ("AED", "ARE"), ("SAR", "SAU"), ("QAR", "QAT"),
    ("KZT", "KAZ"), ("PKR", "PAK"), ("SGD", "SGP"), ("MYR", "MYS"), ("PHP", "PHL"), ("HKD", "HKG"), ("TWD", "TWN"), ("THB", "THA"),
    ("VND", "VNM"),
  ]

  private static let byCode = Dictionary(
    table.flatMap { row in row.codes.split { $0 == " " || $0 == "\n" }.map { (String($0), row.currency) } },
    uniquingKeysWith: { first, _ in first })

  /// The currency of a storefront; `nil` for an unknown one.
  static func currency(of storefront: String) -> String? { byCode[storefront] }

  /// A storefront with a currency, for a new file; `nil` for a currency that the App Store does not have.
  static func storefront(with currency: String) -> String? {
    table.first { $0.currency == currency }.map { String($0.codes.prefix(3)) }
  }
}
