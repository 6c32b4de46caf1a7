// SPDX-License-Identifier: Apache-2.0
public import Monetize
import MonetizeJSON

/// A person with an account at the store.
public struct CustomerID: StringIdentifier {
  /// The text, such as `ann`.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The default customer.
  public static let customer: Self = "customer"
}

/// A device of a customer.
public struct DeviceID: StringIdentifier {
  /// The text, such as `phone`.
  public let rawValue: String
  /// Makes an identifier from its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The default device.
  public static let device: Self = "device"
}

/// The error of a verb that is not possible in the simulated world: a mistake of the test or scenario, not of the app.
public struct SimulationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of mistake. An open set.
  public struct Code: StringIdentifier {
    /// The text.
    public let rawValue: String
    /// Makes a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// There is no such product, customer, device, quirk or API.
    public static let unknownName: Self = "unknownName"
    /// There is nothing to act on: nothing to approve, nothing to refund.
    public static let nothingToDo: Self = "nothingToDo"
    /// The customer's payment method does not work.
    public static let cannotPay: Self = "cannotPay"
    /// The customer may not use an offer, or not any more.
    public static let notEligible: Self = "notEligible"
    /// The product is not sold, or not in the customer's storefront.
    public static let notSold: Self = "notSold"
    /// A value outside its range.
    public static let invalidValue: Self = "invalidValue"
  }

  /// The kind of mistake.
  public let code: Code
  /// The mistake and how to fix it, in one or two sentences.
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
