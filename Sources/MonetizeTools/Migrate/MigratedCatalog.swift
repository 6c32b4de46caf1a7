// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

/// A catalog's text in the schema version that this version of Monetize reads.
public struct MigratedCatalog: ToolReport {
  /// The schema version that the text had.
  public let from: Int
  /// The schema version that it has now.
  public let to: Int
  /// The changes, one sentence each, in the order of the text within each step.
  public let changes: [String]
  /// The text. It is the same as before if nothing was to be done.
  public let text: String

  /// Migrates a catalog step by step. O(bytes) per step.
  /// - Parameters:
  ///   - data: The text of the catalog.
  ///   - steps: The known steps.
  ///   - version: The schema version to reach.
  /// - Throws: ``MigrationError`` for text that is not JSON, has no schema version, or has one from which no step leads to `version`.
  public init(
    _ data: Data, steps: [CatalogMigration] = CatalogMigration.standard, to version: Int = Catalog.schemaVersion
  ) throws(MigrationError) {
    var text = CatalogText([UInt8](data))
    let first = try text.version()
    guard first.number <= version else {
      throw MigrationError(
        first.site, "This catalog has schema version \(first.number), and version \(version) is the latest known. Update Monetize.")
    }
    var changes: [String] = []
    for number in first.number..<version {
      guard let step = steps.first(where: { $0.version == number }) else {
        throw MigrationError(try text.version().site, "No step leads from schema version \(number) to \(version). The first version is 1.")
      }
      changes += try text.apply(step)
    }
    (from, to, self.changes, self.text) = (first.number, version, changes, String(decoding: text.bytes, as: UTF8.self))
  }

  /// `from`, `to`, `changes` and `catalog`, the text.
  public var json: String { ToolJSON.object(["from": from, "to": to, "changes": changes, "catalog": text]) }

  /// The changes, or that there are none.
  public var problems: [String] { from == to ? ["schema version \(to) is the current one; nothing to migrate"] : changes }
}

/// Why a catalog cannot be migrated, with its place.
public struct MigrationError: Error, Sendable {
  /// The mistake.
  public let diagnostic: Diagnostic

  init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }
  init(_ site: JSONValue, _ message: String) {
    diagnostic = Diagnostic(.error, "schema-version", path: site.path, position: site.position, message: message)
  }
}

/// The text of a catalog while it is edited.
private struct CatalogText {
  var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private func root() throws(MigrationError) -> JSONValue {
    do { return try JSONDocument(parsing: bytes).root } catch { throw MigrationError(error) }
  }

  func version() throws(MigrationError) -> (number: Int, site: JSONValue) {
    let root = try root()
    guard let site = root["schemaVersion"], let number = site.int else {
      throw MigrationError(root["schemaVersion"] ?? root, "A catalog has a whole number as \"schemaVersion\". Add \"schemaVersion\": 1.")
    }
    return (number, site)
  }

  /// Makes all edits of a step at once, and writes the next version.
  mutating func apply(_ step: CatalogMigration) throws(MigrationError) -> [String] {
    let version = try version()
    var splices = [(range: version.site.byteRange, text: "\(step.version + 1)", change: String?.none)]
    let root = try root()
    for edit in step.edits { splices += try self.splices(edit, root) }
    splices.sort { $0.range.lowerBound < $1.range.lowerBound }
    // Values inside a removed part are removed with it.
    var result: [UInt8] = []
    var copied = 0
    var changes: [String] = []
    for splice in splices where splice.range.lowerBound >= copied {
      result += bytes[copied..<splice.range.lowerBound] + Array(splice.text.utf8)
      copied = splice.range.upperBound
      if let change = splice.change { changes.append(change) }
    }
    bytes = result + bytes[copied...]
    return changes
  }

  private func splices(
    _ edit: CatalogMigration.Edit, _ root: JSONValue
  ) throws(MigrationError) -> [(range: Range<Int>, text: String, change: String?)] {
    switch edit {
    case .rename(let path, let key):
      var splices: [(range: Range<Int>, text: String, change: String?)] = []
      for found in Self.members(path, root) {
        if let other = found.siblings.first(where: { $0.key == key }) {
          throw MigrationError(other.value, "\"\(key)\" is the new name of \"\(found.member.key)\", and both are here. Remove one of them.")
        }
        splices.append((keyRange(found.member), JSONWriter.quoted(key), "\(found.site) is now called \(key)"))
      }
      return splices
    case .remove(let path):
      return Self.members(path, root).map { (range(of: $0), "", "\($0.site) is removed") }
    case .replace(let path, let change):
      return Self.values(path[...], root).compactMap { site, value in
        guard !value.literal.isEmpty, let text = change(value.literal), text != value.literal else { return nil }
        return (value.byteRange, text, "\(site) was \(value.literal) and is now \(text)")
      }
    }
  }

  /// The values at a path, each with its own path. O(values) in all, because a value does not store its path.
  private static func values(_ path: ArraySlice<String>, _ value: JSONValue, at site: String = "") -> [(site: String, value: JSONValue)] {
    guard let step = path.first else { return [(site, value)] }
    let members = value.members.filter { step == "*" || $0.key == step }.map { (joined(site, $0.key), $0.value) }
    let elements = value.elements.enumerated().filter { step == "*" || Int(step) == $0.offset }.map {
      ("\(site)[\($0.offset)]", $0.element)
    }
    return (members + elements).flatMap { values(path.dropFirst(), $0.1, at: $0.0) }
  }

  private static func joined(_ site: String, _ key: String) -> String { site.isEmpty ? key : "\(site).\(key)" }

  /// A member of an object, beside the others.
  private struct Found {
    let site: String
    let siblings: [JSONMember]
    let index: Int
    var member: JSONMember { siblings[index] }
  }

  private static func members(_ path: [String], _ root: JSONValue) -> [Found] {
    guard let key = path.last else { return [] }
    return values(path.dropLast()[...], root).flatMap { site, object in
      let all = object.members
      return all.indices.filter { key == "*" || all[$0].key == key }.map {
        Found(site: joined(site, all[$0].key), siblings: all, index: $0)
      }
    }
  }

  private func keyRange(_ member: JSONMember) -> Range<Int> {
    var end = member.offset + 1
    while bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
    return member.offset..<(end + 1)
  }

  /// A member with the comma behind it, or, for the last one, with the comma before it.
  private func range(of found: Found) -> Range<Int> {
    if found.index + 1 < found.siblings.count { return found.member.offset..<found.siblings[found.index + 1].offset }
    var start = found.index == 0 ? found.member.offset : found.siblings[found.index - 1].value.end
    while bytes[start - 1] <= UInt8(ascii: " ") { start -= 1 }
    return start..<found.member.value.end
  }
}
