// SPDX-License-Identifier: Apache-2.0
public import MazePacks
import Monetize

/// The names of the maze files: `<pack>_<story>_<difficulty>.json`, numbers with at least two digits. They are derived from the catalog, so
/// a second pack needs no change here.
public enum MazeFiles {
  /// The file that lists all mazes.
  public static let manifest = "manifest.json"
  /// The file with one sample for each difficulty.
  public static let samples = "difficulty_samples.json"

  /// The file of a level.
  public static func name(of level: StoryLevel) -> String { "\(stem(of: level.story))_\(level.difficulty.rawValue).json" }

  /// All files of the packs, in order.
  public static func names(of packs: [Pack]) -> [String] { levels(of: packs).map(name) }

  static func levels(of packs: [Pack]) -> [StoryLevel] { packs.flatMap(\.stories).flatMap(\.levels) }

  private static func stem(of story: Story) -> String {
    let number = Int(story.id).map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(story.pack)_\(number ?? story.id)"
  }

  /// The level in a name of the old scheme: `lv2` of `denny_07_lv2.json`, also `beginner` and `expert`. `nil` for any other name.
  static func oldLevel(in file: String) -> String? {
    guard file.hasSuffix(".json"), let level = file.dropLast(5).split(separator: "_").last, level.count + 5 < file.count else { return nil }
    if level == "beginner" || level == "expert" { return String(level) }
    return level.hasPrefix("lv") && Int(level.dropFirst(2)) != nil ? String(level) : nil
  }
}
