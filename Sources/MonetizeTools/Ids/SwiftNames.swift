// SPDX-License-Identifier: Apache-2.0

/// Legal and unique Swift names for arbitrary ids, the same on every machine.
struct SwiftNames {
  private var taken = UniqueNames()

  /// The name of an id: its words joined, the first in lower case: `story.play` is `storyPlay`, `1-A` is `_1A`. For a duplicate name, the
  /// later id in the file gets a number: `storyPlay2`.
  mutating func member(_ id: String) -> String { Self.quoted(unique(Self.joined(Self.words(id), isType: false))) }

  /// The name of a type: its words joined, each with a capital.
  mutating func type(_ id: String, suffix: String = "") -> String { unique(Self.joined(Self.words(id), isType: true) + suffix) }

  /// A name chosen for a type: as it is if a declaration may have it.
  static func chosen(_ name: String) -> String {
    let isLegal = words(name) == [name] && name.unicodeScalars.first?.properties.isXIDStart == true && !reserved.contains(name)
    var names = SwiftNames()
    return isLegal && !refused.contains(name) ? name : names.type(name)
  }

  private mutating func unique(_ name: String) -> String {
    // An underscore changes a name that the compiler refuses even in backticks.
    taken.unique(Self.refused.contains(name) ? name + "_" : name)
  }

  /// The runs of letters and digits in an id. All other characters separate words, except an apostrophe: `Max's` is one word.
  private static func words(_ id: String) -> [String] {
    var words = [String.UnicodeScalarView()]
    for scalar in id.unicodeScalars where scalar != "'" && scalar != "’" {
      if isWord(scalar) { words[words.count - 1].append(scalar) } else { words.append(.init()) }
    }
    return words.filter { !$0.isEmpty }.map { String($0) }
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
      : scalar.properties.isXIDContinue
        && scalar.properties.generalCategory != .format
  }

  private static func joined(_ words: [String], isType: Bool) -> String {
    let name = words.enumerated().map { index, word in
      isType || index > 0 ? word.prefix(1).uppercased() + word.dropFirst() : lowered(word)
    }.joined()
    guard let first = name.unicodeScalars.first else { return isType ? "Unnamed" : "unnamed" }
    return first.properties.isXIDStart ? name : "_" + name
  }

  /// A word in all capitals becomes lower case; in another word only the first letter does: `AI` is `ai`, `FamilyPlan` is `familyPlan`.
  private static func lowered(_ word: String) -> String {
    word == word.uppercased() ? word.lowercased() : word.prefix(1).lowercased() + word.dropFirst()
  }

  private static func quoted(_ name: String) -> String { reserved.contains(name) ? "`\(name)`" : name }

  /// Names with another meaning after a dot, such as `.none` of an optional, and types that the generated code uses itself.
  private static let refused: Set<String> = [
    "init", "self", "Self", "Type", "Protocol", "_", "none", "some", "Any", "String", "Int", "Sendable", "CaseIterable", "ItemPath",
    "ProductID", "EntitlementID", "PlacementID", "CollectionID", "AccessFeature", "CountedFeature", "TimedFeature", "CapacityFeature",
    "WindowFeature", "LevelFeature", "ItemFeature", "CoinFeature",
  ]

  /// Keywords that a declaration may use in backticks. Source: The Swift Programming Language, "Keywords and Punctuation".
  private static let reserved: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "inout", "internal", "let", "open",
    "operator",
    "precedencegroup", "private", "protocol", "public", "rethrows", "static", "struct", "subscript", "typealias", "var", "break", "case",
    "catch", "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch", "throw",
    "where", "while", "Any", "as", "await", "false", "is", "nil", "super", "throws", "true", "try",
  ]
}
