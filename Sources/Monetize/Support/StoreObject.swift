// SPDX-License-Identifier: Apache-2.0

/// An opaque value of a store: the scene in which it shows a sheet, or its own object of a transaction.
///
/// ```swift
/// try await monetizer.purchase(PurchaseRequest("pro", confirmIn: StoreObject(windowScene)))
/// ```
///
/// All store objects are equal, so that values that hold them are compared by their other properties.
public struct StoreObject: Sendable, Hashable {
  /// The value. Objects of a user interface are `Sendable` because they belong to the main actor.
  public let value: any Sendable

  /// Wraps a value.
  public init(_ value: any Sendable) { self.value = value }

  /// `true`.
  public static func == (a: Self, b: Self) -> Bool { true }
  /// Adds nothing.
  public func hash(into hasher: inout Hasher) {}
}
