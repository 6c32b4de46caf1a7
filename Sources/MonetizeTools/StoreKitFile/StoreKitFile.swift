// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

/// An Xcode StoreKit configuration (`.storekit`) with all its keys, also unknown ones, in the file's own order and layout.
///
/// ```swift
/// var file = try StoreKitFile(Data(contentsOf: url))
/// let notes = file.update(from: catalog)         // changes only what the catalog states otherwise
/// try Data(file.text.utf8).write(to: url)
/// ```
///
/// Apple does not document the format. Reading depends on the keys that are there, never on the version. O(length of the text).
public struct StoreKitFile: Sendable {
  var tree: StoreKitTree
  let style: StoreKitStyle
  private let original: (tree: StoreKitTree, source: StoreKitSource)?
  /// The currency that was set instead of the storefront's.
  var givenCurrency: String?

  /// Reads a file.
  /// - Throws: ``StoreKitFileError`` if the text is not a JSON object, or is a catalog or a scenario. ``check(_:)`` finds other mistakes.
  public init(_ data: Data) throws(StoreKitFileError) {
    let bytes = [UInt8](data)
    let source: StoreKitSource
    do throws(Diagnostic) { source = try StoreKitSource(bytes) } catch {
      throw StoreKitFileError(diagnostics: [error])
    }
    let root = source.document.root
    guard root.kind == .object, StoreKitSource.other(root) == nil else { throw StoreKitFileError(diagnostics: Self.check(data)) }
    tree = StoreKitTree(root)
    style = StoreKitStyle(of: bytes)
    original = (tree, source)
  }

  /// Makes an empty file of version 4.0, which Xcode 16 and later open. Its identifier is derived from the app's id, so that it is always
  /// the same.
  public init(appID: String) {
    tree = .sorted([
      "identifier": .text(StoreKitIdentifiers.identifier(of: appID)), "nonRenewingSubscriptions": .array([]), "products": .array([]),
      "settings": .object([]), "subscriptionGroups": .array([]),
      "version": .sorted(["major": .int(4), "minor": .int(0)]),
    ])
    style = .xcode
    original = nil
  }

  /// The file as text. An unchanged file has the same bytes; a changed one differs only in the bytes of the changed values.
  public var text: String {
    original.map { StoreKitEdit(source: $0.source, style: style).text(tree, before: $0.tree) } ?? style.text(tree)
  }

  /// Whether it differs from the text that was read.
  public var isChanged: Bool { original.map { $0.tree != tree } ?? true }

  /// Whether it was read from a text.
  var isRead: Bool { original != nil }

  /// Whether it has Xcode's layout, so that saving it in Xcode changes nothing.
  public var isInXcodeStyle: Bool { StoreKitStyle.xcode.text(tree) == text }

  /// A text of any file for an excerpt: each character of a signing key is a zero byte, so that positions stay the same. Hides runs of 40
  /// and more Base64 digits, and what follows the name of a private key, also if the text is not JSON. O(length of the text).
  public static func hidingKeys(in data: Data) -> Data { Data(KeyMaterial.hidden(in: [UInt8](data))) }

  /// The version of the format; `nil` if the file has none.
  public var version: Version? {
    guard let version = tree["version"], let major = version["major"]?.int else { return nil }
    return Version(major: major, minor: version["minor"]?.int ?? 0)
  }

  /// A version of the format, such as 4.0: the oldest reader that can open the file, not a list of its content.
  public struct Version: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number before the point.
    public let major: Int
    /// The number after the point.
    public let minor: Int
    /// Makes a version.
    public init(major: Int, minor: Int) { (self.major, self.minor) = (major, minor) }
    /// Whether `a` is older than `b`.
    public static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
    /// `4.0`.
    public var description: String { "\(major).\(minor)" }
  }
}

/// The error for a text that is not a StoreKit configuration.
public struct StoreKitFileError: Error, Sendable, CustomStringConvertible {
  /// The mistakes, with their places.
  public let diagnostics: [Diagnostic]
  /// The mistakes, one per line.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
