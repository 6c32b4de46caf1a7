// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A question: may this customer do this now?
public struct AccessRequest: Sendable, Hashable {
  /// The feature.
  public var feature: FeatureID
  /// The item, for features that are opened item by item.
  public var item: ItemPath?
  /// The level, for features with levels.
  public var level: String?
  /// The date of the requested thing, for features with a window.
  public var date: Date?
  /// The number that exists already, for features with a capacity.
  public var held: Int?
  /// The number of uses or of seconds; at least 1.
  public var count: Int
  /// Parameters of an app's own allowance, by the names it documents, such as `megabytes`.
  public var parameters: [String: String]

  /// Makes a request.
  public init(
    _ feature: FeatureID, item: ItemPath? = nil, level: String? = nil, date: Date? = nil, held: Int? = nil, count: Int = 1,
    parameters: [String: String] = [:]
  ) {
    self.feature = feature
    self.item = item
    self.level = level
    self.date = date
    self.held = held
    self.count = max(1, count)
    self.parameters = parameters
  }

  /// A parameter of an app's own allowance as a whole number; `nil` when it is missing or not a number.
  public func number(_ parameter: String) -> Int? { parameters[parameter].flatMap(Int.init) }

  /// Whether the request has no parameters, so that the feature's row holds the answer.
  var isPlain: Bool { item == nil && level == nil && date == nil && held == nil && count == 1 && parameters.isEmpty }
}
