// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

/// The events of an app's customers: lines of JSON, as written by `EventSink.file(_:)` and `monetize simulate --events`.
public struct EventLog: Sendable {
  /// The events that count, by time.
  let events: [EventRecord]
  /// The number of ignored events: test events in a log with real ones.
  let ignored: Int
  /// Whether the events that count are test events.
  let isTest: Bool

  /// Makes a log of records. If some are real, ignores those of the sandbox and the simulator, which would distort the figures. Counts what
  /// several devices of a customer report of one transaction once.
  public init(_ records: [EventRecord]) {
    func isReal(_ record: EventRecord) -> Bool { record.simulated != true && (record.environment ?? .production) == .production }
    let real = records.filter(isReal)
    isTest = real.isEmpty
    let counted = real.isEmpty ? records : real
    ignored = records.count - counted.count
    var known: Set<Report> = []
    events = counted.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
      .filter { event in Report(event).map { known.insert($0).inserted } ?? true }
  }

  /// What is reported of a transaction. A first purchase and a renewal are both a sale, which is one.
  private struct Report: Hashable {
    let customer: String
    let transaction: TransactionID
    let name: MonetizeEvent.Name

    init?(_ event: EventRecord) {
      guard let transaction = event.transaction else { return nil }
      (customer, self.transaction) = (EventLog.customer(of: event), transaction)
      name = event.name == .subscriptionRenewed ? .purchaseCompleted : event.name
    }
  }

  /// Reads a log. Empty lines are allowed.
  /// - Throws: ``ReportProblem`` for the first line that is not an event, with its place.
  public init(_ data: Data) throws(ReportProblem) {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    var records: [EventRecord] = []
    for (number, line) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { continue }
      let record: EventRecord
      do { record = try decoder.decode(EventRecord.self, from: Data(line)) } catch {
        throw ReportProblem(Self.mistake(error, in: line, number: number + 1))
      }
      if let count = record.count, count < 1 {
        throw ReportProblem(
          Self.mistake("\"count\" is \(count). Write a whole number from 1.", at: ["count"], in: line, number: number + 1))
      }
      records.append(record)
    }
    self.init(records)
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
    do throws(JSONSyntaxError) {
      let value = path.reduce(try JSONDocument(parsing: [UInt8](line)).root) { $0[$1] ?? $0 }
      found = (value.position.column, message)
    } catch {
      found = (error.diagnostic.position?.column ?? 1, error.diagnostic.message)
    }
    return Diagnostic(
      .error, "not-an-event", path: path.joined(separator: "."), position: SourcePosition(line: number, column: found.column),
      message: found.message)
  }

  /// The customer of an event. Events without a customer belong to one customer.
  static func customer(of event: EventRecord) -> String { event.customer ?? "" }

  /// How many purchases worked, those that take effect at the next renewal among them.
  var completed: Int { all(.purchaseCompleted).count + all(.planChangeScheduled).count }

  func all(_ name: MonetizeEvent.Name) -> [EventRecord] { events.filter { $0.name == name } }
  func customers(_ name: MonetizeEvent.Name) -> Set<String> { Set(all(name).map(Self.customer)) }
}

extension Sequence<EventRecord> {
  /// The number of uses in these events. Stops at the largest number.
  var uses: Int {
    reduce(0) { sum, event in
      let (result, isTooMuch) = sum.addingReportingOverflow(Swift.max(0, event.count ?? 1))
      return isTooMuch ? .max : result
    }
  }
}
