// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON
public import MonetizeTools

/// The events of an app's customers: lines of JSON, as written by `EventSink.file(_:)` and `monetize simulate --events`.
public struct EventLog: Sendable {
  /// The events that count, by time.
  let events: [EventRecord]
  /// The number of ignored events: test events in a log with real ones.
  let ignored: Int
  /// Whether the events that count are test events.
  let isTest: Bool
  /// The keys of lines that no event has, sorted.
  private(set) var unknownKeys: [String] = []

  /// Makes a log of records. If some are real, ignores those of the sandbox and the simulator, which would distort the figures. Counts what
  /// several devices of a customer report of one transaction once.
  public init(_ records: [EventRecord]) {
    let sorted = records.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    let tests = Self.tests(sorted)
    // An event without a known environment is real, unless all that is known are tests.
    isTest = !tests.contains(false) && (tests.contains(true) || tests.isEmpty)
    let counted = isTest ? sorted : zip(sorted, tests).filter { $1 != true }.map(\.0)
    ignored = records.count - counted.count
    var known: Set<Report> = []
    // The store can revoke a purchase again after a reversal. Each revocation has its own date, and a reversal that of the revocation before it.
    var revoked: [Report: Date] = [:]
    events = counted.filter { event in
      guard let sale = Report(event, .purchaseCompleted) else { return true }
      if event.name == .purchaseRevoked { revoked[sale] = event.until }
      let isOfRevocation = event.name == .purchaseRevoked || event.name == .purchaseReinstated
      return Report(event, revoked: isOfRevocation ? revoked[sale] : nil).map { known.insert($0).inserted } ?? true
    }
  }

  /// Whether each event is a test; `nil` if it is not known. The first events of an app come before the store's first answer, so an event
  /// without an environment has that of the customer's next event with one, else of an earlier one.
  private static func tests(_ sorted: [EventRecord]) -> [Bool?] {
    var tests = sorted.map { $0.simulated == true ? true : $0.environment.map { $0 != .production } }
    for order in [Array(sorted.indices.reversed()), Array(sorted.indices)] {
      var last: [String: Bool] = [:]
      for index in order {
        let customer = customer(of: sorted[index])
        if let test = tests[index] { last[customer] = test } else { tests[index] = last[customer] }
      }
    }
    return tests
  }

  /// The key of a report about a transaction. A first purchase and a renewal count as the same report, a sale.
  private struct Report: Hashable {
    let customer: String
    let transaction: TransactionID
    let name: MonetizeEvent.Name
    /// The date of the revocation, of a revocation or its reversal.
    let revoked: Date?

    init?(_ event: EventRecord, _ name: MonetizeEvent.Name? = nil, revoked: Date? = nil) {
      guard let transaction = event.transaction else { return nil }
      (customer, self.transaction, self.revoked) = (EventLog.customer(of: event), transaction, revoked)
      self.name = name ?? (event.name == .subscriptionRenewed ? .purchaseCompleted : event.name)
    }
  }

  /// Reads a log. Empty lines are allowed.
  /// - Throws: `ToolProblem` for the first line that is not an event, with its place.
  public init(_ data: Data) throws(ToolProblem) {
    let decoder = JSONDecoder()
    // The errors of the decoder's own strategy lack the path of the date.
    decoder.dateDecodingStrategy = .custom { decoder in
      let value = try decoder.singleValueContainer()
      guard let date = try? Date(try value.decode(String.self), strategy: .iso8601) else {
        throw DecodingError.dataCorruptedError(in: value, debugDescription: "")
      }
      return date
    }
    var records: [EventRecord] = []
    let known = Set(EventRecord.CodingKeys.allCases.map(\.rawValue))
    var unknown: Set<String> = []
    for (number, line) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy({ " \t\r".utf8.contains($0) }) { continue }
      let record: EventRecord
      do { record = try decoder.decode(EventRecord.self, from: Data(line)) } catch {
        throw ToolProblem(Self.mistake(error, in: line, number: number + 1))
      }
      if let count = record.count, count < 1 {
        throw ToolProblem(
          Self.mistake("\"count\" is \(count). Write a whole number from 1.", at: ["count"], in: line, number: number + 1))
      }
      records.append(record)
      let keys = (try? JSONDocument(parsing: [UInt8](line)).root.members.map(\.key)) ?? []
      unknown.formUnion(keys.lazy.filter { !known.contains($0) })
    }
    self.init(records)
    unknownKeys = unknown.sorted()
  }

  /// The mistake of a line that cannot be read.
  private static func mistake(_ error: any Error, in line: Data, number: Int) -> Diagnostic {
    let path =
      switch error as? DecodingError {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): context.codingPath
      case .keyNotFound(_, let context): context.codingPath
      default: [any CodingKey]()
      }
    let what = path.last.map { "\"\($0.stringValue)\" has a value that cannot be read." } ?? "This line is not an event."
    return mistake(
      "\(what) Each line is an object with \"at\", such as \"2026-03-01T12:00:00Z\", and \"name\".", at: path.map(\.stringValue), in: line,
      number: number)
  }

  /// A mistake at a value of a line, or where the line's JSON ends to make sense.
  private static func mistake(_ message: String, at path: [String], in line: Data, number: Int) -> Diagnostic {
    let found: (column: Int, message: String)
    do throws(Diagnostic) {
      let value = path.reduce(try JSONDocument(parsing: [UInt8](line)).root) { $0[$1] ?? $0 }
      found = (value.position.column, message)
    } catch {
      found = (error.position?.column ?? 1, error.message)
    }
    return Diagnostic(
      .error, "not-an-event", path: path.joined(separator: "."), position: SourcePosition(line: number, column: found.column),
      message: found.message)
  }

  /// The customer of an event. Events without a customer belong to one customer.
  static func customer(of event: EventRecord) -> String { event.customer ?? "" }

  /// How many purchases that were begun in the app worked, those that take effect at the next renewal among them. Each one answers an earlier
  /// beginning by the same customer; a purchase in the App Store or by a code has none.
  var completed: Int {
    var begun: [String: [ProductID?: Int]] = [:]
    return events.reduce(0) { count, event in
      let customer = Self.customer(of: event)
      switch event.name {
      case .purchaseStarted: begun[customer, default: [:]][event.product, default: 0] += 1
      case .purchaseCompleted, .planChangeScheduled:
        let open = begun[customer]?.filter { $0.value > 0 } ?? [:]
        guard
          let product = [event.product, nil].first(where: { open[$0] != nil })
            ?? (event.product == nil ? open.keys.min { ($0?.rawValue ?? "") < ($1?.rawValue ?? "") } : nil)
        else { return count }
        begun[customer]?[product, default: 0] -= 1
        return count + 1
      default: break
      }
      return count
    }
  }

  /// The arm of each customer by experiment, and since when. Of several exposures, as on several devices, the earliest counts, as in the app
  /// after a sync.
  var exposures: [ExperimentID: [String: (date: Date, arm: String)]] {
    var first: [ExperimentID: [String: (date: Date, arm: String)]] = [:]
    for event in all(.experimentExposed) {
      guard let experiment = event.experiment, let arm = event.arm else { continue }
      let known = first[experiment]?[Self.customer(of: event)]
      if known.map({ (event.at, arm) < $0 }) ?? true { first[experiment, default: [:]][Self.customer(of: event)] = (event.at, arm) }
    }
    return first
  }

  /// All customers with an event.
  var customers: Set<String> { Set(events.map(Self.customer)) }

  func all(_ name: MonetizeEvent.Name) -> [EventRecord] { events.filter { $0.name == name } }
  func customers(_ name: MonetizeEvent.Name) -> Set<String> { Set(all(name).map(Self.customer)) }
}

extension Sequence<EventRecord> {
  /// The number of uses in these events. A use of a duration is one, however many seconds it has. Stops at the largest number.
  func uses(in catalog: Catalog) -> Int {
    reduce(0) { sum, event in
      let isTime = event.feature.flatMap(catalog.feature).map { type(of: $0.shape).countsSeconds } ?? false
      let (result, isTooMuch) = sum.addingReportingOverflow(isTime ? 1 : Swift.max(0, event.count ?? 1))
      return isTooMuch ? .max : result
    }
  }
}
