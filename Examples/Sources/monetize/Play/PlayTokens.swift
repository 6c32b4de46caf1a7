// SPDX-License-Identifier: Apache-2.0
import MonetizeTools

/// A line split into words. A quoted text is one word, and so is JSON that begins with a brace or a bracket. Commas between words are
/// dropped.
struct PlayTokens {
  /// The words without an equals sign.
  private(set) var words: [String] = []
  /// The words of the form `key=value`, each value as JSON.
  private(set) var members: [(key: String, json: String)] = []

  init(_ line: String) throws(ToolProblem) {
    var rest = line[...]
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard let first = rest.first else { return }
      if first == "{" || first == "[" {
        words.append(Self.takeJSON(&rest))
      } else if first == "\"" {
        words.append(Self.unquoted(try Self.takeQuoted(&rest)))
      } else {
        let word = rest.prefix { !$0.isWhitespace && $0 != "=" }
        let isKey = word.count < rest.count && rest[word.endIndex] == "=" && !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber }
        if isKey {
          rest = rest[word.endIndex...].dropFirst()
          members.append((String(word), try Self.takeValue(&rest)))
        } else {
          let word = rest.prefix { !$0.isWhitespace }
          rest = rest[word.endIndex...]
          var text = String(word)
          while text.last == "," { text.removeLast() }
          if !text.isEmpty { words.append(text) }
        }
      }
    }
  }

  private static func takeValue(_ rest: inout Substring) throws(ToolProblem) -> String {
    switch rest.first {
    case "{"?, "["?: return takeJSON(&rest)
    case "\""?: return try takeQuoted(&rest)
    default:
      let word = rest.prefix { !$0.isWhitespace }
      rest = rest[word.endIndex...]
      let isPlain = ["true", "false", "null"].contains(word) || (word.first != "0" || word.count == 1) && isNumber(word)
      return isPlain ? String(word) : StepJSON.quoted(String(word))
    }
  }

  private static func isNumber(_ word: Substring) -> Bool {
    let digits = word.first == "-" ? word.dropFirst() : word
    return !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// Reads a text with its quotation marks.
  private static func takeQuoted(_ rest: inout Substring) throws(ToolProblem) -> String {
    var isEscaped = false
    var text = "\""
    for character in rest.dropFirst() {
      text.append(character)
      if character == "\"" && !isEscaped {
        rest = rest.dropFirst(text.count)
        return text
      }
      isEscaped = character == "\\" && !isEscaped
    }
    throw ToolProblem("A closing quotation mark is missing: \(rest)")
  }

  private static func unquoted(_ text: String) -> String { String(text.dropFirst().dropLast()) }

  /// Reads up to the closing bracket, or to the end. The reader of the JSON reports its mistakes.
  private static func takeJSON(_ rest: inout Substring) -> String {
    var (depth, isInText, isEscaped) = (0, false, false)
    var text = ""
    for character in rest {
      text.append(character)
      switch character {
      case _ where isEscaped: isEscaped = false
      case "\\" where isInText: isEscaped = true
      case "\"": isInText.toggle()
      case "{" where !isInText, "[" where !isInText: depth += 1
      case "}" where !isInText, "]" where !isInText: depth -= 1
      default: break
      }
      if depth == 0 { break }
    }
    rest = rest.dropFirst(text.count)
    return text
  }
}
