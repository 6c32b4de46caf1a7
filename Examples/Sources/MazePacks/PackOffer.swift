// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The paywall of the maze app: one pack, one product, bought once. It exists only behind the parental gate.
public struct PackOffer: Sendable, Hashable {
  /// The pack that is offered.
  public let pack: Pack
  /// Where the paywall stands and what the catalog says about it.
  public let paywall: Paywall
  /// Good for one start.
  let pass: GatePass?

  /// The only product: the tapped pack's.
  public var product: ProductID { pack.product }
  /// The first line, with the pack's title in it.
  public var headline: String { paywall.definition.headline ?? pack.title }
  /// The words beside the button: that it is bought once.
  public var purchaseLabel: String? { paywall.definition.purchaseLabel }
  /// Why to buy, in the catalog's order.
  public var benefits: [String] { paywall.definition.benefits?.map(\.title) ?? [] }
  /// What a parent can do here, in order, such as `purchase`, `restore`, `dismiss`.
  public var actions: [PaywallAction] { paywall.actions }
}
