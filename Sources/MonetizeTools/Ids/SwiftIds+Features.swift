// SPDX-License-Identifier: Apache-2.0
import Monetize

extension SwiftIdsWriter {
  /// Writes each feature with the type of its shape, and an enum for each list of levels.
  mutating func features() {
    var (names, types) = (SwiftNames(), SwiftNames())
    // Reserve the names of the other enums.
    for taken in ["Features", "Products", "Entitlements", "Placements", "Collections"] { _ = types.type(taken) }
    var levels: [(feature: Feature, type: String, levels: [String])] = []
    block("The features.", "enum Features") { writer in
      for feature in writer.catalog.features {
        var type = Self.type(of: feature)
        if feature.part == nil, case let words = feature.shape.levels, !words.isEmpty {
          let name = types.type(feature.id.rawValue, suffix: "Level")
          levels.append((feature, name, words))
          type = "LevelFeature<\(name)>"
        }
        writer.line("/// \(Self.plain(Self.comment(feature)))")
        writer.line("\(writer.access)static let \(names.member(feature.id.rawValue)) = \(type)(\(Self.literal(feature.id.rawValue)))")
      }
    }
    for level in levels {
      line("")
      block("Levels of \(level.feature.title), the lowest first.", "enum \(level.type): String, CaseIterable, Sendable") { writer in
        var names = SwiftNames()
        for word in level.levels { writer.enumCase(names.member(word), word) }
      }
    }
  }

  mutating func enumCase(_ name: String, _ id: String) { line(name == id ? "case \(name)" : "case \(name) = \(Self.literal(id))") }

  /// The type for a feature's shape: for a part, open or not; for an app's own shape, its own description.
  private static func type(of feature: Feature) -> String {
    let shape = Swift.type(of: feature.shape)
    if feature.part != nil { return "AccessFeature" }
    if shape.needsHeld { return "CapacityFeature" }
    if shape.isAboutDates { return "WindowFeature" }
    if shape.isMetered { return shape.countsSeconds ? "TimedFeature" : "CountedFeature" }
    if shape.needsPrices { return "CoinFeature" }
    return shape.isAboutItems ? "ItemFeature" : "AccessFeature"
  }

  private static func comment(_ feature: Feature) -> String {
    var text = feature.title
    if let part = feature.part { text += ": a part of \(part.whole)" }
    if let message = feature.unlockMessage { text += ". \(message)" }
    if let release = feature.release { text += ". Comes with \(release)" }
    return text + (text.last.map { ".!?".contains($0) } == true ? "" : ".")
  }
}
