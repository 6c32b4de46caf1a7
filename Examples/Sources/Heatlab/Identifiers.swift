// SPDX-License-Identifier: Apache-2.0
public import Monetize

extension FeatureID {
  /// Recording a workout: never gated.
  public static let workoutTracking: Self = "workoutTracking"
  /// The live heart rate: never gated.
  public static let realTimeHeartRate: Self = "realTimeHeartRate"
  /// The list of past sessions.
  public static let history: Self = "history"
  /// A session compared with the person's own baseline: never gated.
  public static let baselineComparison: Self = "baselineComparison"
  /// The trends of values.
  public static let trends: Self = "trends"
  /// Comparisons of weeks, months and years.
  public static let periodComparisons: Self = "periodComparisons"
  /// Insights that the app finds by itself.
  public static let aiInsights: Self = "aiInsights"
  /// The same sessions on every device: never gated.
  public static let cloudSync: Self = "cloudSync"
}

extension EntitlementID {
  /// The entitlement of both plans.
  public static let pro: Self = "pro"
}
