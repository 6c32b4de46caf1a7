// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeSimulator

/// A state file of an app, read without the app. Nothing but ``delete(_:at:)`` changes it.
public struct StateFile: Sendable {
  /// The path, for messages.
  public let path: String
  let stored: StoredState
  let bytes: Int

  /// Reads the bytes of a file. O(bytes).
  /// - Parameters:
  ///   - data: The bytes.
  ///   - path: The path, for messages.
  ///   - facts: The sorts of facts that the app brings.
  /// - Throws: ``ToolProblem`` for a file of a later version.
  public init(_ data: Data, path: String, facts: FactSorts = .standard) throws(ToolProblem) {
    (self.path, bytes) = (path, data.count)
    do { stored = try StoredState([UInt8](data), sorts: facts) } catch { throw ToolProblem("\(path): \(error.description)") }
  }

  /// A line about the whole file.
  var headline: String {
    let parts = [
      CatalogWords.counted(stored.contents.count, "record"), CatalogWords.counted(bytes, "byte"),
      stored.sealed == 0 ? nil : "\(stored.sealed) sealed",
      stored.damage.isEmpty ? "whole" : "damaged in \(CatalogWords.counted(stored.damage.count, "line"))",
      stored.torn == 0 ? nil : "\(CatalogWords.counted(stored.torn, "byte")) of a write that a crash cut off",
      stored.foreign.isEmpty ? nil : "\(CatalogWords.counted(stored.foreign.count, "record")) with facts that this version does not know",
    ]
    return "\(path): " + parts.compactMap { $0 }.joined(separator: ", ") + "\n"
  }

  /// What a person has to know about a damaged file; empty for a whole one.
  public var problems: [String] {
    stored.damage.isEmpty ? [] : ["\(path): this state file is damaged; metered features stay closed, as in the app."]
  }

  /// What an app with the file answers without a connection: the store's last answer is as old as the file, and of a damaged file all
  /// metered features are used up.
  /// - Parameters:
  ///   - catalog: The catalog of the app.
  ///   - member: Who asks.
  ///   - zone: The time zone of the device.
  ///   - more: Facts besides those of the file.
  ///   - now: The time of the question. A later time that the app has seen counts instead.
  public func snapshot(
    of catalog: Catalog, as member: Member = .customer, zone: TimeZone = Calendar.storeCalendar.timeZone, adding more: [Fact] = [],
    at now: Date
  ) -> Snapshot {
    let app = monetizer(catalog, zone, now)
    let snapshot = app.as(member).snapshot
    if more.isEmpty { return snapshot }
    var state = app.state
    state.merge(CustomerState(more))
    return Snapshot(of: state, catalog: catalog, situation: snapshot.situation, at: snapshot.date)
  }

  /// The facts of an app with the file, and its time: `now`, or a later time that the app has seen.
  public func facts(in catalog: Catalog, at now: Date) -> (facts: [Fact], date: Date) {
    let app = monetizer(catalog, Calendar.storeCalendar.timeZone, now)
    return (app.state.facts, app.snapshot.date)
  }

  /// An app that starts with the file, without a store, and writes nothing.
  func monetizer(_ catalog: Catalog, _ zone: TimeZone, _ now: Date) -> Monetizer {
    Monetizer(catalog: catalog) { configuration in
      configuration.storage = Reading(stored: stored, path: path)
      configuration.time = ManualClock(now)
      configuration.zone = { zone }
      configuration.startsByItself = false
    }
  }

  private struct Reading: StateStorage {
    let stored: StoredState
    let path: String
    func load() -> StoredRecords { StoredRecords(records: stored.contents, damaged: stored.damage.isEmpty ? nil : path) }
    func append(_ record: Data) {}
    func replace(with records: [Data]) {}
  }

  // MARK: People

  /// The name of a subject in reports. A child whose id is `customer` is `child:customer`.
  static func name(of subject: SubjectID) -> String {
    if subject == .customer { return "customer" }
    return subject.rawValue == "customer" || subject.rawValue.hasPrefix("child:") ? "child:\(subject.rawValue)" : subject.rawValue
  }

  var people: [String] { Set(stored.facts.compactMap(\.person)).map(Self.name).sorted() }

  /// - Parameter allowsUnknown: Whether a person without a fact is an answer: none of them can be read.
  func subject(_ person: String, allowsUnknown: Bool = false) throws(ToolProblem) -> SubjectID {
    let all = people
    let subject = person == "customer" ? .customer : SubjectID(person.hasPrefix("child:") ? String(person.dropFirst(6)) : person)
    guard allowsUnknown || all.contains(Self.name(of: subject)) else {
      let known = all.isEmpty ? "It has facts about no person." : "It has facts about \(all.joined(separator: ", "))."
      throw ToolProblem("\(path): There is no fact about \"\(person)\". \(known)")
    }
    return subject
  }

  /// Deletes all facts about a person from the file at ``path``. A child of the family is removed for good: no other device brings it back.
  /// - Parameters:
  ///   - person: The id of the person; `customer` for the customer.
  ///   - now: The time of the removal.
  /// - Returns: How many facts were deleted, and what may still have some.
  /// - Throws: ``ToolProblem`` for a person without facts, for a damaged file, for a sealed one, which only the app can write, and for
  ///   a file that cannot be written.
  public func delete(_ person: String, at now: Date) throws(ToolProblem) -> StateDeletion {
    // A person may be in the lines that cannot be read.
    if !stored.damage.isEmpty {
      throw ToolProblem("\(path): This file is damaged, or no state file. Start the app once, which repairs it, and try again.")
    }
    let subject = try subject(person)
    let storage = FileStorage(URL(fileURLWithPath: path))
    var found: StoredState?
    if stored.sealed == 0 {
      do throws(StorageError) {
        found = try stored.remove(from: storage, leaving: { Self.rest(of: $0, without: subject, at: now) }) { $0.person == subject }
      } catch { throw ToolProblem(error.description) }
    }
    guard let found else {
      throw ToolProblem("\(path): This file is sealed, so only the app can change it. In the app, call removeChild(_:).")
    }
    let url = URL(fileURLWithPath: storage.path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)) ?? []
    return StateDeletion(
      path: path, person: person, count: found.state.facts.count { $0.person == subject },
      copies: names.filter { $0.hasPrefix(url.lastPathComponent + ".damaged-") }.sorted(),
      unread: found.unknown)
  }

  private static func rest(of stored: StoredState, without subject: SubjectID, at now: Date) -> [Fact] {
    var rest = CustomerState(stored.facts.filter { $0.person != subject })
    if let child = stored.state.children[subject] {
      rest.insert(.child(FamilyChild(id: child.id, name: "", isRemoved: true, revision: Revision(max(now, child.revision.date)))))
    }
    return rest.facts
  }
}

extension Fact {
  /// The person whom the fact is about; `nil` for one of the whole account.
  var person: SubjectID? {
    if case .child(let child) = sort { return child.id }
    return subject.flatMap { $0 == .everyone ? nil : $0 }
  }

  /// The feature, person and amount of a use that counted, or of a sum of such uses.
  var usage: (feature: FeatureID, subject: SubjectID, amount: Int)? {
    switch sort {
    case .use: use.flatMap { $0.status != .released && $0.amount != Use.unknownAmount ? ($0.feature, $0.subject, $0.amount) : nil }
    case .history(let history): (history.feature, history.subject, history.used)
    default: nil
    }
  }
}
