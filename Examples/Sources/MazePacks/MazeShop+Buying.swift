// SPDX-License-Identifier: Apache-2.0
public import Monetize

extension MazeShop {
  /// Buys the pack of an offer. All its stories are open when this returns `.completed`.
  ///
  /// An offer is valid for one attempt, whatever the outcome. To try again, get a new one: ``offer(for:)``.
  /// - Throws: ``Monetize/GateRequired``, without a request to the store, when the offer was used or is ten minutes old.
  public func buy(_ offer: PackOffer) async throws(GateRequired) -> PurchaseOutcome {
    try await monetizer.purchase(offer.product, pass: offer.pass)
  }

  /// The result of "Restore Purchases".
  public enum Restoring: Sendable, Hashable {
    /// The store was asked.
    case finished(RestoreOutcome)
    /// The gate was not passed; no request was made to the store.
    case gateFailed
  }

  /// "Restore Purchases" in the settings: first the gate, if it covers restoring.
  public func restore() async -> Restoring {
    guard maze.catalog.parentalGate?.covers(.restore) == true else { return await restore(pass: nil) }
    do throws(GateFailed) { return await restore(pass: try await monetizer.passParentalGate()) } catch { return .gateFailed }
  }

  /// "Restore Purchases" on a paywall, which is behind the gate already. Uses up the offer.
  public func restore(from offer: PackOffer) async -> Restoring { await restore(pass: offer.pass) }

  private func restore(pass: GatePass?) async -> Restoring {
    do throws(GateRequired) { return .finished(try await monetizer.restorePurchases(pass: pass)) } catch { return .gateFailed }
  }

  /// A link out of the app, such as the privacy policy: open it when this returns `true`. Includes the gate, if it covers links.
  public func mayOpenLink() async -> Bool {
    guard maze.catalog.parentalGate?.covers(.links) == true else { return true }
    guard let pass = try? await monetizer.passParentalGate() else { return false }
    do throws(GateRequired) { try monetizer.usePass(pass, for: .links) } catch { return false }
    return true
  }

  /// The store's price of an offer; `nil` when the store gave none.
  public func price(of offer: PackOffer) async -> String? {
    let products = try? await monetizer.storeProducts()
    return products?.first { $0.id == offer.product }?.displayPrice
  }
}
