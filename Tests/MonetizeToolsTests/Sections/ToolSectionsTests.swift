// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools
import Testing

/// Mistakes in the sections of a catalog that only tools read: code, path, position and message.
@Suite(.timeLimit(.minutes(30)))
struct ToolSectionsTests {
  private func diagnostics(_ body: String) -> [Diagnostic] {
    Catalog.validating(Data("{ \"schemaVersion\": 1, \"app\": { \"id\": \"t\", \"name\": \"T\" },\n\(body) }".utf8)).diagnostics
  }
  private func findings(_ body: String) -> [String] { diagnostics(body).map { "\($0.severity) \($0.code) \($0.path)" } }

  @Test("A forecast may reckon with costs and shares of nothing, and with shapes of a curve below 1") func smallNumbers() {
    let plan = #"{ "costPerUse": "0", "mix": { "p": "0" }, "retention": { "p": { "alpha": 0.5, "beta": 0.5 } } }"#
    let product =
      #"{ "kind": "subscription", "id": "p", "name": "P", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "price": { "amount": "1", "currency": "USD" } }"#
    let catalog = #""features": { "f": {} }, "products": [\#(product)], "forecast": { "plan": \#(plan) }"#
    #expect(findings(catalog).filter { $0.contains("forecast") } == [])
  }

  @Test(
    "A wrong value of a forecast is reported with a form that is read",
    arguments: [
      (#""conversion": 2"#, "Expected a string here, but found the number 2. Put it in quotes."),
      (#""conversion": "2""#, "\"2\" is not a share from 0 to 1, such as \"0.04\"."),
      (#""conversion": { "low": "0.1" }"#, "Expected a string here, but found an object."),
      (#""refunds": ["0.1", "0.2"]"#, "Expected a string here, but found an array."),
      (#""costPerUse": 0.05"#, "Expected a string here, but found the number 0.05. Put it in quotes."),
      (#""uses": { "f": 3 }"#, "Expected a string here, but found the number 3. Put it in quotes."),
      (#""retention": { "p": ["0.8", "0.7"] }"#, "Expected a number here, but found the string \"0.8\". Remove the quotes."),
      (#""retention": { "p": 0.8 }"#, "Expected an array here, but found the number 0.8. Put it in brackets"),
    ])
  func forecasts(key: String, message: String) {
    let product =
      #"{ "kind": "subscription", "id": "p", "name": "P", "group": "g", "level": 1, "period": "P1M", "grants": { "f": true }, "price": { "amount": "1", "currency": "USD" } }"#
    let json =
      #"{ "schemaVersion": 1, "app": { "id": "a", "name": "A" }, "features": { "f": {} }, "products": [\#(product)], "forecast": { "x": { \#(key) } } }"#
    let mistakes = Catalog.validating(Data(json.utf8)).diagnostics.filter { $0.path.hasPrefix("forecast") }
    #expect(mistakes.first?.message.hasPrefix(message) == true, "\(mistakes)")
  }

  @Test("A range begins with the smaller share") func range() {
    let range = #""products": [], "forecast": { "plan": { "conversion": ["0.2", "0.1"] } }"#
    #expect(findings(range).contains { $0.hasPrefix("error bad-value forecast.plan.conversion") })
  }

  @Test("A target that cannot be met") func impossible() {
    #expect(findings(#""targets": { "arpu": { "atLeast": "0.05", "atMost": "0.03" } }"#) == ["error impossible-target targets.arpu"])
    #expect(findings(#""targets": { "arpu": { "above": "0.05", "below": "0.05" } }"#) == ["error impossible-target targets.arpu"])
    #expect(findings(#""targets": { "arpu": { "atLeast": "0.05", "atMost": "0.05" } }"#) == [])
  }

  @Test("What a forecast assumes of a product that it leaves out has no effect, and says so") func forecasts() {
    func found(_ product: String, _ forecast: String) -> [String] {
      diagnostics(
        #"""
        "features": { "f": {} }, "products": [{ "kind": "nonConsumable", "id": "p", "name": "P", \#(product) "grants": { "f": true } }],
        "forecast": { "a": { \#(forecast) } }
        """#
      ).map(\.description)
    }
    let price = #""price": { "amount": "4.99", "currency": "USD" },"#
    #expect(
      found("", #""mix": { "p": "1" }"#) == [
        "3:36: warning: \"p\" has no price, so the forecast leaves it out and this has no effect. Remove it here, or change the product. "
          + "[forecast-not-sold] at forecast.a.mix.p"
      ])
    #expect(found(price + #" "onSale": false,"#, #""price": { "p": "1.99" }"#).count == 1)
    #expect(found(price, #""mix": { "p": "1" }, "price": { "p": "1.99" }"#) == [])
  }

  @Test("A mistake in such a section stands in its place among the others, once, and refuses the file") func order() throws {
    let reading = Catalog.validating(
      Data(
        """
        { "schemaVersion": 1, "app": { "id": "t", "name": "T", "nmae": 1 },
          "forecast": { "x": { "conversion": "2", "mix": { "q": "1" }, "uses": { "g": "1", "g": "2", "old": "1" } } },
          "features": { "f": { "aliases": ["old"] } }, "freeTier": { "grants": { "g": true } }, "products": [],
          "targets": { "arpu": { "atLeest": "1" } }, "lint": { "accept": [{ "code": "x", "at": "" }] } }
        """.utf8))
    #expect(reading.catalog == nil)
    #expect(
      reading.diagnostics.map { "\($0.position?.description ?? "") \($0.code) \($0.path)" } == [
        "1:56 unknown-key app.nmae",
        "2:38 bad-value forecast.x.conversion", "2:57 unknown-product forecast.x.mix.q", "2:79 unknown-feature forecast.x.uses.g",
        "2:84 repeated-key forecast.x.uses.g", "2:89 unknown-feature forecast.x.uses.g", "3:74 unknown-feature freeTier.grants.g",
        "4:24 bad-value targets.arpu", "4:67 missing-key lint.accept[0]",
      ])
  }
}
