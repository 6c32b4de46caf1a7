// SPDX-License-Identifier: Apache-2.0

/// What a conformance kit found: each behaviour with its reason, and whether it held.
///
/// ```swift
/// @Test func storage() { let report = StateStorageKit { MyStorage(folder) }.run(); #expect(report.passed, "\(report)") }
/// ```
public struct KitReport: Sendable, CustomStringConvertible {
  /// One behaviour.
  public struct Behaviour: Sendable, Hashable {
    /// A stable name, such as `storage.order`.
    public let id: String
    /// Why it matters, in a line.
    public let reason: String
    /// Who says so, such as a page of the store's documentation; `nil` when it is a rule of ours.
    public let source: String?
    /// What went wrong; `nil` when it held, and when it could not be checked.
    public let failure: String?
    /// Why it could not be checked here; `nil` when it was. What was not checked has not passed.
    public let notChecked: String?
  }

  /// What was checked.
  public let subject: String
  /// All behaviours, in the order in which they were checked.
  public internal(set) var behaviours: [Behaviour] = []

  /// Whether something was checked, and every behaviour that could be checked held. Look at ``unchecked`` as well.
  public var passed: Bool { failed.isEmpty && behaviours.count > unchecked.count }

  /// The behaviours that did not hold.
  public var failed: [Behaviour] { behaviours.filter { $0.failure != nil } }
  /// The behaviours that could not be checked here.
  public var unchecked: [Behaviour] { behaviours.filter { $0.notChecked != nil } }

  /// A line for each behaviour; what failed says why.
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

  /// - Parameter unless: Why it cannot be checked here, as the end of a sentence; `nil` when it can.
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
