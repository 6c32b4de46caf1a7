// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The paywall of the maze app: one pack, one product, bought once. It exists only behind the parental gate.
public struct PackOffer: Sendable, Hashable {
  /// The pack on offer.
  public let pack: Pack
  /// The paywall with its placement and the catalog's texts.
  public let paywall: Paywall
  /// The gate's pass, valid for one attempt.
  let pass: GatePass?

  /// The only product: the tapped pack's.
  public var product: ProductID { pack.product }
  /// The headline, with the pack's title in it.
  public var headline: String { paywall.definition.headline ?? pack.title }
  /// The text beside the button: that the pack is bought once.
  public var purchaseLabel: String? { paywall.definition.purchaseLabel }
  /// The benefits, in the catalog's order.
  public var benefits: [String] { paywall.definition.benefits?.map(\.title) ?? [] }
  /// The actions of a parent, in order, such as `purchase`, `restore`, `dismiss`.
  public var actions: [PaywallAction] { paywall.actions }
}
