// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// One question: may this customer do this now?
public struct AccessRequest: Sendable, Hashable {
  /// What is asked for.
  public var feature: FeatureID
  /// Which item, for features that are opened item by item.
  public var item: ItemPath?
  /// Which level, for features with levels.
  public var level: String?
  /// The date of the thing that is looked at, for features with a window.
  public var date: Date?
  /// How many exist already, for features with a capacity.
  public var held: Int?
  /// How many uses, or how many seconds; at least 1.
  public var count: Int
  /// What an app's own allowance asks for, by names that the allowance documents, such as `megabytes`.
  public var parameters: [String: String]

  /// Makes a question.
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

  /// A parameter of an app's own allowance as a whole number; `nil` where it is missing or no number.
  public func number(_ parameter: String) -> Int? { parameters[parameter].flatMap(Int.init) }

  /// Whether the feature's own row answers, without a judgement.
  var isPlain: Bool { item == nil && level == nil && date == nil && held == nil && count == 1 && parameters.isEmpty }
}
