// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// What has to hold before a feature is open, whatever was paid: a release that is out, a role, a region.
///
/// A condition is a value decoded from the feature's JSON, found by its name among the feature's keys: `"region": ["DE", "AT"]`.
///
/// ```swift
/// struct Region: Condition {
///   static let name = "region"
///   let codes: [String]
///   init(from decoder: any Decoder) throws { codes = try decoder.singleValueContainer().decode([String].self) }
///   func denial(in context: ConditionContext) -> Reason? {
///     codes.contains(context.situation.attributes["region"] ?? "") ? nil : "notInRegion"
///   }
/// }
/// let catalog = try Catalog(json: data, conditions: .standard.adding(Region.self))
/// ```
///
/// **Law.** A condition is a pure function of its context. All conditions of a feature must hold, those of a whole also for its parts, and no purchase
/// lifts them.
public protocol Condition: Decodable, Sendable {
  /// The feature's key in the JSON.
  static var name: String { get }
  /// Why the feature is closed; `nil` where the condition holds.
  func denial(in context: ConditionContext) -> Reason?
  /// When the answer can change by itself. Default: never.
  func nextChange(in context: ConditionContext) -> Date?
  /// A denial in a short English sentence without the feature's title. Default: `nil`, for the text of its reason.
  func text(for reason: Reason) -> String?
}

extension Condition {
  /// Most conditions do not change with time.
  public func nextChange(in context: ConditionContext) -> Date? { nil }
  /// The text of the reason.
  public func text(for reason: Reason) -> String? { nil }
}

/// All that a condition may look at: values only.
public struct ConditionContext: Sendable {
  /// The time of the question.
  public let now: Date
  /// The member who asks, the device's zone, and the app's own attributes.
  public let situation: Situation
  /// The releases that are out.
  public let releases: [String]
  private let custom: FactSet<AnyCustomFact>

  /// Makes a context, for tests of a condition.
  public init(now: Date, situation: Situation = Situation(), releases: [String] = []) {
    self.init(now: now, situation: situation, releases: releases, custom: FactSet())
  }

  init(now: Date, situation: Situation, releases: [String], custom: FactSet<AnyCustomFact>) {
    (self.now, self.situation, self.releases, self.custom) = (now, situation, releases, custom)
  }

  /// The facts of an app's own sort, sorted by key.
  public func facts<F: CustomFact>(of sort: F.Type) -> [F] { custom.sorted.compactMap { $0.record as? F } }
}

extension Registry where Entry == any Condition.Type {
  /// The conditions that come with Monetize. They are asked in this order.
  public static var standard: Self { Self().adding(ReleaseCondition.self).adding(RoleCondition.self) }

  /// These conditions and one more, which is asked after them; of two with one name the later wins.
  public func adding(_ type: any Condition.Type) -> Self { adding(type.name, type) }
}

/// The conditions that a catalog may use.
public typealias Conditions = Registry<any Condition.Type>
