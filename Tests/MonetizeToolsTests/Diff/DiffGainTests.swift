// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@testable import MonetizeTools

@Suite("Catalog diff: gains")
struct DiffGainTests {
  @Test(
    "Random edits: each gain is a decision that goes from denied to allowed, and each such decision is a gain", arguments: LawSeeds.run(15))
  func law(_ seed: Int) throws {
    var random = Random(UInt64(seed) &* 6271 &+ 5)
    var (compared, gains) = (0, 0)
    while compared < 8 || (gains == 0 && compared < 100) {
      let old = RandomPair.random(&random)
      let new = old.edited(&random)
      guard let before = try? Catalog(json: Data(old.text().utf8)), let after = try? Catalog(json: Data(new.text().utf8)),
        let paid = try? Catalog(json: Data(new.text(withFreeTier: false).utf8)),
        // The old catalog does not have the new name.
        new.features.allSatisfy({ $0.alias == nil })
      else { continue }
      compared += 1
      // What everyone loses and gains is one change.
      let gained = try CatalogDiff(old: Data(old.text().utf8), new: Data(new.text().utf8)).changes.filter {
        $0.topic == .gains || $0.sentence.hasPrefix("Everyone loses and gains ")
      }
      gains += gained.count
      for change in gained where change.topic == .gains && change.feature != nil {
        for product in change.products {
          let isConfirmed = change.examples.contains { question in
            !question.decision(under: before, owning: product).isAllowed && question.decision(under: after, owning: product).isAllowed
          }
          #expect(isConfirmed, "seed \(seed): \(change.sentence)\n\(old.text())\n\(new.text())")
        }
      }
      let reported = Set(
        gained.flatMap { change in
          (change.products.isEmpty ? before.products.map(\.id) : change.products).map { "\($0) \(change.feature?.rawValue ?? "")" }
        })
      // A product that is new has a change of its own.
      let sold = Set(before.products.map(\.id.rawValue))
      for asked in RandomQuestions.denied(new, paid, before, &random) where asked.allSatisfy({ sold.contains(String($0.prefix(2))) }) {
        #expect(!reported.isDisjoint(with: asked), "seed \(seed): \(asked) is gained and not reported\n\(old.text())\n\(new.text())")
      }
    }
    #expect(gains > 0, "seed \(seed): nothing was gained, so that nothing was shown")
  }
}
