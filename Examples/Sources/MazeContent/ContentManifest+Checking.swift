// SPDX-License-Identifier: Apache-2.0
public import MazePacks
import Monetize

extension ContentManifest {
  /// Checks the files against the packs. A pure function; the packs define the counts.
  /// - Returns: All findings, file by file.
  public static func check(_ content: MazeContent, against packs: [Pack]) -> [ContentFinding] {
    let levels = Dictionary(MazeFiles.levels(of: packs).map { (MazeFiles.name(of: $0), $0) }) { first, _ in first }
    return checkFiles(content, levels, packs) + checkDifficulties(content, levels) + checkManifest(content, levels) + checkSamples(content)
  }

  private static func checkFiles(_ content: MazeContent, _ levels: [String: StoryLevel], _ packs: [Pack]) -> [ContentFinding] {
    let present = Set(content.files)
    var findings: [ContentFinding] = []
    for file in MazeFiles.names(of: packs) where !present.contains(file) {
      findings.append(.init(code: .missingFile, file: file, message: "The maze is missing. Generate it."))
    }
    for file in content.files where levels[file] == nil {
      if let old = MazeFiles.oldLevel(in: file) {
        let renamed = Difficulty(oldLevel: old).map { "It is called \"\($0.rawValue)\" now: rename the file." }
        let fix = renamed ?? "That level is gone: delete the file."
        findings.append(.init(code: .oldLevel, file: file, message: "The name has the old level \"\(old)\". \(fix)"))
      } else if packs.contains(where: { file.hasPrefix("\($0.id)_") }) {
        let message = "No story of the catalog has this maze. Delete it, or declare the story."
        findings.append(.init(code: .unknownFile, file: file, message: message))
      }
    }
    return findings
  }

  private static func checkDifficulties(_ content: MazeContent, _ levels: [String: StoryLevel]) -> [ContentFinding] {
    content.difficulties.sorted { $0.key < $1.key }.compactMap { file, text in
      guard let difficulty = Difficulty(rawValue: text) else { return unknownDifficulty(text, in: file) }
      guard let named = levels[file]?.difficulty, named != difficulty else { return nil }
      return .init(
        code: .wrongDifficulty, file: file,
        message: "The text is \"\(text)\", the name \"\(named.rawValue)\". Correct one of them.")
    }
  }

  private static func checkManifest(_ content: MazeContent, _ levels: [String: StoryLevel]) -> [ContentFinding] {
    let file = MazeFiles.manifest
    guard let manifest = content.manifest else {
      return [.init(code: .manifestEntries, file: file, message: "There is no readable manifest. Write one with \(levels.count) entries.")]
    }
    var findings: [ContentFinding] = []
    if manifest.total != levels.count {
      let message = "The total is \(manifest.total), and the catalog has \(levels.count) mazes. Correct it."
      findings.append(.init(code: .manifestTotal, file: file, message: message))
    }
    let listed = manifest.entries.map(\.file)
    let missing = Set(levels.keys).subtracting(listed).count
    let foreign = Set(listed).subtracting(levels.keys).count
    let repeated = listed.count - Set(listed).count
    if missing + foreign + repeated > 0 {
      let message = "\(missing) mazes are not listed, \(foreign) entries are no maze, \(repeated) are repeated. Write it anew."
      findings.append(.init(code: .manifestEntries, file: file, message: message))
    }
    let unknown = Set(manifest.entries.map(\.difficulty)).filter { Difficulty(rawValue: $0) == nil }
    return findings + unknown.sorted().map { unknownDifficulty($0, in: file) }
  }

  private static func checkSamples(_ content: MazeContent) -> [ContentFinding] {
    let expected = Difficulty.allCases.map(\.rawValue)
    guard content.samples?.sorted() != expected.sorted() else { return [] }
    let found = content.samples.map { "\($0.count) (\($0.joined(separator: ", ")))" } ?? "no readable file"
    let message = "There is one sample for each of \(expected.joined(separator: ", ")); found \(found). Write these three."
    return [.init(code: .samples, file: MazeFiles.samples, message: message)]
  }

  private static func unknownDifficulty(_ text: String, in file: String) -> ContentFinding {
    let known = Difficulty.allCases.map(\.rawValue).joined(separator: ", ")
    return .init(code: .unknownDifficulty, file: file, message: "There is no difficulty \"\(text)\". Known names: \(known).")
  }
}
