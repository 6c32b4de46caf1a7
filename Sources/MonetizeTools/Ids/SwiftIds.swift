// SPDX-License-Identifier: Apache-2.0
public import Monetize
import MonetizeJSON

/// A catalog's names as one Swift file, so that a misspelt name does not compile, nor a question that a feature's shape does not support.
///
/// Deterministic: the same catalog gives the same bytes on every machine. O(size of the catalog).
public struct SwiftIds: Sendable {
  /// Options of the generated file.
  public struct Options: Sendable, Hashable {
    /// The name of the enum around everything; `nil` for the app's name and `Catalog`.
    public var name: String?
    /// Whether the names are public.
    public var isPublic: Bool
    /// Makes options.
    public init(name: String? = nil, isPublic: Bool = false) { (self.name, self.isPublic) = (name, isPublic) }
  }

  /// The text of the file.
  public let text: String

  /// The maximum number of items with a case each. Items of larger collections are named by id.
  static let mostCases = 200

  /// Makes the file. `file` is the catalog's name, for the first line.
  public init(_ catalog: Catalog, file: String, options: Options = Options()) {
    var writer = SwiftIdsWriter(catalog: catalog, access: options.isPublic ? "public " : "")
    var names = SwiftNames()
    let name = options.name.map(SwiftNames.chosen) ?? names.type(catalog.app.name, suffix: "Catalog")
    writer.line(
      "// Made by `monetize generate swift` from \(SwiftIdsWriter.plain(file)). Do not edit: change the catalog and run the command again.")
    writer.line(options.isPublic ? "public import Monetize" : "import Monetize")
    writer.line("")
    writer.block("The names in the catalog of \(catalog.app.name).", "enum \(name)") { $0.all() }
    text = writer.text
  }
}

/// Writes the file line by line.
struct SwiftIdsWriter {
  let catalog: Catalog
  let access: String
  private(set) var text = ""
  private var margin = ""

  init(catalog: Catalog, access: String) { (self.catalog, self.access) = (catalog, access) }

  mutating func line(_ line: String) { text += line.isEmpty ? "\n" : margin + line + "\n" }

  /// Writes a declaration with its body, after a one-line comment.
  mutating func block(_ comment: String, _ head: String, _ body: (inout Self) -> Void) {
    line("/// \(Self.plain(comment))")
    line("\(access)\(head) {")
    margin += "  "
    body(&self)
    margin.removeLast(2)
    line("}")
  }

  mutating func constant(_ comment: String, _ name: String, _ type: String, _ id: String) {
    line("/// \(Self.plain(comment))")
    line("\(access)static let \(name): \(type) = \(Self.literal(id))")
  }

  /// A text on one line.
  static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { isInvisible($0) ? " " : $0 }))
  }

  /// Whether a character has no shape of its own, such as a change of direction: a reader of the file, and a terminal, would show other text.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
  }

  /// A string literal of any text.
  static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      literal += isInvisible(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : scalar.escaped(asASCII: false)
    }
    return literal + "\""
  }

  mutating func all() {
    features()
    let prefix = catalog.app.id + "."
    constants(
      "The products.", "Products", "ProductID",
      catalog.products.map { product in
        let id = product.id.rawValue
        let short = id.hasPrefix(prefix) ? String(id.dropFirst(prefix.count)) : id
        return (id, short, "\(product.name)\(product.isOnSale ? "" : ", no longer sold").")
      })
    constants(
      "The entitlements.", "Entitlements", "EntitlementID",
      catalog.entitlements.map { ($0.id.rawValue, $0.id.rawValue, "\($0.title).") })
    constants(
      "The placements of paywalls.", "Placements", "PlacementID",
      Set(catalog.paywalls.keys).union(catalog.features.compactMap(\.placement)).sorted().map { id in
        (id.rawValue, id.rawValue, "`\(id)`\(catalog.paywall(id)?.headline.map { ": \($0)" } ?? "")")
      })
    collections()
  }

  /// Writes an enum of constants, each with what its name is made from; nothing without any.
  private mutating func constants(_ comment: String, _ name: String, _ type: String, _ all: [(id: String, name: String, comment: String)]) {
    if all.isEmpty { return }
    var names = SwiftNames()
    line("")
    block(comment, "enum \(name)") { writer in
      for one in all { writer.constant(one.comment, names.member(one.name), type, one.id) }
    }
  }
}
