// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Verdict {
  /// This verdict of grants, with what credits cover beyond them: what is left of both.
  func adding(_ credits: FeatureRow.Credits, to granted: Granted?, for request: AccessRequest) -> Verdict {
    var verdict = self
    verdict.credits = credits.left
    if granted == .unlimited || reason.isError { return verdict }
    if granted == nil { (verdict.reason, verdict.used, verdict.limit, verdict.remaining) = (.limitReached, 0, 0, 0) }
    guard let left = verdict.remaining else { return verdict }
    verdict.remaining = left + credits.left
    verdict.limit = verdict.limit.map { $0 + credits.left }
    verdict.isAllowed = verdict.isAllowed || request.count <= left + credits.left
    return verdict
  }
}

extension Judge {
  /// How much of a use that is allowed now is covered by credits: what its grants do not cover. Nothing under an unlimited grant.
  func creditsNeeded(for request: AccessRequest, _ feature: Feature, _ row: FeatureRow, at now: Date) -> Int {
    guard let credits = row.credits, row.granted != .unlimited else { return 0 }
    var left = 0
    if let granted = row.granted {
      let item = request.item.flatMap(catalog.item)
      let verdict = judge(granted, request, feature, item, row.background, countsEveryUse: false, now)
      if verdict.isAllowed { return 0 }
      left = verdict.remaining ?? 0
    }
    return min(max(0, request.count - left), credits.left)
  }
}
