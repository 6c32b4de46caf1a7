// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize

/// Checks the laws of an ``Allowance``: grants join into the most permissive one, and judging is a pure function.
public struct AllowanceKit<Grant: Allowance>: Sendable {
  private let grants: [Grant]
  private let requests: [AccessRequest]
  private let time: Date

  /// Makes a kit.
  /// - Parameters:
  ///   - grants: Some grants of one shape; the work is O(n³).
  ///   - requests: Some questions.
  ///   - time: The time of the questions.
  public init(grants: [Grant], requests: [AccessRequest], at time: Date) {
    self.grants = grants
    self.requests = requests
    self.time = time
  }

  /// Checks every behaviour.
  public func run() -> KitReport {
    var report = KitReport(subject: "Allowance \(Grant.self)")
    report.check("allowance.idempotent", "The same grant twice is one grant.") {
      grants.first { $0.joined(with: $0) != $0 }.map { "\($0) joined with itself is another." }
    }
    report.check("allowance.commutative", "The order of grants means nothing.") {
      for a in grants { for b in grants where a.joined(with: b) != b.joined(with: a) { return "\(a) and \(b)." } }
      return nil
    }
    report.check("allowance.associative", "Grants may be joined in any grouping.") {
      for a in grants {
        for b in grants {
          for c in grants where a.joined(with: b).joined(with: c) != a.joined(with: b.joined(with: c)) { return "\(a), \(b) and \(c)." }
        }
      }
      return nil
    }
    report.check("allowance.permissive", "One more grant never takes away.") {
      for a in grants {
        for b in grants {
          for request in requests {
            let (alone, joined) = (judge(a, request), judge(a.joined(with: b), request))
            if alone.isAllowed && !joined.isAllowed { return "\(b) takes \(request.feature) away from \(a)." }
            if alone.isAllowed, let left = joined.remaining, left < alone.remaining ?? .max { return "\(b) leaves less than \(a)." }
          }
        }
      }
      return nil
    }
    report.check("allowance.pure", "Equal questions get equal answers.") {
      for a in grants { for request in requests where judge(a, request) != judge(a, request) { return "\(a)." } }
      return nil
    }
    return report
  }

  private func judge(_ grant: Grant, _ request: AccessRequest) -> Verdict {
    grant.judge(request, in: AllowanceContext(now: time, zone: Instant.utc.timeZone, usage: UsageTotals()))
  }
}
