// SPDX-License-Identifier: Apache-2.0
import Foundation
import MonetizeJSON
import Testing

@Suite(.timeLimit(.minutes(30)))
struct JSONValueTests {
  @Test func valuesKnowWhatAndWhereTheyAre() throws {
    let root = try JSONDocument(
      parsing: """
        { "products": [ { "price": { "amount": "8.99" }, "n": 2.0 } ],
          "story.play": [1, -9223372036854775808, 9223372036854775808, 2e0],
          "a\\u0062": true, "ab": false, "": null }
        """
    ).root
    let amount = try #require(root["products"]?.elements.first?["price"]?["amount"])
    #expect(amount.path == "products[0].price.amount")
    #expect(amount.position == SourcePosition(line: 1, column: 40))
    #expect(amount.string == "8.99")
    #expect(root["products"]?.elements.first?["n"]?.int == nil)
    #expect(root["products"]?.elements.first?["n"]?.numberText == "2.0")
    #expect(root["story.play"]?.elements.map(\.int) == [1, .min, nil, nil])
    #expect(root["story.play"]?.elements.last?.path == "[\"story.play\"][3]")
    #expect(root["ab"]?.bool == true)
    #expect(root.members.map(\.key) == ["products", "story.play", "ab", "ab", ""])
    #expect(root.members[3].keyPosition == SourcePosition(line: 3, column: 20))
    #expect(root[""]?.path == "[\"\"]")
    #expect(root.path == "" && root["zz"] == nil && root["ab"]?["x"] == nil)
    #expect(root["ab"] != root.members[3].value)
    #expect(Set([root["ab"], root["ab"]]).count == 1)
  }

  @Test(
    arguments: [
      (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
      (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
      (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
      (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#), (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
      (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#), (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
      (#"{"a":"foo"}"#, #""bar""#, #""bar""#), (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
      ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#), ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
  func mergesAsTheAppendixOfRFC7396(_ target: String, _ patch: String, _ expected: String) throws {
    let patch = try JSONDocument(parsing: patch).root
    #expect(try JSONDocument(parsing: target).root.applying(mergePatch: patch) == expected)
  }

  @Test func writesTexts() throws {
    let root = try JSONDocument(parsing: #"{ "a" : [1.50, {}], "b": {"c":"\u0007\"\u00e9"}, "d":[] }"#).root
    #expect(root.text() == #"{"a":[1.50,{}],"b":{"c":"\u0007\"é"},"d":[]}"#)
  }

  @Test func nearWordsAreFoundAndFarOnesAreNot() {
    let keys = ["price", "period", "id", "entitlements", "productID"]
    #expect(closestMatch(to: "prise", in: keys) == "price")
    #expect(closestMatch(to: "preiod", in: keys) == "period")
    #expect(closestMatch(to: "entitlement", in: keys) == "entitlements")
    #expect(closestMatch(to: "ProductId", in: keys) == "productID")
    #expect(closestMatch(to: "ID", in: keys) == "id")
    #expect(closestMatch(to: "xy", in: keys) == nil)
    #expect(closestMatch(to: "banana", in: keys) == nil)
    #expect(closestMatch(to: "", in: keys) == nil)
    // What both have before a dot says nothing.
    #expect(closestMatch(to: "com.example.rich.yearly", in: ["com.example.rich.monthly"]) == nil)
    #expect(
      closestMatch(to: "com.example.rich.yaerly", in: ["com.example.rich.monthly", "com.example.rich.yearly"]) == "com.example.rich.yearly")
    #expect(closestMatch(to: "com.exmaple.rich.yearly", in: ["com.example.rich.yearly"]) == "com.example.rich.yearly")
    #expect(closestMatch(to: String(repeating: "x", count: 100_000), in: keys) == nil)
  }
}
