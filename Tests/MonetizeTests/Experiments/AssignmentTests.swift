// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON
import Testing

/// The hash is GrowthBook's: all of its published cases.
@Suite("Assignment", .timeLimit(.minutes(30)))
struct AssignmentTests {
  static func cases(_ part: String) throws -> [JSONValue] {
    let url = Shipped.root.appendingPathComponent("Tests/MonetizeTests/Fixtures/growthbook-cases.json")
    return try JSONDocument(parsing: String(contentsOf: url, encoding: .utf8)).root[part]?.elements ?? []
  }
  static func number(_ value: JSONValue) -> Double { value.numberText.flatMap(Double.init) ?? .nan }
  static func ranges(_ value: JSONValue) -> [Range<Double>] {
    value.elements.map { number($0.elements[0])..<number($0.elements[1]) }
  }

  @Test("FNV-1a gives its published values", arguments: [("", 0x811C_9DC5 as UInt32), ("a", 0xE40C_292C), ("foobar", 0xBF9C_F968)])
  func fnv(text: String, hash: UInt32) {
    #expect(fnv1a32(text) == hash)
  }

  @Test("GrowthBook: hash, both versions, and no third one") func hash() throws {
    let cases = try Self.cases("hash")
    #expect(cases.count == 15)
    for entry in cases {
      let parts = entry.elements
      let version = parts[2].int.flatMap(Assignment.HashVersion.init)
      let bucket = version.map { Assignment.bucket(of: parts[1].string ?? "", seed: parts[0].string ?? "", version: $0) }
      #expect(bucket == (parts[3].isNull ? nil : Self.number(parts[3])), "\(entry.text())")
    }
  }

  @Test("GrowthBook: getBucketRange") func ranges() throws {
    let cases = try Self.cases("getBucketRange")
    #expect(cases.count == 13)
    for entry in cases {
      let (arguments, expected) = (entry.elements[1].elements, Self.ranges(entry.elements[2]))
      let weights = arguments[2].isNull ? nil : arguments[2].elements.map(Self.number)
      let found = Assignment.bucketRanges(of: weights, arms: arguments[0].int ?? 0, coverage: Self.number(arguments[1]))
      #expect(found.count == expected.count)
      for (a, b) in zip(found, expected) {
        #expect(abs(a.lowerBound - b.lowerBound) < 1e-9 && abs(a.upperBound - b.upperBound) < 1e-9, "\(entry.text())")
      }
    }
  }

  @Test("Without weights, a single arm takes every unit") func oneArm() {
    #expect(Assignment.bucketRanges(of: nil, arms: 1, coverage: 1) == [0..<1])
    #expect(Assignment.bucketRanges(of: nil, arms: 0, coverage: 1).isEmpty)
  }

  @Test("GrowthBook: chooseVariation") func choosing() throws {
    let cases = try Self.cases("chooseVariation")
    #expect(cases.count == 13)
    for entry in cases {
      let parts = entry.elements
      #expect(Assignment.arm(at: Self.number(parts[1]), in: Self.ranges(parts[2])) ?? -1 == parts[3].int, "\(entry.text())")
    }
  }

  @Test("GrowthBook: inNamespace") func namespaces() throws {
    let cases = try Self.cases("inNamespace")
    #expect(cases.count == 16)
    for entry in cases {
      let (parts, space) = (entry.elements, entry.elements[2].elements)
      let part = Self.number(space[1])..<Self.number(space[2])
      #expect(Assignment.includes(parts[1].string ?? "", namespace: space[0].string ?? "", part: part) == parts[3].bool, "\(entry.text())")
    }
  }

  static let ids = (0..<10_000).map { "installation-\($0)" }

  private func experiment(_ text: String) throws -> Experiment {
    try #require(Catalog(json: ExperimentTests.file(experiments: text)).experiments.first)
  }

  @Test("MAGIC-43: 10,000 ids at 50/50 give 4,800 to 5,200 in each arm, and the same ones each time") func even() throws {
    let half = try experiment(#"{ "cta": { "arms": [{ "id": "a", "weight": 0.5 }, { "id": "b", "weight": 0.5 }] } }"#)
    let arms = Self.ids.map { half.arm(for: $0)?.id }
    #expect((4_800...5_200).contains(arms.filter { $0 == "a" }.count) && !arms.contains(nil))
    #expect(arms == Self.ids.map { half.arm(for: $0)?.id })
    let third = try experiment(
      #"{ "cta": { "arms": [{ "id": "a", "weight": 0.5 }, { "id": "b", "weight": 0.5 }, { "id": "c", "weight": 0 }] } }"#)
    #expect(arms == Self.ids.map { third.arm(for: $0)?.id }, "an arm without weight moves no customer")
  }

  @Test("Growing a share from 10 to 50 % moves no customer out of an arm or a rollout") func growing() throws {
    func arms(_ coverage: String) throws -> [String?] {
      let experiment = try experiment(
        #"{ "cta": { "coverage": \#(coverage), "arms": [{ "id": "a", "weight": 0.3 }, { "id": "b", "weight": 0.7 }] } }"#)
      return Self.ids.map { experiment.arm(for: $0)?.id }
    }
    let (few, many) = (try arms("0.1"), try arms("0.5"))
    #expect((900...1_100).contains(few.filter { $0 != nil }.count) && (4_800...5_200).contains(many.filter { $0 != nil }.count))
    #expect(zip(few, many).allSatisfy { $0 == nil || $0 == $1 })
    let (tenth, half) = (10.0, 50.0)
    let isIn = { (percent: Double) in Self.ids.map { Assignment.includes($0, in: "soft", percent: percent) } }
    #expect(zip(isIn(tenth), isIn(half)).allSatisfy { !$0 || $1 })
  }

  @Test("An overlay is for 0 to 100 percent of customers, and other shares are refused") func shares() throws {
    func overlay(_ percent: String) throws -> Overlay {
      try Overlay(json: Data(#"{ "id": "o", "percent": \#(percent), "patch": {} }"#.utf8))
    }
    for percent in ["0", "0.5", "100"] { #expect(try overlay(percent).percent == Double(percent)) }
    #expect(try Overlay(json: Data(#"{ "id": "o", "patch": {} }"#.utf8)).percent == 100)
    let patches = try ["on", "on", "off"].map { try Overlay(json: Data(#"{ "id": "o", "patch": { "monetization": "\#($0)" } }"#.utf8)) }
    #expect(patches[0] == patches[1] && patches[0] != patches[2])
    for percent in ["-0.5", "100.5"] { #expect(throws: CatalogError.self) { try overlay(percent) } }
  }

  @Test("Two experiments are independent, unless they are in separate parts of a namespace") func independent() throws {
    let arms = #""arms": [{ "id": "a", "weight": 0.5 }, { "id": "b", "weight": 0.5 }]"#
    let two = try Catalog(json: ExperimentTests.file(experiments: "{ \"x\": { \(arms) }, \"y\": { \(arms) } }")).experiments
    let both = Self.ids.filter { two[0].arm(for: $0)?.id == "a" && two[1].arm(for: $0)?.id == "a" }.count
    #expect((2_300...2_700).contains(both))
    let apart = try Catalog(
      json: ExperimentTests.file(
        experiments: #"{ "x": { "namespace": ["n", 0, 0.4], \#(arms) }, "y": { "namespace": ["n", 0.4, 1], \#(arms) } }"#)
    ).experiments
    #expect(Self.ids.allSatisfy { (apart[0].arm(for: $0) == nil) != (apart[1].arm(for: $0) == nil) })
    let first = Self.ids.filter { apart[0].arm(for: $0) != nil }.count
    #expect((Self.ids.count * 38 / 100...Self.ids.count * 42 / 100).contains(first), "two fifths are in the first part")
  }
}
