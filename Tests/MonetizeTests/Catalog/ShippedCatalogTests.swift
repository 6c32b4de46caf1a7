// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import Testing

@Suite(.timeLimit(.minutes(30)))
struct ShippedCatalogTests {
  @Test("CARD-07: reads without error or warning", arguments: Shipped.names) func readsWithoutErrorOrWarning(name: String) throws {
    let reading = Catalog.reading(try Shipped.data(name))
    #expect(reading.diagnostics.filter { $0.severity != .note } == [])
    #expect(reading.catalog != nil)
  }

  @Test func noOtherCatalogIsShipped() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Shipped.root.appendingPathComponent("Products").path)
    #expect(Set(files.filter { $0.hasSuffix(".json") }) == Set(Shipped.names.map { "\($0).json" }))
  }
}
