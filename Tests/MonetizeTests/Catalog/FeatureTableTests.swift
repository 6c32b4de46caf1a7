// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Monetize

@Suite("The table of feature ids")
struct FeatureTableTests {
  /// Ids of each length with equal beginnings, equal ends, or letters of several bytes; the empty one too.
  static let ids: [String] = (0...40).flatMap { length in
    let same = String(repeating: "x", count: length)
    return [same, same + "1", "1" + same, same + "é", same + "1" + same]
  }

  @Test("Each id of each length is found, also by an equal text that was made anew")
  func eachIsFound() {
    let ids = Array(Set(Self.ids)).sorted()
    let table = FeatureTable(ids.enumerated().map { (FeatureID($1), $0) })
    for (index, id) in ids.enumerated() {
      #expect(table[FeatureID(id)] == index, "\(id)")
      #expect(table[FeatureID(String(decoding: Array(id.utf8), as: UTF8.self))] == index, "\(id), made anew")
      #expect(table[FeatureID(String((id + "?").dropLast()))] == index, "\(id), cut from a longer text")
    }
  }

  @Test("An id that is not in the table is not found, however similar")
  func othersAreNotFound() {
    let ids = Array(Set(Self.ids)).sorted()
    let table = FeatureTable(ids.enumerated().filter { $0.offset % 2 == 0 }.map { (FeatureID($0.element), $0.offset) })
    for (index, id) in ids.enumerated() where index % 2 == 1 { #expect(table[FeatureID(id)] == nil, "\(id)") }
    #expect(FeatureTable([])["story"] == nil)
  }

  @Test("Of two equal ids the later wins")
  func theLaterWins() {
    #expect(FeatureTable([("story", 1), ("story.play", 2), ("story", 3)])["story"] == 3)
  }
}
