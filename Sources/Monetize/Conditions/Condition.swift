// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A requirement for a feature that no purchase lifts: a release that is out, a role, a region.
///
/// A condition is a value decoded from the feature's JSON, under its name as the key: `"region": ["DE", "AT"]`.
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
/// **Law.** A condition is a pure function of its context. All conditions of a feature must hold; a part inherits those of its whole.
public protocol Condition: Decodable, Sendable {
  /// The feature's key in the JSON.
  static var name: String { get }
  /// The reason why the feature is closed; `nil` when the condition holds.
  func denial(in context: ConditionContext) -> Reason?
  /// When the answer can change by itself. Default: `nil`, never.
  func nextChange(in context: ConditionContext) -> Date?
  /// A denial in a short English sentence without the feature's title. Default: `nil`, for the text of its reason.
  func text(for reason: Reason) -> String?
}

extension Condition {
  /// `nil`: most conditions do not change with time.
  public func nextChange(in context: ConditionContext) -> Date? { nil }
  /// The text of the reason.
  public func text(for reason: Reason) -> String? { nil }
}

/// Everything a condition may use. Contains values only.
public struct ConditionContext: Sendable {
  /// The time of the question.
  public let now: Date
  /// The member who asks, the device's zone, and the app's own attributes.
  public let situation: Situation
  /// The releases that are out.
  public let releases: [String]
  private let custom: FactSet<AnyCustomFact>

  /// Makes a context, to test a condition.
  public init(now: Date, situation: Situation = Situation(), releases: [String] = []) {
    self.init(now: now, situation: situation, releases: releases, custom: FactSet())
  }

  init(now: Date, situation: Situation, releases: [String], custom: FactSet<AnyCustomFact>) {
    (self.now, self.situation, self.releases, self.custom) = (now, situation, releases, custom)
  }

  /// The facts of a sort that the app defines, sorted by key. O(n log n) in the app's facts.
  public func facts<F: CustomFact>(of sort: F.Type) -> [F] { custom.facts(of: sort) }
}

extension Registry where Entry == any Condition.Type {
  /// The conditions that come with Monetize, checked in this order.
  public static var standard: Self { Self().adding(ReleaseCondition.self).adding(RoleCondition.self) }

  /// Adds a condition, which is checked after the others. Replaces a condition of the same name.
  public func adding(_ type: any Condition.Type) -> Self { adding(type.name, type) }
}

/// The conditions that a catalog may use.
public typealias Conditions = Registry<any Condition.Type>
