// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// Everything that the screen of a paywall shows, as a value: the same in an app, in a test, on the command line and on a page.
///
/// ```swift
/// let screen = PaywallScreen(of: paywall, snapshot: monetizer.snapshot, loading: loading, selected: choice)
/// ```
public struct PaywallScreen: Sendable, Hashable {
  /// The phase of a paywall.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// The prices are requested from the store.
    case loading
    /// The store could not answer, or sells none of the products here. ``PaywallScreen/message`` explains it; the action `retry` repeats
    /// the request.
    case failed
    /// Prices are shown and can be paid.
    case ready
    /// The store's own sheet is up.
    case buying
    /// The purchase waits for approval, such as a parent's.
    case waitingForApproval
    /// The paywall has nothing left to sell: close it.
    case done
  }

  /// One reason to buy.
  public struct Benefit: Sendable, Hashable {
    /// The name of a picture.
    public let icon: String?
    /// The reason, in a few words.
    public let title: String
    /// The reason, in a sentence.
    public let description: String?
    /// The features that it describes.
    public let features: [FeatureID]
  }

  /// A button.
  public struct Action: Sendable, Hashable, Identifiable {
    /// The action.
    public let id: PaywallAction
    /// The label.
    public let label: String
    /// Whether it is the main button: the one that buys, and after the purchase the one that closes the paywall.
    public let isPrimary: Bool
    /// Whether it can be tapped. A purchase needs a price; while the store's sheet is up, only closing is possible.
    public let isEnabled: Bool
    /// The text that a screen reader speaks: the label, and for a purchase the product and its price.
    public let accessibilityLabel: String
  }

  /// A link that leaves the app.
  public struct Link: Sendable, Hashable {
    /// The label.
    public let label: String
    /// The address.
    public let url: String
  }

  /// The placement.
  public let placement: PlacementID
  /// The language of its texts.
  public let language: Language
  /// A title above everything.
  public let title: String?
  /// Greets a customer who had a subscription that has ended; `nil` for anyone else.
  public let greeting: String?
  /// The first line: that of the catalog or, without a title, the name of the only option or of the app.
  public let headline: String?
  /// The second line.
  public let subtitle: String?
  /// The line above the benefits.
  public let benefitsTitle: String?
  /// The reasons to buy, in the catalog's order.
  public let benefits: [Benefit]
  /// The products on offer, in the paywall's order.
  public let options: [PaywallOption]
  /// The phase.
  public let phase: Phase
  /// The text that explains the phase to the customer. While prices are shown: that the last payment of a plan failed, so that the customer
  /// mends it instead of buying again; else `nil`.
  public let message: String?
  /// The text beside the purchase button: that of the catalog, or else the sort of purchase of the selected option. `nil` without the
  /// button.
  public let purchaseNote: String?
  /// The buttons, in the catalog's order; `retry` first after a failure. After the purchase there is only one, which closes the paywall.
  public let actions: [Action]
  /// Lines that build trust.
  public let trust: [String]
  /// The text that the law and the store require near the button: how the selected subscription renews and is cancelled. Empty for one-time
  /// purchases.
  public let disclosures: [String]
  /// Terms and privacy policy.
  public let links: [Link]

  /// The option that the purchase button buys; `nil` without options, and without a button that buys: the options are information then.
  public var selected: PaywallOption? { options.first(where: \.isSelected) }
  /// Whether the layout runs from right to left.
  public var isRightToLeft: Bool { language.isRightToLeft }
  /// Whether the paywall has nothing left to sell: an app closes it then.
  public var isDone: Bool { phase == .done }

  /// Makes the screen.
  /// - Parameters:
  ///   - paywall: The paywall, from `Snapshot.paywall(for:request:)` or `Snapshot.paywall(at:)`.
  ///   - snapshot: The customer's latest snapshot. It decides whether the paywall is done, waits, or may show a trial.
  ///   - loading: The state of loading prices.
  ///   - selected: The product that the customer chose; `nil` for the catalog's choice.
  ///   - buying: The product whose purchase is under way.
  /// - Complexity: O(options + benefits + products of the catalog).
  public init(
    of paywall: Paywall, snapshot: Snapshot, loading: ProductLoading, selected: ProductID? = nil, buying: ProductID? = nil
  ) {
    let (catalog, language) = (snapshot.catalog, snapshot.catalog.language)
    let isLoaded = if case .loaded = loading { true } else { false }
    // Without a button that buys, the products are information: none is selected, and no terms of a purchase are shown.
    let buys = paywall.actions.contains(where: \.buys)
    let choice = buys ? paywall.selected(selected) : nil
    let priced = paywall.priced(by: loading.products, selected: choice)
    let definition = priced.definition
    var options = OptionMaker(snapshot, loading.products).options(of: priced, selected: choice, isLoaded: isLoaded)
    if buys, !options.isEmpty, !options.contains(where: \.isSelected) { options[0].isSelected = true }
    let option = options.first(where: \.isSelected)
    phase = Self.phase(paywall, snapshot, loading, hasOptions: !options.isEmpty, buying: buying)
    (placement, self.language) = (paywall.placement, language)
    (title, subtitle) = (definition.title, definition.subtitle)
    let name = options.count == 1 ? options[0].name : catalog.app.name
    headline = definition.headline ?? (definition.title == nil ? name : nil)
    greeting = Self.hasLeft(snapshot, paywall) ? language.text(.subscriptionWelcomeBack) : nil
    benefitsTitle = definition.benefitsTitle
    benefits = (definition.benefits ?? []).map {
      Benefit(icon: $0.icon, title: $0.title, description: $0.description, features: $0.features ?? [])
    }
    self.options = options
    let isUnpaid = phase == .ready && Self.isUnpaid(snapshot, paywall)
    let unusual: FrameworkText? = isUnpaid ? .subscriptionRetry : phase == .failed && isLoaded ? .storeNotSold : nil
    message = (unusual ?? Self.message(phase)).map(language.text)
    purchaseNote = buys ? definition.purchaseLabel ?? option?.note : nil
    actions = Self.actions(paywall, definition, option, phase, language)
    trust = definition.trust ?? []
    disclosures = [option?.renewal, option?.cancellation].compactMap { $0 }
    let addresses = [(FrameworkText.legalTerms, catalog.legal?.terms), (.legalPrivacy, catalog.legal?.privacy)]
    links = addresses.compactMap { label, url in url.map { Link(label: language.text(label), url: $0) } }
  }
}

extension PaywallScreen {
  private static func phase(
    _ paywall: Paywall, _ snapshot: Snapshot, _ loading: ProductLoading, hasOptions: Bool, buying: ProductID?
  ) -> Phase {
    if paywall.isDone(in: snapshot) { return .done }
    let statuses = paywall.products.compactMap(snapshot.status(of:))
    if statuses.contains(where: \.isPending) { return .waitingForApproval }
    if buying != nil { return .buying }
    switch loading {
    case .loading: return .loading
    case .failed: return .failed
    case .loaded: return hasOptions ? .ready : .failed
    }
  }

  private static func message(_ phase: Phase) -> FrameworkText? {
    switch phase {
    case .loading: .storeLoading
    case .failed: .storeUnreachable
    case .ready: nil
    case .buying: .storeBuying
    case .waitingForApproval: .storeWaiting
    case .done: .storeDone
    }
  }

  /// Whether the store tries again to charge for a plan in a group that the paywall sells.
  private static func isUnpaid(_ snapshot: Snapshot, _ paywall: Paywall) -> Bool {
    let groups = Set(paywall.products.compactMap { snapshot.catalog.product($0)?.subscription?.group })
    return !groups.isDisjoint(with: snapshot.groups { $0.state == .billingRetry })
  }

  private static func hasLeft(_ snapshot: Snapshot, _ paywall: Paywall) -> Bool {
    paywall.products.contains { id in
      snapshot.status(of: id)?.state == .expired && snapshot.catalog.product(id)?.subscription != nil
    }
  }

  private static func actions(
    _ paywall: Paywall, _ definition: PaywallDefinition, _ option: PaywallOption?, _ phase: Phase, _ language: Language
  ) -> [Action] {
    if phase == .done {
      // The catalog's label is for a customer who declines.
      let label = language.text(.buttonContinue)
      return [Action(id: .dismiss, label: label, isPrimary: true, isEnabled: true, accessibilityLabel: label)]
    }
    let listed = (phase == .failed ? [.retry] : []) + paywall.actions
    let buys = listed.first(where: \.buys)
    return listed.map { action in
      let isPrimary = action == buys
      let label = definition.labels?[action.rawValue] ?? action.label(in: language, buying: isPrimary ? option : nil)
      return Action(
        id: action, label: label, isPrimary: isPrimary,
        isEnabled: isPrimary ? phase == .ready && option?.price != nil : action == .dismiss || phase != .buying,
        accessibilityLabel: [label, isPrimary ? option?.accessibilityLabel : nil].compactMap { $0 }.joined(separator: language.text(.comma))
      )
    }
  }
}

extension PaywallAction {
  /// Requests prices from the store again.
  public static let retry: Self = "retry"

  /// The framework's label for a button without a paywall, such as `Restore Purchases`.
  public func label(in language: Language) -> String { label(in: language, buying: nil) }

  /// Whether it buys the selected product.
  var buys: Bool { self == .purchase || self == .upgrade }

  func label(in language: Language, buying option: PaywallOption?) -> String {
    switch self {
    case .purchase, .upgrade:
      switch option?.sort {
      case .trial: language.text(.buttonStartTrial)
      case .subscription: language.text(option?.startsFree == true ? .buttonStartTrial : .buttonSubscribe)
      case .oneTime, .pass, .credits, .tip, nil: language.text(.buttonBuy)
      }
    case .restore: language.text(.buttonRestore)
    case .manage: language.text(.buttonManage)
    case .redeem: language.text(.buttonRedeem)
    case .dismiss: language.text(.buttonDismiss)
    case .retry: language.text(.buttonRetry)
    default: rawValue
    }
  }
}
