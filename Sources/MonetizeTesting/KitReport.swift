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
    /// What went wrong; `nil` when it held.
    public let failure: String?
  }

  /// What was checked.
  public let subject: String
  /// All behaviours, in the order in which they were checked.
  public internal(set) var behaviours: [Behaviour] = []

  /// Whether every behaviour held.
  public var passed: Bool { behaviours.allSatisfy { $0.failure == nil } }

  /// A line for each behaviour; what failed says why.
  public var description: String {
    let lines = behaviours.map { "\($0.failure == nil ? "✓" : "✗") \($0.id): \($0.reason)" + ($0.failure.map { "\n    \($0)" } ?? "") }
    return ([subject] + lines).joined(separator: "\n")
  }

  mutating func check(_ id: String, _ reason: String, _ body: () throws -> String?) {
    let failure: String?
    do { failure = try body() } catch { failure = "It threw: \(error)" }
    behaviours.append(Behaviour(id: id, reason: reason, failure: failure))
  }

  mutating func check(_ id: String, _ reason: String, _ body: () async throws -> String?) async {
    let failure: String?
    do { failure = try await body() } catch { failure = "It threw: \(error)" }
    behaviours.append(Behaviour(id: id, reason: reason, failure: failure))
  }
}
