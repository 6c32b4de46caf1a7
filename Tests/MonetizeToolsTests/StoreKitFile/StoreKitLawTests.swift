// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator
import Testing

@testable import MonetizeTools

@Suite("StoreKit files: laws")
struct StoreKitLawTests {
  /// Up to six products of all kinds in one currency, with any offers.
  private static func json(_ random: inout Random) -> String {
    func any<Element>(_ elements: [Element]) -> Element { elements[Int.random(in: elements.indices, using: &random)] }
    let (currency, prices) = any([("USD", ["0.99", "4.99", "39.99", "1000.00"]), ("JPY", ["160", "4000"]), ("EUR", ["0.99", "12.49"])])
    func price() -> String { #""price": { "amount": "\#(any(prices))", "currency": "\#(currency)" }"# }
    func offer(_ number: Int) -> String {
      let type = any(["introductory", "promotional", "winBack", "code"])
      let mode = any(["freeTrial", "payAsYouGo", "payUpFront"])
      let isRepeated = mode == "payAsYouGo"
      let period = isRepeated ? "" : any(["P3D", "P1W", "P2W", "P1M", "P2M", "P3M", "P6M", "P1Y"])
      let length = isRepeated ? #""PERIOD", "periods": \#(Int.random(in: 1...3, using: &random))"# : #""\#(period)""#
      return
        #"{ "type": "\#(type)", "id": "o\#(number)", "mode": "\#(mode)", "period": \#(length)\#(mode == "freeTrial" ? "" : ", " + price()) }"#
    }
    let products = (0..<Int.random(in: 1...6, using: &random)).map { number in
      let shared = Bool.random(using: &random) ? #", "familyShareable": true"# : ""
      let name = #""id": "p\#(number)", "name": "\#(any(["Pro", "Ünlimited “All”", "Max"])) \#(number)""#
      switch Int.random(in: 0..<5, using: &random) {
      case 0: return #"{ "kind": "nonConsumable", \#(name), \#(price())\#(shared), "grants": { "f": true } }"#
      case 1: return #"{ "kind": "consumable", \#(name), \#(price()), "credits": { "c": 10 } }"#
      case 2: return #"{ "kind": "nonRenewing", \#(name), \#(price()), "period": "P7D", "grants": { "f": true } }"#
      default:
        let period = any(["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"])
        let offers = (0..<Int.random(in: 0...3, using: &random)).map { offer(number * 10 + $0) }.joined(separator: ", ")
        return #"""
          { "kind": "subscription", \#(name), \#(price())\#(shared), "group": "\#(any(["a", "b"]))", "level": \#(number + 1),
            "period": "\#(period)", "offers": [\#(offers.replacingOccurrences(of: "PERIOD", with: period))], "grants": { "f": true } }
          """#
      }
    }
    return #"""
      { "schemaVersion": 1, "app": { "id": "t", "name": "T" }, "features": { "f": {}, "c": { "allowance": "count" } },
        "products": [\#(products.joined(separator: ",\n"))] }
      """#
  }

  @Test("What an export sells is what the catalog sells, and its import sells the same", arguments: LawSeeds.run(20))
  func roundTrip(_ seed: Int) throws {
    var random = Random(UInt64(seed) &* 7_368_787)
    for _ in 0..<10 {
      let text = Self.json(&random)
      guard let catalog = try? Catalog(json: Data(text.utf8)) else { continue }
      var file = StoreKitFile(appID: "t")
      file.update(from: catalog)
      let errors = StoreKitFile.check(Data(file.text.utf8)).filter { $0.severity == .error }
      #expect(errors.isEmpty, "seed \(seed): \(errors)\n\(text)")
      let again = try StoreKitFile(Data(file.text.utf8))
      #expect(again.differences(from: catalog) == [], "seed \(seed)\n\(text)")
      let imported = again.imported(appID: "t", appName: "T")
      let back = try Catalog(json: Data(imported.json.utf8))
      let isSame = Self.sold(back) == Self.sold(catalog)
      #expect(isSame, "\(Set(Self.sold(back)).symmetricDifference(Self.sold(catalog)).sorted())\nseed \(seed)\n\(text)\n\(imported.json)")
    }
  }

  /// What the simulated store sells, in words.
  private static func sold(_ catalog: Catalog) -> [String] {
    catalog.simulatedProducts.map { product in
      let terms = product.terms.map { terms -> String in
        // The file has no id of an introductory offer.
        let offers = terms.offers.map { offer in
          [
            offer.type.rawValue, offer.type == .introductory ? nil : offer.id, offer.mode.rawValue, offer.period.description,
            "\(offer.periods ?? 1)", offer.price?.description,
          ].compactMap { $0 }.joined(separator: " ")
        }
        return "\(terms.group) \(terms.level) \(terms.period) \(offers.sorted())"
      }
      return "\(product.id) \(product.price) \(product.type) \(product.isFamilyShareable) \(terms ?? "")"
    }.sorted()
  }
}
