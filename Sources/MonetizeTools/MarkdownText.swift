// SPDX-License-Identifier: Apache-2.0

/// Escapes text for Markdown.
enum MarkdownText {
  private static let special: Set<Character> = ["\\", "`", "*", "_", "[", "]", "<", ">", "#", "|", "~"]

  /// The text on one line, with a backslash before characters that have a meaning in Markdown.
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
