// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A sort of fact that an app defines, such as a visit. The app's own conditions and allowances can read it:
///
/// ```swift
/// struct Visit: CustomFact {
///   static let name = "visit"
///   var key: String
///   var date: Date
///   func merged(with other: Self) -> Self { date <= other.date ? self : other }
/// }
/// let monetizer = Monetizer(catalog: catalog) { $0.facts = .standard.adding(Visit.self) }
/// await monetizer.record(Visit(key: "museum", date: now))
/// ```
///
/// `merged(with:)`, `==` and `hash(into:)` run while the facts are locked. They must be short and must not call the monetizer: such a call
/// would never return.
public protocol CustomFact: MergingFact where Key == String {
  /// The key of the sort in storage. Must differ from the keys of Monetize: `transaction`, `use`, …
  static var name: String { get }
  /// How these facts are shared and handed over. Default: ``FactPolicy/recorded``.
  static var policy: FactPolicy { get }
}

extension CustomFact {
  /// Shared with the customer's other devices, and handed over to an account.
  public static var policy: FactPolicy { .recorded }
}

/// The sorts of facts that an app defines. Set it in ``MonetizeConfiguration/facts``.
public typealias FactSorts = Registry<any CustomFact.Type>

extension Registry where Entry == any CustomFact.Type {
  /// No sorts besides those of Monetize.
  public static var standard: Self { Self() }

  /// Adds a sort. Replaces a sort of the same name.
  public func adding(_ type: any CustomFact.Type) -> Self { adding(type.name, type) }

  /// A decoder of facts of these sorts and those of Monetize.
  var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.userInfo[.factSorts] = self
    return decoder
  }
}

extension CodingUserInfoKey {
  /// The key under which a decoder of facts finds the ``FactSorts``.
  package static let factSorts = CodingUserInfoKey(rawValue: "monetize.factSorts") ?? { preconditionFailure("a key is never empty") }()
}

extension FactSet where F == AnyCustomFact {
  /// The facts of one sort, sorted by key. O(n log n) in the facts of the sort, O(n) in all.
  func facts<Record: CustomFact>(of sort: Record.Type) -> [Record] {
    values.compactMap { $0.record as? Record }.sorted { $0.key < $1.key }
  }
}

/// A type-erased fact of the app.
package struct AnyCustomFact: MergingFact {
  package struct Key: Sendable, Hashable, Comparable {
    let name: String
    let key: String
    package static func < (a: Self, b: Self) -> Bool { (a.name, a.key) < (b.name, b.key) }
  }
  package let record: any CustomFact

  init(_ record: any CustomFact) { self.record = record }

  package var name: String { type(of: record).name }
  var policy: FactPolicy { type(of: record).policy }
  package var key: Key { Key(name: name, key: record.key) }

  package func merged(with other: Self) -> Self {
    func merge<F: CustomFact>(_ record: F) -> Self { (other.record as? F).map { AnyCustomFact(record.merged(with: $0)) } ?? self }
    return merge(record)
  }

  package static func == (a: Self, b: Self) -> Bool { AnyHashable(a.record) == AnyHashable(b.record) }
  package func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(record)) }
  package func encode(to encoder: any Encoder) throws { try record.encode(to: encoder) }
  package init(from decoder: any Decoder) throws {
    throw decoder.mistake("An app's fact needs its registered type.")
  }
}
