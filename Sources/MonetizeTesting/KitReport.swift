// SPDX-License-Identifier: Apache-2.0

/// The report of a conformance kit: each behaviour with its reason and its result.
///
/// ```swift
/// @Test func storage() { let report = StateStorageKit { MyStorage(folder) }.run(); #expect(report.passed, "\(report)") }
/// ```
public struct KitReport: Sendable, CustomStringConvertible {
  /// One behaviour.
  public struct Behaviour: Sendable, Hashable {
    /// A stable name, such as `storage.order`.
    public let id: String
    /// The reason why it matters, in one line.
    public let reason: String
    /// The source of the rule, such as a page of the store's documentation; `nil` for a rule of Monetize.
    public let source: String?
    /// The failure; `nil` when the behaviour held or could not be checked.
    public let failure: String?
    /// The reason why it could not be checked; `nil` when it was. An unchecked behaviour has not passed.
    public let notChecked: String?
  }

  /// The checked type.
  public let subject: String
  /// All behaviours, in the order of the checks.
  public internal(set) var behaviours: [Behaviour] = []

  /// Whether at least one behaviour was checked and every checked one held. See ``unchecked`` for the others.
  public var passed: Bool { failed.isEmpty && behaviours.count > unchecked.count }

  /// The behaviours that did not hold.
  public var failed: [Behaviour] { behaviours.filter { $0.failure != nil } }
  /// The behaviours that could not be checked.
  public var unchecked: [Behaviour] { behaviours.filter { $0.notChecked != nil } }

  /// One line for each behaviour, with the failure if there is one.
  public var description: String {
    let lines = behaviours.map { behaviour in
      let mark = behaviour.failure != nil ? "✗" : behaviour.notChecked != nil ? "–" : "✓"
      let source = behaviour.source.map { " [\($0)]" } ?? ""
      let detail = behaviour.failure ?? behaviour.notChecked.map { "Not checked: \($0)" }
      return "\(mark) \(behaviour.id): \(behaviour.reason)\(source)" + (detail.map { "\n    \($0)" } ?? "")
    }
    let held = behaviours.count - failed.count - unchecked.count
    let summary = "\(behaviours.count) behaviours: \(held) held, \(failed.count) failed, \(unchecked.count) not checked"
    return ([subject] + lines + [summary]).joined(separator: "\n")
  }

  /// - Parameter unless: The reason why it cannot be checked, as the end of a sentence; `nil` when it can.
  mutating func check(_ id: String, _ reason: String, unless impossible: String? = nil, _ body: () throws -> String?) {
    if let impossible {
      behaviours.append(Behaviour(id: id, reason: reason, source: nil, failure: nil, notChecked: impossible))
      return
    }
    let failure: String?
    do { failure = try body() } catch { failure = "It threw: \(error)" }
    behaviours.append(Behaviour(id: id, reason: reason, source: nil, failure: failure, notChecked: nil))
  }
}
