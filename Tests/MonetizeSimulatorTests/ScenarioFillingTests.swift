// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON
import MonetizeSimulator
import Testing

/// A copy with replaced strings keeps the positions of all values.
@Suite(.timeLimit(.minutes(30)))
struct ScenarioFillingTests {
  private let document = Result {
    try JSONDocument(
      parsing: """
        { "a": ["one", { "two": "tw\\"o", "n": 1.50 }],
          "steps": ["one", { "one": "two" }] }
        """)
  }

  @Test func valuesAreReplacedWithTheirSortsAndKeysWithText() throws {
    let copy = JSONDocument(copying: try document.get().root) { text in
      switch text {
      case "one": .number("12")
      case "two": .string("a \"long\" text\n")
      case "tw\"o": .bool(true)
      default: nil
      }
    }
    #expect(copy.root.text() == #"{"a":[12,{"a \"long\" text\n":true,"n":1.50}],"steps":[12,{"12":"a \"long\" text\n"}]}"#)
    #expect(copy.root["a"]?.elements[0].int == 12 && copy.root["a"]?.elements[0].wording == "12")
    #expect(copy.root["a"]?.elements[1]["n"]?.wording == nil)
  }

  @Test func placesAndPathsAreThoseOfTheOriginal() throws {
    let root = try document.get().root
    let steps = try #require(root["steps"])
    let copy = JSONDocument(copying: steps) { _ in .string("much longer than before") }
    #expect(copy.root.path == "steps" && copy.root.position == steps.position)
    #expect(copy.root.elements[0].position == SourcePosition(line: 2, column: 13))
    #expect(copy.root.elements[1].path == "steps[1]" && copy.root.elements[1].position == steps.elements[1].position)
    #expect(copy.root.elements[1].members[0].keyPosition == SourcePosition(line: 2, column: 22))
    // A copy of a copy does, too.
    let again = JSONDocument(copying: copy.root.elements[1]) { _ in .null }
    #expect(again.root.members[0].value.isNull && again.root.members[0].value.position == SourcePosition(line: 2, column: 29))
    #expect(again.root.members[0].value.path == #"steps[1]["null"]"# || again.root.path == "steps[1]")
  }

  @Test func whatIsVerbatimStaysAsItIs() throws {
    let root = try document.get().root
    let steps = try #require(root["steps"])
    let copy = JSONDocument(copying: root, verbatim: [steps]) { _ in .null }
    #expect(copy.root["steps"] == nil && copy.root.members[1].value.text() == #"["one",{"one":"two"}]"#)
    #expect(copy.root.members[0].value.text() == #"[null,{"null":null,"null":1.50}]"#)
  }

  @Test func readersTakeWhatWasFilledInAsTextWhereTextBelongs() throws {
    let copy = JSONDocument(copying: try document.get().root) { $0 == "one" ? .number("7") : nil }
    let reader = JSONReader(copy)
    let first = try #require(copy.root["a"]?.elements[0])
    #expect(reader.decode(Int.self, from: first) == 7 && reader.decode(String.self, from: first) == "7")
    let number = try #require(copy.root["a"]?.elements[1]["n"])
    #expect(reader.decode(String.self, from: number) == nil)
  }
}
