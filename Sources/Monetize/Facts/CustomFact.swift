// SPDX-License-Identifier: Apache-2.0

/// A sort of fact that an app brings, such as a visit, which its own conditions and allowances look at:
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
public protocol CustomFact: MergingFact where Key == String {
  /// The word of the sort in storage. It differs from those of Monetize: `transaction`, `use`, …
  static var name: String { get }
  /// What becomes of these facts beyond this device. Default: ``FactPolicy/recorded``.
  static var policy: FactPolicy { get }
}

extension CustomFact {
  /// Told to the customer's other devices, and handed over to an account.
  public static var policy: FactPolicy { .recorded }
}

/// The sorts of facts that an app brings: a value, given to ``Monetizer/Configuration/facts``.
public struct FactSorts: Sendable {
  private var types: [String: any CustomFact.Type] = [:]

  /// None besides those of Monetize.
  public static let standard = FactSorts()

  /// These sorts and one more; of two with one name the later wins.
  public func adding(_ type: any CustomFact.Type) -> FactSorts {
    var copy = self
    copy.types[type.name] = type
    return copy
  }

  /// The sort of that name.
  public subscript(name: String) -> (any CustomFact.Type)? { types[name] }
}

extension CodingUserInfoKey {
  /// Where a decoder of facts finds the ``FactSorts``.
  package static let factSorts = CodingUserInfoKey(rawValue: "monetize.factSorts") ?? { preconditionFailure("a key is never empty") }()
}

/// An app's fact whose type is erased.
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
    throw decoder.mistake("An app's fact is read by its sort.")
  }
}
