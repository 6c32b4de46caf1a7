// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeTools

@Suite("StoreKit files: signing keys are never shown")
struct StoreKitKeyTests {
  static let key = "MIGHfakeAgEAfakeMBMGByqGfakeSM49AgEGfakeCCqGSM49fakeAwEHBG0wfake"

  /// Texts with a key, most of them not JSON, as in a file that was edited by hand.
  static let texts = [
    #"{ "subscriptionOffersKeyPair" : { "id" : "K", "privateKey"  "\#(key)" }, "version" : 4 }"#,
    #"{ "id" : "K" "privateKey" : "\#(key)" }"#, #"{ "privateKey" : "\#(key)", }"#, #"{ "privateKey" : "\q\#(key)" }"#,
    "{ \"privateKey\" : \"\(key)\n}",
    #"{"subscriptionOffersKeyPair":{"id":"K","privateKey":"\#(key)"},"products":5,"version":{"major":4}}"#,
    #"{"subscriptionOffersKeyPair":"\#(key)","products":[]}"#, #"{"subscriptionOffersKeyPair":"c2VjcmV0","products":7}"#,
    #"{"subscriptionOffersKeyPair":["c2VjcmV0"],"products":7}"#, #"{"subscriptionOffersKeyPair":{"privateKey":"c2VjcmV0","products":5}"#,
    #"{ "privateKey" : \#(key) }"#, #"{ 'private_key' = 'c2VjcmV0' }"#, #"{ "PrivateKey" : "c2Vj\/cmV0" "#,
    #"{ "products" : [ { "type" : "\#(key)", "displayPrice" : "\#(key)", "recurringSubscriptionPeriod" : "\#(key)" } ] }"#,
    #"{ "products" : "\#(key)", "subscriptionGroups" : [ { "id" : 1, "name" : 2, "subscriptions" : [ { "introductoryOffer" : { "paymentMode" : "\#(key)" } } ] } ] }"#,
    "{ \"privateKey\" : \"-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\" }",
    #"{ “privateKey” : “\#(key)” }"#, #"{"x":"\#(key.prefix(44).map { "\($0)" }.joined())"#,
  ]

  @Test("No message shows a part of a key, and a hidden text has no part of it", arguments: texts.indices)
  func hidden(index: Int) {
    let data = Data(Self.texts[index].utf8)
    let messages = StoreKitFile.check(data).map(\.description).joined(separator: "\n")
    let excerpt = StoreKitFile.hidingKeys(in: data)
    for text in [messages, String(decoding: excerpt, as: UTF8.self)] {
      #expect(!text.contains("fake") && !text.contains("c2Vj") && !text.contains("cmV0"), "\(text)")
    }
    #expect(excerpt.count == data.count)
  }

  @Test("Other parts of a text stay in an excerpt")
  func shown() {
    let text = #"{ "subscriptionOffersKeyPair" : { "privateKey" : "c2VjcmV0" }, "settings" : { "_locale" : "en_US" } }"#
    let hidden = String(decoding: StoreKitFile.hidingKeys(in: Data(text.utf8)), as: UTF8.self)
    #expect(hidden == text.replacingOccurrences(of: "c2VjcmV0", with: String(repeating: "\0", count: 8)))
    let product = SmallFile.text([SmallFile.product("com.example.beacon.a.very.long.product.with.many.words")])
    #expect(StoreKitFile.hidingKeys(in: Data(product.utf8)) == Data(product.utf8))
  }
}
