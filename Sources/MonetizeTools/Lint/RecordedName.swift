// SPDX-License-Identifier: Apache-2.0

/// The name of something that an app records or sends. Only the name shows what the value may be.
struct RecordedName {
  private let words: [String]

  /// Values that reveal nothing about a person, by the last word of their names: `storyLength`, `levelIndex`.
  private static let harmless: Set<String> = [
    "attempt", "attempts", "category", "chapter", "choice", "coins", "completed", "count", "difficulty", "duration", "feature", "format",
    "index", "item", "items", "kind", "language", "length", "level", "milliseconds", "minutes", "mode", "number", "option", "orientation",
    "page", "pages", "part", "phase", "placement", "position", "product", "quality", "result", "retries", "score", "screen", "seconds",
    "section", "size",
    "source", "speed", "stage", "stars", "step", "style", "success", "tab", "theme", "topic", "total", "type", "variant", "version",
    "volume",
  ]

  /// The words of a name in camel case: `childName` is `child` and `name`, `maxBPM` is `max` and `bpm`, and in `GPSTrack` the last capital
  /// begins the next word.
  init(_ name: String) {
    var words: [String] = []
    let characters = Array(name)
    for (index, character) in characters.enumerated() {
      let isAfterCapital = index > 0 && characters[index - 1].isUppercase
      let isBeforeSmall = index + 1 < characters.count && characters[index + 1].isLowercase
      if !character.isLetter {
        words.append("")
      } else if words.isEmpty || character.isUppercase && (!isAfterCapital || isBeforeSmall) {
        words.append(character.lowercased())
      } else {
        words[words.count - 1] += character.lowercased()
      }
    }
    self.words = words.filter { !$0.isEmpty }
  }

  /// Whether any word is one of these, also as its plural or of two words: `heartRate` has `heartrate`.
  func has(_ named: Set<String>) -> Bool {
    zip(words, words.dropFirst().map { $0 } + [""]).contains { word, next in
      named.contains(word) || named.contains(word + next) || word.hasSuffix("s") && named.contains(String(word.dropLast()))
    }
  }

  /// Whether the name is for something harmless, and has none of these words.
  func isHarmless(besides named: Set<String>) -> Bool { !has(named) && words.last.map(Self.harmless.contains) ?? false }
}

extension LintSubject {
  /// The properties of an app's own events, with the place of their types.
  var eventProperties: [(key: String, place: LintPlace)] {
    root["events"]?["custom"]?.members.flatMap { $0.place["properties"]?.members ?? [] } ?? []
  }

  /// The other names of what an app records, sends or synchronizes.
  var recordedNames: [(what: String, name: String, place: LintPlace)] {
    func names(_ what: String, _ members: [(key: String, place: LintPlace)]?) -> [(what: String, name: String, place: LintPlace)] {
      (members ?? []).map { (what, $0.key, $0.place) }
    }
    return names("The event", root["events"]?["custom"]?.members) + names("The milestone", root["milestones"]?.members)
      + names("The synchronized field", root["sync"]?["merge"]?.members)
  }
}
