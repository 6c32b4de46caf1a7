// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TerminalLine

@Suite("Editing a line", .timeLimit(.minutes(30)))
struct LineEditorTests {
  /// Decodes the bytes of a terminal.
  static func keys(_ text: String) -> [Key] {
    var decoder = KeyDecoder()
    return Array(text.utf8).compactMap { decoder.take($0) }
  }

  /// The editor after these keys, with `|` at the cursor.
  private func typed(_ text: String, after lines: [String] = []) -> LineEditor {
    var editor = LineEditor { before in
      ["story", "storyLibrary", "launch", "com.example.denny"].filter { word in
        let last = before.components(after: " ")
        return word.hasPrefix(last) || (!last.isEmpty && word.contains("." + last))
      }
    }
    for line in lines { for key in Self.keys(line + "\r") { _ = editor.take(key) } }
    for key in Self.keys(text) { _ = editor.take(key) }
    return editor
  }

  private func shown(_ editor: LineEditor) -> String { editor.text.prefix(editor.cursor) + "|" + editor.text.dropFirst(editor.cursor) }

  @Test(
    "keys move, insert and erase at the cursor",
    arguments: [
      ("abc\u{1B}[D\u{1B}[DX", "aX|bc"), ("abc\u{1B}[HX\u{1B}[FY", "XabcY|"), ("abc\u{01}X\u{05}Y", "XabcY|"),
      ("abc\u{1B}[1~X\u{1B}[4~Y", "XabcY|"), ("abc\u{1B}OH\u{1B}OC\u{1B}[3~", "a|c"), ("abc\u{02}\u{02}\u{06}\u{7F}", "a|c"),
      ("abc\u{08}", "ab|"), ("ab\u{01}\u{04}", "|b"), ("ab\u{1B}[D\u{7F}\u{7F}\u{7F}", "|b"),
      ("one two.three\u{1B}b", "one two.|three"), ("one two.three\u{1B}b\u{1B}b\u{1B}b", "|one two.three"),
      ("one two\u{01}\u{1B}f", "one| two"), ("one two\u{1B}[1;5D", "one |two"),
      ("one two\u{01}\u{1B}[1;5C\u{1B}[1;3C\u{1B}[1;5C", "one two|"),
      ("one two.three\u{17}", "one |"), ("one two  \u{17}", "one |"), ("one two\u{1B}b\u{17}", "|two"), ("one two\u{1B}\u{7F}", "one |"),
      ("one two\u{01}\u{1B}d", "| two"), ("one two\u{01}\u{1B}[3;5~", "| two"), ("one two\u{1B}b\u{0B}", "one |"),
      ("one two\u{1B}b\u{15}", "|two"), ("one two\u{1B}b\u{15}\u{05} \u{19}", "two one |"), ("one\u{17}\u{19}\u{19}", "oneone|"),
      ("\u{7F}\u{15}\u{0B}\u{17}\u{1B}[D\u{1B}[C\u{1B}[3~\u{19}", "|"), ("ab\u{03}c", "c|"),
    ])
  func editing(_ keys: String, _ expected: String) { #expect(shown(typed(keys)) == expected) }

  @Test(
    "one letter is one step, for any number of bytes or scalars",
    arguments: [
      ("aü日😀\u{7F}\u{7F}", "aü|"), ("e\u{301}x\u{1B}[D\u{1B}[D\u{1B}[3~", "|x"), ("👩‍👩‍👧‍👦a\u{1B}[D\u{7F}", "|a"), ("🇩🇪🇫🇷\u{7F}", "🇩🇪|"),
      // The inserted text combines with the text around it.
      ("🇩🇪\u{1B}[DX", "X|🇩🇪"), ("ex\u{1B}[D\u{301}", "é|x"), ("🇩\u{1B}[D🇪", "🇪🇩|"),
    ])
  func graphemes(_ keys: String, _ expected: String) { #expect(shown(typed(keys)) == expected) }

  @Test("unknown bytes and keys are ignored, and the next key is not")
  func rubbish() {
    var editor = typed("a\u{1B}[200~b\u{1B}[15~c\u{1B}[[Ad\u{1B}[Ze\u{1B}OPf\u{00}\u{1C}g\u{85}\u{2028}h\u{1B}xi")
    #expect(editor.text == "abcdefghi")
    var decoder = KeyDecoder()
    for byte in [0xFF, 0xC3, 0x41, 0x80, 0xE2, 0x82, 0xC3, 0xBC, 0xF0, 0x80, 0x80, 0x80, 0xED, 0xA0, 0x80, 0x42] as [UInt8] {
      if let key = decoder.take(byte) { _ = editor.take(key) }
    }
    #expect(editor.text == "abcdefghiAüB")
    #expect(decoder.take(27) == nil && decoder.isAfterEscape && decoder.pause() == .escape && !decoder.isAfterEscape)
    #expect(decoder.pause() == nil)
    // A sequence that is cut off by a control key.
    #expect([27, 91, 49, 13].compactMap { decoder.take($0) } == [.enter])
  }

  @Test("up and down show earlier lines and keep edits in all of them until a line is done")
  func history() {
    let before = ["one", "two", "two", " ", "three"]
    #expect(shown(typed("new\u{1B}[A", after: before)) == "three|")
    #expect(shown(typed("new\u{1B}[A\u{1B}[A\u{1B}[A\u{1B}[A", after: before)) == "one|", "neither blank lines nor the same twice")
    #expect(shown(typed("new\u{1B}[A\u{1B}OA\u{1B}[B\u{0E}", after: before)) == "new|")
    #expect(shown(typed("new\u{10}!\u{10}\u{0E}", after: before)) == "three!|")
    var editor = typed("\u{1B}[A!\u{1B}[A", after: before)
    #expect(editor.take(.enter) == .line("two"))
    #expect(editor.take(.up) == .draw && editor.text == "two")
    #expect(editor.take(.up) == .draw && editor.text == "three", "as it was")
    #expect(editor.take(.down) == .draw && editor.take(.down) == .draw && editor.take(.down) == .bell && editor.text == "")
  }

  @Test("control-R finds earlier lines by a part")
  func search() {
    let before = ["buy denny", "use story", "buy monthly", "wait 7d"]
    #expect(shown(typed("x\u{12}buy", after: before)) == "buy monthly|")
    #expect(shown(typed("x\u{12}buy\u{12}", after: before)) == "buy denny|")
    #expect(shown(typed("x\u{12}buy\u{12}\u{12}", after: before)) == "buy denny|", "there is none before it")
    #expect(shown(typed("x\u{12}buzz", after: before)) == "buy monthly|", "what is nowhere is not looked for")
    #expect(shown(typed("x\u{12}use\u{7F}\u{7F}\u{7F}", after: before)) == "x|")
    #expect(shown(typed("x\u{12}use\u{03}", after: before)) == "x|")
    #expect(shown(typed("x\u{12}use\u{07}", after: before)) == "x|")
    #expect(shown(typed("x\u{12}use\u{1B}[D!", after: before)) == "use stor!|y")
    var editor = typed("\u{12}den", after: before)
    #expect(editor.search?.query == "den")
    #expect(editor.take(.enter) == .line("buy denny") && editor.search == nil && editor.text == "")
    #expect(typed("\u{12}a").text == "", "nothing was written yet")
  }

  @Test("TAB completes the word before the cursor, and leaves the text after it")
  func completion() {
    #expect(shown(typed("lau\t")) == "launch |")
    #expect(shown(typed("buy den\t")) == "buy com.example.denny |")
    #expect(shown(typed("buy den gate\u{1B}b\u{1B}[D\t")) == "buy com.example.denny| gate")
    #expect(shown(typed("st\t")) == "story|")
    var editor = typed("use story now\u{1B}b\u{1B}[D")
    #expect(editor.take(.tab) == .offer(["story", "storyLibrary"]) && shown(editor) == "use story| now")
    editor = typed("zz")
    #expect(editor.take(.tab) == .bell && editor.text == "zz")
  }

  @Test("control-D ends an empty line and erases in others; control-C drops the line; control-L and control-Z reach the terminal")
  func effects() {
    var editor = typed("ab")
    #expect(editor.take(.endOfInput) == .bell && editor.text == "ab")
    #expect(editor.take(.clearScreen) == .clearScreen && editor.take(.suspend) == .suspend && editor.text == "ab")
    #expect(editor.take(.interrupt) == .interrupt && editor.text == "")
    #expect(editor.take(.endOfInput) == .end)
    #expect(editor.take(.escape) == .bell)
    #expect(editor.take(.enter) == .line(""))
    #expect(editor.history.isEmpty)
  }

  static let allKeys: [Key] = [
    .left, .right, .wordLeft, .wordRight, .home, .end, .up, .down, .search, .backspace, .delete, .eraseWord, .eraseNextWord, .eraseToStart,
    .eraseToEnd, .putBack, .tab, .enter, .escape, .clearScreen, .interrupt, .suspend, .endOfInput,
  ]
  static let letters = ["a", "b", " ", ".", "/", "ü", "\u{301}", "日", "😀", "\u{200D}", "🇩", "🇪", "👩", "\u{FE0F}", "s", "t"]

  @Test("random keys: the cursor is always in the text, and the row always fits the terminal", arguments: 0..<40)
  func random(_ seed: UInt64) {
    var dice = SplitMix64(seed: seed)
    var editor = typed("")
    for step in 0..<400 {
      let isLetter = UInt8.random(in: 0..<10, using: &dice) < 6
      let key = isLetter ? .text(Self.letters.randomElement(using: &dice) ?? "") : Self.allKeys.randomElement(using: &dice) ?? .enter
      let before = editor
      let effect = editor.take(key)
      #expect((0...editor.text.count).contains(editor.cursor), "seed \(seed), step \(step)")
      #expect(
        editor.history.count >= before.history.count && (editor.search == nil || !before.history.isEmpty || editor.text == before.text))
      if case .line(let line) = effect { #expect(before.search != nil || line == before.text) }
      if effect == .bell && editor.search == nil && before.search == nil { #expect(editor.text == before.text) }
      let columns = Int.random(in: 1...60, using: &dice)
      let prompt = ["> ", "watch child:max> ", ""].randomElement(using: &dice) ?? ""
      let view = LineView(prompt: prompt, text: editor.text, cursor: editor.cursor, columns: columns)
      #expect(
        view.row.columns <= max(1, columns - 1) && (0...view.row.columns).contains(view.column), "seed \(seed), step \(step): \(view)")
    }
  }

  @Test("random bytes never trap, and never become control characters", arguments: 0..<20)
  func randomBytes(_ seed: UInt64) {
    var dice = SplitMix64(seed: seed)
    var decoder = KeyDecoder()
    var editor = typed("")
    for _ in 0..<2000 {
      let byte =
        Bool.random(using: &dice)
        ? UInt8.random(in: 0...255, using: &dice) : [27, 91, 79, 65, 126, 59, 51].randomElement(using: &dice) ?? 0
      if let key = decoder.take(byte) { _ = editor.take(key) }
      if byte == 9 && decoder.isAfterEscape { _ = decoder.pause() }
      #expect(editor.text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }, "seed \(seed)")
    }
  }
}

@Suite("A line on the screen", .timeLimit(.minutes(30)))
struct LineViewTests {
  private func shown(_ text: String, _ cursor: Int, _ columns: Int, prompt: String = "> ") -> String {
    let view = LineView(prompt: prompt, text: text, cursor: cursor, columns: columns)
    return "\(view.row)@\(view.column)"
  }

  @Test("a short line is shown in full; of a long one, the part around the cursor, with marks at the cuts")
  func window() {
    #expect(shown("launch", 6, 80) == "> launch@8")
    #expect(shown("launch", 0, 9) == "> launch@2")
    #expect(shown("abcdefghij", 10, 10) == "> …fghij@8")
    #expect(shown("abcdefghij", 0, 10) == "> abcde…@2")
    #expect(shown("abcdefghijklmnopqrst", 10, 12) == "> …fghijkl…@8")
    #expect(shown("日本語日本語", 6, 10) == "> …本語@7")
    #expect(shown("abc", 3, 2, prompt: "watch> ") == "c@1" || shown("abc", 3, 2, prompt: "watch> ") == "@0")
    #expect(shown("", 0, 1) == "@0")
  }

  @Test("letters have the width of terminals")
  func widths() {
    #expect("abc".columns == 3 && "ü".columns == 1 && "e\u{301}".columns == 1 && "日本".columns == 4 && "😀".columns == 2)
    #expect("👩‍👩‍👧‍👦".columns == 2 && "🇩🇪".columns == 2 && "❤️".columns == 2 && "\u{301}".columns == 0)
    #expect("한".columns == 2 && "ｱ".columns == 1)
  }

  @Test("columns stay within a width")
  func layout() {
    #expect(LineReader.grid(["a", "bb", "ccc"], width: 80) == "a    bb   ccc")
    #expect(LineReader.grid(["a", "bb", "ccc"], width: 11) == "a    ccc\nbb")
    #expect(LineReader.grid(["abcdef", "b"], width: 3) == "abcdef\nb" && LineReader.grid([], width: 10) == "")
  }
}

/// A repeatable random number generator. Source: SplitMix64, by Sebastiano Vigna, in the public domain.
private struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension String {
  /// The text after the last separator.
  fileprivate func components(after separator: Character) -> String {
    lastIndex(of: separator).map { String(self[index(after: $0)...]) } ?? self
  }
}
