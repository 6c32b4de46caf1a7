// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@Suite(.timeLimit(.minutes(30)))
struct EventPrivacyTests {
  @Test("An event carries ids, dates, codes and lists of features, and no personal data")
  func allowList() {
    var event = MonetizeEvent(.purchaseCompleted, at: Date(timeIntervalSince1970: 0), product: "pack", feature: "story", item: "denny/4")
    event.newlyAllowed = [AccessRequest("story", item: "denny/4")]
    let allowed: Set<String> = [
      "name", "date", "product", "feature", "item", "placement", "error", "newlyAllowed", "noLongerAllowed",
      "environment", "isSimulated", "isTrial", "isPaid", "count", "assignment",
      // What stays on the device: see what a sink that sends is given, below.
      "subject", "properties", "payment",
    ]
    let carried = Set(Mirror(reflecting: event).children.compactMap(\.label))
    #expect(carried.subtracting(allowed).isEmpty, "\(carried.subtracting(allowed))")
    // Parameters are an app's own values in a request; the framework makes the requests of events without any.
    let asked: Set<String> = ["feature", "item", "level", "date", "held", "count", "parameters"]
    let carriesParameters = event.newlyAllowed.contains { !$0.parameters.isEmpty }
    #expect(!carriesParameters)
    let inRequest = Set(Mirror(reflecting: AccessRequest("story")).children.compactMap(\.label))
    #expect(inRequest.subtracting(asked).isEmpty, "\(inRequest.subtracting(asked))")
  }
}
