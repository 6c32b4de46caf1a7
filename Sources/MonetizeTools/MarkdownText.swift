// SPDX-License-Identifier: Apache-2.0

/// Text that Markdown shows as it is.
enum MarkdownText {
  private static let special: Set<Character> = ["\\", "`", "*", "_", "[", "]", "<", ">", "#", "|", "~"]

  /// A text on one line, with a backslash before what would mean something.
  static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if character.isNewline {
        result += " "
      } else {
        if special.contains(character) { result += "\\" }
        result.append(character)
      }
    }
  }
}
