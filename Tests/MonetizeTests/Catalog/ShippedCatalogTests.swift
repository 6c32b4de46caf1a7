// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON
import Testing

@Suite(.timeLimit(.minutes(30)))
struct ShippedCatalogTests {
  @Test("CARD-07: reads without error or warning", arguments: Shipped.names) func readsWithoutErrorOrWarning(name: String) throws {
    let reading = Catalog.reading(try Shipped.data(name))
    #expect(reading.diagnostics.filter { $0.severity != .note } == [])
    #expect(reading.catalog != nil)
  }

  @Test("A remark is allowed in every object", arguments: Shipped.names) func remarks(name: String) throws {
    var bytes = [UInt8](try Shipped.data(name))
    var objects: [(offset: Int, isEmpty: Bool)] = []
    func find(_ value: JSONValue) {
      if value.kind == .object { objects.append((value.offset, value.count == 0)) }
      for child in value.kind == .object ? value.members.map(\.value) : value.elements { find(child) }
    }
    find(try JSONDocument(parsing: bytes).root)
    for (offset, isEmpty) in objects.reversed() {
      bytes.insert(contentsOf: Array(#""$comment": ["a", { "b": 1 }]\#(isEmpty ? "" : ",")"#.utf8), at: offset + 1)
    }
    #expect(objects.count > 10 && Catalog.reading(Data(bytes)).diagnostics.filter { $0.severity != .note } == [])
  }

  @Test func noOtherCatalogIsShipped() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Shipped.root.appendingPathComponent("Products").path)
    #expect(Set(files.filter { $0.hasSuffix(".json") }) == Set(Shipped.names.map { "\($0).json" }))
  }
}
