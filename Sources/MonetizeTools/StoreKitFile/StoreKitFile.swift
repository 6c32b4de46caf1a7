// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

/// An Xcode StoreKit configuration (`.storekit`): every key, also one that is not known here, in the file's own order and layout.
///
/// ```swift
/// var file = try StoreKitFile(Data(contentsOf: url))
/// let notes = file.update(from: catalog)         // changes only what the catalog states otherwise
/// try Data(file.text.utf8).write(to: url)
/// ```
///
/// Apple publishes no description of the file. It is read by the keys that are there, never by its version. O(length of the text).
public struct StoreKitFile: Sendable {
  var tree: StoreKitTree
  let style: StoreKitStyle
  private let original: (tree: StoreKitTree, text: String)?

  /// Reads a file.
  /// - Throws: ``StoreKitFileError`` for a text that is no JSON object. What else may be wrong in it, ``check(_:)`` finds.
  public init(_ data: Data) throws(StoreKitFileError) {
    let bytes = [UInt8](data)
    let document: JSONDocument
    do throws(JSONSyntaxError) { document = try JSONDocument(parsing: bytes) } catch {
      throw StoreKitFileError(diagnostics: [error.diagnostic])
    }
    guard document.root.kind == .object else { throw StoreKitFileError(diagnostics: Self.check(data)) }
    tree = StoreKitTree(document.root)
    style = StoreKitStyle(of: bytes)
    original = (tree, String(decoding: bytes, as: UTF8.self))
  }

  /// An empty file of version 4.0, which Xcode 16 and later open. Its identifier is derived from the app's id, so that it is always the same.
  public init(appID: String) {
    tree = .sorted([
      "identifier": .text(StoreKitIdentifiers.identifier(of: appID)), "nonRenewingSubscriptions": .array([]), "products": .array([]),
      "settings": .object([]), "subscriptionGroups": .array([]),
      "version": .sorted(["major": .int(4), "minor": .int(0)]),
    ])
    style = .xcode
    original = nil
  }

  /// The file as text. One that was not changed is the same, byte by byte; a changed one keeps the layout and all that was not touched.
  public var text: String {
    if let original, original.tree == tree { return original.text }
    return style.text(tree)
  }

  /// Whether it differs from what was read.
  public var isChanged: Bool { original.map { $0.tree != tree } ?? true }

  /// Whether it was read and not made here.
  var isRead: Bool { original != nil }

  /// Whether it is laid out as Xcode lays it out, so that saving it in Xcode changes nothing.
  public var isInXcodeStyle: Bool { StoreKitStyle.xcode.text(tree) == text }

  /// The version of the format; `nil` where the file states none.
  public var version: Version? {
    guard let version = tree["version"], let major = version["major"]?.int else { return nil }
    return Version(major: major, minor: version["minor"]?.int ?? 0)
  }

  /// A version of the format, such as 4.0. It is the oldest reader that can open the file, and no list of what is in it.
  public struct Version: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number before the point.
    public let major: Int
    /// The number behind it.
    public let minor: Int
    /// Makes a version.
    public init(major: Int, minor: Int) { (self.major, self.minor) = (major, minor) }
    /// The older is less.
    public static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
    /// `4.0`.
    public var description: String { "\(major).\(minor)" }
  }
}

/// Why a text is no StoreKit configuration.
public struct StoreKitFileError: Error, Sendable, CustomStringConvertible {
  /// What is wrong, with its place.
  public let diagnostics: [Diagnostic]
  /// One mistake a line.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
