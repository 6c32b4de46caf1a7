// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

/// A scenario about a customer, an app and a store, as a JSON file: steps and expectations.
///
/// A step has exactly one of `do`, `advance`, `expect`, `each`. `set` changes the world until it is set again; a verb (`do`) is an event;
/// expectations are only under `expect`. `Docs/Guides/Scenarios.md` has the vocabulary.
public struct Scenario: Sendable {
  /// One sentence about the scenario.
  public let title: String
  /// The ids of the requirements that the scenario shows.
  public let shows: [String]
  /// The catalog's path, relative to the scenario's file.
  public let catalogPath: String
  /// The date of the beginning.
  public let start: Date
  /// The zone of local times.
  public let zone: TimeZone
  /// The seed of everything random.
  public let seed: UInt64
  /// The parameters with their values.
  public let parameters: [String: String]
  /// The devices, each with its customer, in the file's order.
  var devices: [(name: String, customer: String)]
  /// A merge patch on the catalog.
  let catalogPatch: JSONValue?
  /// The initial settings of the world, with their line.
  let settings: (values: [ScenarioSetting.Value], line: Int)?
  let steps: [ScenarioStep]
  /// The names that a catalog must have.
  var names: [ScenarioName] = []
  /// The words that the scenario may use.
  var vocabulary = ScenarioVocabulary.standard
  /// The place of the catalog's path in the file.
  var catalogPlace: SourcePosition?

  /// The number of steps, with loops expanded.
  public var stepCount: Int { steps.count }

  /// The mistake that the file of the catalog cannot be read, at its path in the scenario. `cause` ends the sentence, such as `cannot be found`.
  public func unreadableCatalog(_ cause: String) -> Diagnostic {
    Diagnostic(
      .error, "unreadable", path: "catalog", position: catalogPlace,
      message: "Its catalog \"\(catalogPath)\" \(cause). The path is relative to the scenario; --catalog replaces it.")
  }
}

/// One step, with its line.
struct ScenarioStep: Sendable {
  enum Content: Sendable {
    case act(any ScenarioVerb, ActionFrame)
    /// `device` limits the next change or renewal to one device; `nil` means the first of any device.
    case advance(ScenarioAdvance, device: String?, note: String?)
    case expect([ScenarioExpectation])
  }
  let content: Content
  let line: Int
}

/// The keys that any verb may have.
struct ActionFrame: Sendable {
  var device: String?
  var member: Member = .customer
  var times = 1
  var expect: [ScenarioExpectation] = []
  var note: String?
}

enum ScenarioAdvance: Sendable {
  case by(Period)
  case to(Date)
  case nextChange
  case nextRenewal

  var text: String {
    switch self {
    case .by(let period): period.isZero ? "no time passes" : "\(period.words) later"
    case .to: "later"
    case .nextChange: "until the next change"
    case .nextRenewal: "until the next renewal"
    }
  }
}

/// A question before the time of asking is known.
struct ScenarioRequest: Sendable {
  var feature: FeatureID
  var item: ItemPath?
  /// The position of the item in its collection, from 1, where ``item`` names only the collection.
  var position: Int?
  var level: String?
  var date: ScenarioDate?
  var held: Int?
  var count = 1

  /// The question at a moment, about the item at its position in a catalog.
  func request(at now: Date, in catalog: Catalog) -> AccessRequest {
    AccessRequest(feature, item: item(in: catalog), level: level, date: date?.date(at: now), held: held, count: count)
  }

  private func item(in catalog: Catalog) -> ItemPath? {
    guard let item, let position else { return item }
    let paths = catalog.collection(item.collection)?.paths ?? []
    return paths.indices.contains(position - 1) ? paths[position - 1] : item
  }

  /// - Parameter counts: Whether the number of uses is mentioned.
  func text(_ names: CatalogWords, counts: Bool = true) -> String {
    let level = level.map { "level \($0)" }
    let parts: [String?] = [
      names.feature(feature), position.map { "\(item?.collection.rawValue ?? "") no. \($0)" } ?? item?.description, level, date?.text,
      held.map { "with \($0)" }, counts && count != 1 ? "× \(count)" : nil,
    ]
    return parts.compactMap { $0 }.joined(separator: " ")
  }
}

/// An instant, or a length before the moment of asking (`-P7D`).
enum ScenarioDate: Sendable {
  case instant(Date)
  case before(Period)

  func date(at now: Date) -> Date {
    switch self {
    case .instant(let date): date
    case .before(let period): now - (period.fixedSeconds ?? now.timeIntervalSince(period.added(to: now, times: -1, in: .storeCalendar)))
    }
  }

  var text: String {
    switch self {
    case .instant(let date): "of \(ISODate.text(date))"
    case .before(let period): "of \(period.words) ago"
    }
  }
}

/// An error for a scenario that cannot be run, with every mistake.
public struct ScenarioError: Error, Sendable, CustomStringConvertible {
  /// The mistakes, in the order of the file.
  public let diagnostics: [Diagnostic]
  /// The mistakes, one per line.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
