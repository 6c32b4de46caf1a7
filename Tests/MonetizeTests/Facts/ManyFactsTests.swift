// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Monetize

/// Files with many facts that change other facts. A launch reads them before its first answer.
@Suite(.timeLimit(.minutes(30)))
struct ManyFactsTests {
  private static let count = 8000

  private static func use(_ number: Int, _ source: SourceID = "phone") -> Use {
    Use(
      key: "\(number)", feature: "trial", subject: "max", source: source, date: RandomFacts.start + TimeInterval(number) * 86400,
      day: 20_513 + number, zone: "UTC")
  }
  private static func sums(_ use: Use) -> Fact { .history(UsageHistory(like: use, [UsageHistory.Stretch(use)])) }

  /// The facts, and how many are kept.
  static let files: [(name: String, facts: [Fact], kept: Int)] = [
    ("sums of one source after its uses", (0..<count).map { .use(use($0)) } + (0..<count).map { sums(use($0)) }, 1),
    ("sums of many sources", (0..<count).map { sums(use($0, SourceID("s\($0)"))) }, count),
    (
      "removed children",
      (0..<count).map {
        .child(FamilyChild(id: SubjectID("c\($0)"), name: "", isRemoved: true, revision: Revision(RandomFacts.start)))
      } + (0..<count).map { .use(use($0)) },
      2 * count
    ),
  ]

  @Test("Reading is linear: a file of a megabyte takes seconds, not minutes", arguments: files.indices) func linear(_ index: Int) {
    let (name, facts, kept) = Self.files[index]
    let time = ContinuousClock().measure { #expect(CustomerState(facts).facts.count == kept, "\(name)") }
    #expect(time < .seconds(20), "\(name)")
  }
}
