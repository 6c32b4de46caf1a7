// SPDX-License-Identifier: Apache-2.0

/// Finds out whether an adult is there: a question that a child cannot answer. A child's PIN is none.
///
/// Source: App Review guideline 1.3 (Kids Category).
public protocol ParentalGate: Sendable {
  /// Shows the challenge; `true` only when an adult passed it.
  func challenge() async -> Bool
}

/// A gate that nobody passes: what a catalog with a gate has until the app gives it a real one.
public struct ClosedGate: ParentalGate {
  /// Makes a closed gate.
  public init() {}
  /// Never passed.
  public func challenge() async -> Bool { false }
}

/// That an adult has just passed the gate. Good for one paywall and one start of something behind the gate, in this run of the app, for ten
/// minutes.
public struct GatePass: Sendable, Hashable {
  let number: Int
  /// The monetizer that gave it; another one does not take it.
  let run: String
}

/// That something behind the parental gate was started without a fresh pass. Nothing has happened; pass the gate and try again.
public struct GateRequired: Error, Sendable, Hashable, CustomStringConvertible {
  /// The door that was closed.
  public let door: ParentalGatePolicy.Door

  /// What to do.
  public var description: String {
    "This is behind the parental gate (\(door.rawValue)). Call `passParentalGate()` and hand its pass on; a pass is good for one start."
  }
}

/// That nobody passed the gate.
public struct GateFailed: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened.
  public var description: String { "The parental gate was not passed." }
}
