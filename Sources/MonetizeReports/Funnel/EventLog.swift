// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// The events of an app's customers: lines of JSON, as written by ``EventSink/file(_:)`` and `monetize simulate --events`.
public struct EventLog: Sendable {
  /// The events that count, by time.
  let events: [EventRecord]
  /// The number of ignored events: test events in a log with real ones.
  let ignored: Int
  /// Whether the events that count are test events.
  let isTest: Bool

  /// Makes a log of records. If some are real, ignores those of the sandbox and the simulator, which would distort the figures.
  public init(_ records: [EventRecord]) {
    func isReal(_ record: EventRecord) -> Bool { record.simulated != true && (record.environment ?? .production) == .production }
    let real = records.filter(isReal)
    isTest = real.isEmpty
    let counted = real.isEmpty ? records : real
    ignored = records.count - counted.count
    events = counted.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  /// Reads a log. Empty lines are allowed.
  /// - Throws: ``ReportProblem`` for the first line that is not an event.
  public init(_ data: Data) throws(ReportProblem) {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    var records: [EventRecord] = []
    for (number, line) in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { continue }
      guard let record = try? decoder.decode(EventRecord.self, from: Data(line)) else {
        throw ReportProblem(
          "Line \(number + 1) is not an event. Each line is an object with \"at\", such as \"2026-03-01T12:00:00Z\", and \"name\".")
      }
      records.append(record)
    }
    self.init(records)
  }

  /// The customer of an event. Events without a customer belong to one customer.
  static func customer(of event: EventRecord) -> String { event.customer ?? "" }

  func all(_ name: MonetizeEvent.Name) -> [EventRecord] { events.filter { $0.name == name } }
  func customers(_ name: MonetizeEvent.Name) -> Set<String> { Set(all(name).map(Self.customer)) }
}
