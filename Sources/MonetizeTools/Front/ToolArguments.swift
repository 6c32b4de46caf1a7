// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

/// The arguments of a verb: paths, `--name value` or `--name=value`, and flags.
struct ToolArguments: Sendable {
  private(set) var paths: [String] = []
  private var values: [String: [String]] = [:]
  private(set) var flags: Set<String> = []

  /// Reads arguments, given the names of a verb's options.
  /// - Throws: ``ToolProblem`` for an unknown option and for a missing value.
  init(_ arguments: some Collection<String>, options: [String], flags known: [String]) throws(ToolProblem) {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--"), argument != "--" else {
        paths.append(argument)
        continue
      }
      let equals = argument.firstIndex(of: "=")
      let name = String(argument[argument.index(argument.startIndex, offsetBy: 2)..<(equals ?? argument.endIndex)])
      if known.contains(name), equals == nil {
        flags.insert(name)
      } else if options.contains(name) {
        guard let value = equals.map({ String(argument[argument.index(after: $0)...]) }) ?? rest.popFirst() else {
          throw ToolProblem("--\(name) needs a value. Write --\(name) value.")
        }
        values[name, default: []].append(value)
      } else {
        let all = (options + known).map { "--\($0)" }
        throw ToolProblem(
          "There is no option \(argument)."
            + didYouMean(
              closestMatch(to: argument, in: all),
              or: all.isEmpty ? "This command has no options." : "The options are \(all.joined(separator: ", "))."))
      }
    }
  }

  /// The last value of an option.
  subscript(_ name: String) -> String? { values[name]?.last }
  /// All values of an option that may be repeated.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// A whole number from 1.
  func number(_ name: String) throws(ToolProblem) -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), number > 0 else {
      throw ToolProblem("--\(name): \"\(text)\" is not a whole number from 1. Write one such as 10.")
    }
    return number
  }

  /// The only path.
  func path(_ what: String) throws(ToolProblem) -> String { try paths(what)[0] }

  /// Exactly as many paths as there are names.
  func paths(_ names: String...) throws(ToolProblem) -> [String] {
    guard paths.count == names.count else {
      let list = names.map { "<\($0)>" }.joined(separator: " ")
      throw ToolProblem("Expected \(list), but found \(paths.isEmpty ? "nothing" : paths.joined(separator: " ")).")
    }
    return paths
  }
}

/// The answer is no; the problem has already been printed.
struct ToolRefusal: Error, Sendable {}
