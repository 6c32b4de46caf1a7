// SPDX-License-Identifier: Apache-2.0
public import Monetize

extension FeatureID {
  /// Recording a workout: never gated.
  public static let workoutTracking: Self = "workoutTracking"
  /// The heart rate while it is measured: never gated.
  public static let realTimeHeartRate: Self = "realTimeHeartRate"
  /// The list of past sessions.
  public static let history: Self = "history"
  /// A session against the person's own baseline: never gated.
  public static let baselineComparison: Self = "baselineComparison"
  /// How values develop.
  public static let trends: Self = "trends"
  /// Weeks, months and years compared.
  public static let periodComparisons: Self = "periodComparisons"
  /// What the app finds out by itself.
  public static let aiInsights: Self = "aiInsights"
  /// The same sessions on every device: never gated.
  public static let cloudSync: Self = "cloudSync"
}

extension EntitlementID {
  /// What both plans give.
  public static let pro: Self = "pro"
}
