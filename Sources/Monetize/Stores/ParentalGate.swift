// SPDX-License-Identifier: Apache-2.0

/// Verifies that an adult is present, with a challenge that a child cannot solve. A PIN that the child knows is not sufficient.
///
/// Source: App Review guideline 1.3 (Kids Category).
public protocol ParentalGate: Sendable {
  /// Shows the challenge. Returns `true` only when an adult passed it.
  func challenge() async -> Bool
}

/// A gate that always fails. The default until the app provides a real one.
public struct ClosedGate: ParentalGate {
  /// Makes a closed gate.
  public init() {}
  /// Returns `false`.
  public func challenge() async -> Bool { false }
}

/// A proof that an adult has just passed the gate. Valid for one paywall and one covered action, in this run of the app, for ten minutes.
public struct GatePass: Sendable, Hashable {
  let number: Int
  /// The monetizer that issued it. Others do not accept it.
  let run: String
}

/// The error of a covered action without a valid pass. Nothing has happened; pass the gate and retry.
public struct GateRequired: Error, Sendable, Hashable, CustomStringConvertible {
  /// The action that needs a pass.
  public let action: ParentalGatePolicy.Action

  /// A description of the remedy.
  public var description: String {
    "This is behind the parental gate (\(action.rawValue)). Call `passParentalGate()` and pass on its result; a pass is valid for one start."
  }
}

/// The error of a parental gate that was not passed.
public struct GateFailed: Error, Sendable, Hashable, CustomStringConvertible {
  /// A description of the error.
  public var description: String { "The parental gate was not passed." }
}
