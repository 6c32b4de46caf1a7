// SPDX-License-Identifier: Apache-2.0
public import Monetize
import MonetizeJSON

/// A person with an account at the store.
public struct CustomerID: StringIdentifier {
  /// The text, such as `ann`.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Who buys where nobody says.
  public static let customer: Self = "customer"
}

/// A device of a customer.
public struct DeviceID: StringIdentifier {
  /// The text, such as `phone`.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The device where nobody says.
  public static let device: Self = "device"
}

/// Why the simulated world cannot do what it was asked to: a mistake of the test or scenario, never of the app.
public struct SimulationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What sort of mistake. An open set.
  public struct Code: StringIdentifier {
    /// The text.
    public let rawValue: String
    /// Makes a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A product, customer, device, quirk or API that is not there.
    public static let unknownName: Self = "unknownName"
    /// There is nothing that this could be done to: nothing to approve, nothing to refund.
    public static let nothingToDo: Self = "nothingToDo"
    /// The customer's payment method does not work.
    public static let cannotPay: Self = "cannotPay"
    /// An offer is not for this customer, or not any more.
    public static let notEligible: Self = "notEligible"
    /// The product is not sold, or not where the customer is.
    public static let notSold: Self = "notSold"
    /// A value outside its range.
    public static let invalidValue: Self = "invalidValue"
  }

  /// What sort of mistake.
  public let code: Code
  /// What is wrong and how to mend it, in one or two sentences.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }

  static func unknown(_ what: String, _ name: String, among known: [String]) -> SimulationError {
    let hint =
      closestMatch(to: name, in: known).map { "Did you mean \"\($0)\"?" }
      ?? (known.isEmpty ? "There are none." : "There are: \(known.prefix(8).joined(separator: ", "))\(known.count > 8 ? ", …" : "").")
    return SimulationError(.unknownName, "There is no \(what) \"\(name)\". \(hint)")
  }
}
