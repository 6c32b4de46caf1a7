// SPDX-License-Identifier: Apache-2.0
import MazePacks
import Testing

@Suite(.timeLimit(.minutes(30)))
struct DifficultyTests {
  @Test("MAZE-12: the difficulties are exactly easy, medium, hard, in this order")
  func three() { #expect(Difficulty.allCases.map(\.rawValue) == ["easy", "medium", "hard"]) }

  @Test(
    "MAZE-29, DEF-M5: an old level has a new name by level; lv2, lv4 and old names have none",
    arguments: [
      ("lv1", Difficulty.easy), ("lv2", nil), ("lv3", .medium), ("lv4", nil), ("lv5", .hard), ("lv6", nil), ("easy", nil), ("hard", nil),
      ("beginner", nil), ("expert", nil),
    ])
  func oldLevels(_ old: String, _ new: Difficulty?) { #expect(Difficulty(oldLevel: old) == new) }

  @Test("MAZE-12: an old name is not a difficulty", arguments: ["beginner", "expert", "lv1", "Easy", ""])
  func oldNames(_ name: String) { #expect(Difficulty(rawValue: name) == nil) }
}
