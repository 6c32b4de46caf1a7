// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import MazePacks

/// The list of all mazes: `{ "total": 60, "entries": [{ "file": "denny_01_easy.json", "difficulty": "easy" }] }`.
public struct ContentManifest: Sendable, Hashable, Codable {
  /// One maze.
  public struct Entry: Sendable, Hashable, Codable {
    /// The name of the file.
    public var file: String
    /// The difficulty in the file; a text, because it is checked later.
    public var difficulty: String

    /// Makes an entry.
    public init(file: String, difficulty: String) {
      self.file = file
      self.difficulty = difficulty
    }
  }

  /// The number of mazes.
  public var total: Int
  /// The mazes.
  public var entries: [Entry]

  /// Makes a manifest.
  public init(total: Int, entries: [Entry]) {
    self.total = total
    self.entries = entries
  }
}

/// The maze files as read, before the check.
public struct MazeContent: Sendable, Hashable {
  /// The names of all files.
  public var files: [String]
  /// The manifest; `nil` when there is none.
  public var manifest: ContentManifest?
  /// The `difficulty` field of the files that have one, by name.
  public var difficulties: [String: String]
  /// The difficulties in the samples file; `nil` when there is none.
  public var samples: [String]?

  /// Makes a description of files.
  public init(files: [String], manifest: ContentManifest?, difficulties: [String: String], samples: [String]?) {
    self.files = files
    self.manifest = manifest
    self.difficulties = difficulties
    self.samples = samples
  }
}

extension ContentManifest {
  /// Checks a folder with mazes, manifest and samples against the catalog, whose packs define the number of files.
  /// - Returns: All findings; empty when the content fits.
  /// - Throws: A Foundation error when the folder cannot be listed. A file that cannot be read is a finding.
  public static func check(folder: URL, against maze: MazeCatalog) throws -> [ContentFinding] {
    var reader = try ContentReader(folder)
    let content = reader.read()
    return reader.findings + check(content, against: maze.packs)
  }
}

/// Reads a folder of mazes, and records the files that cannot be read.
private struct ContentReader {
  let folder: URL
  let files: [String]
  var findings: [ContentFinding] = []

  init(_ folder: URL) throws {
    self.folder = folder
    files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  mutating func read() -> MazeContent {
    struct Labelled: Decodable { let difficulty: String }
    var content = MazeContent(files: files, manifest: nil, difficulties: [:], samples: nil)
    content.manifest = decode(ContentManifest.self, MazeFiles.manifest)
    content.samples = decode([Labelled].self, MazeFiles.samples)?.map(\.difficulty)
    for file in files where file.hasSuffix(".json") && file != MazeFiles.manifest && file != MazeFiles.samples {
      content.difficulties[file] = decode(Labelled.self, file)?.difficulty
    }
    return content
  }

  private mutating func decode<Value: Decodable>(_ type: Value.Type, _ file: String) -> Value? {
    guard files.contains(file) else { return nil }
    do { return try JSONDecoder().decode(type, from: Data(contentsOf: folder.appendingPathComponent(file))) } catch {
      findings.append(.init(code: .unreadable, file: file, message: "The file is not JSON of the expected shape. Write it anew."))
      return nil
    }
  }
}
