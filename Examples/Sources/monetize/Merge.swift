// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Monetize

struct Merge: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Merges two records of a player's progress by a catalog's rules.",
    discussion: """
      Each file is a JSON object from the fields of "sync.merge" to values: whole numbers, true or false, dates such as 2026-01-02, or null for \
      none. Every device gets this result, whichever record it receives first.
      """)

  @Argument(help: "The catalog file.", completion: .file(extensions: ["json"]))
  var catalog: String

  @Argument(help: "The first record.", completion: .file(extensions: ["json"]))
  var first: String

  @Argument(help: "The second record.", completion: .file(extensions: ["json"]))
  var second: String

  /// A value as written, with the number for comparison.
  private enum Value: Codable {
    case number(Int), flag(Bool), date(String, Int)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else if let text = try? container.decode(String.self), let date = ISODate.parse(text, in: Calendar.storeCalendar.timeZone) {
        self = .date(text, Int(date.timeIntervalSince1970 * 1000))
      } else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "Write a whole number, true or false, a date such as \"2026-01-02\", or null.")
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .number(let number): try container.encode(number)
      case .flag(let flag): try container.encode(flag)
      case .date(let text, _): try container.encode(text)
      }
    }

    var compared: Int {
      switch self {
      case .number(let number), .date(_, let number): number
      case .flag(let flag): flag ? 1 : 0
      }
    }
  }

  func run() throws {
    guard let policy = try InputFile(catalog).catalog().sync else {
      throw Problem("\(catalog) has no rules under \"sync.merge\". Add them, such as { \"stars\": \"max\" }.")
    }
    let records = try [first, second].map { try record($0, policy) }
    var merged: [String: Value] = [:]
    for (field, number) in policy.merged(records[0].mapValues(\.compared), records[1].mapValues(\.compared)) {
      // Keep the spelling of one of the records.
      let known = records.compactMap { $0[field] }
      merged[field] = known.first { $0.compared == number } ?? .number(number)
    }
    print(try Terminal.json(merged))
  }

  private func record(_ path: String, _ policy: SyncPolicy) throws -> [String: Value] {
    guard let data = FileManager.default.contents(atPath: path) else { throw Problem("\(path) could not be read. Check the path.") }
    let record: [String: Value]
    do { record = try JSONDecoder().decode([String: Value?].self, from: data).compactMapValues { $0 } } catch {
      throw Problem("\(path) is not a record of progress: \(Self.reason(error))")
    }
    if let strange = record.keys.sorted().first(where: { policy.merge[$0] == nil }) {
      let known = policy.merge.keys.sorted().joined(separator: ", ")
      throw Problem("\(path): \"\(strange)\" has no rule under \"sync.merge\" in \(catalog). It has: \(known).")
    }
    return record
  }

  private static func reason(_ error: any Error) -> String {
    guard case .dataCorrupted(let context) = error as? DecodingError, let key = context.codingPath.last else {
      return "write a JSON object, such as { \"stars\": 2 }."
    }
    return "\"\(key.stringValue)\" has a value that cannot be merged. \(context.debugDescription)"
  }
}
