// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension ScenarioWorld {
  /// What the customer does at the store, and the store itself.
  func atStore(_ action: ScenarioAction, _ session: ScenarioSession) async throws(ScenarioProblem) {
    let customer = session.device.customer
    do throws(SimulationError) {
      switch action {
      case .approve(let product): try await store.approve(product, customer: customer)
      case .decline(let product): try await store.decline(product, customer: customer)
      case .renewal(let to, let product): try await store.setAutoRenew(to == .on, product: product, customer: customer)
      case .family(let member, let joins): try await store.family(of: customer, member: member, joins: joins)
      case .refund(let product, let part, let reason, let reverse):
        if reverse {
          try await store.reverseRefund(of: product, customer: customer)
        } else {
          try await store.refund(product, customer: customer, part: part == .full ? .full : .prorated, reason: reason)
        }
      case .renew(let product): try await store.renew(product, customer: customer)
      case .expire(let product): try await store.expire(product, customer: customer)
      case .extend(let product, let by): try await store.extend(product, by: by, customer: customer)
      case .deliver(let times): await store.deliverAgain(times: times, customer: customer)
      case .forget: try await store.forget(customer: customer)
      default: break
      }
    } catch {
      throw ScenarioProblem(text: error.description)
    }
    logSeen = store.log.count
  }

  /// Makes the world different.
  func set(_ settings: WorldSettings, _ session: ScenarioSession) async throws(ScenarioProblem) {
  }
}
