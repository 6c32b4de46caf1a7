// SPDX-License-Identifier: Apache-2.0
public import Monetize
import MonetizeSimulator

/// The onboarding of a catalog as a drawing of lines: each step with its pages, buttons and branches.
public struct OnboardingDrawing: ToolReport {
  private let app: AppInfo
  private let steps: [OnboardingStep]
  private let words: CatalogWords
  private let entitlements: [EntitlementID: String]
  private let units: [FeatureID: String]
  /// Always fine: a drawing judges nothing.
  public var status: ToolStatus { .fine }

  /// Draws the onboarding of a catalog.
  /// - Parameters:
  ///   - catalog: The catalog.
  ///   - ids: Whether to show ids instead of names.
  public init(of catalog: Catalog, ids: Bool = false) {
    (app, steps, words) = (catalog.app, catalog.onboarding, CatalogWords(catalog, ids: ids))
    entitlements = ids ? [:] : Dictionary(catalog.entitlements.map { ($0.id, $0.title) }) { first, _ in first }
    units = ids ? [:] : Dictionary(catalog.features.compactMap { one in one.unit.map { (one.id, $0.one) } }) { first, _ in first }
  }

  /// The drawing.
  public var text: String {
    if steps.isEmpty { return "\(app.name) has no onboarding.\n" }
    let blocks = steps.enumerated().map { index, step in
      ([head(index, step)] + details(step).map { "│  " + $0 }).joined(separator: "\n") + "\n" + after(index, step)
    }
    return "\(app.name): the first start\n\n" + blocks.joined(separator: "\n") + "\n"
  }

  private func head(_ index: Int, _ step: OnboardingStep) -> String {
    let remarks = [
      step.isSkippable ? "can be skipped" : nil, step.spends.map { "uses one \(units[$0] ?? words.feature($0))" },
      step.placement.map { "paywall \($0)" },
      step.unlessEntitled.map { "not for customers with \(entitlements[$0] ?? "\($0)")" },
    ].compactMap { $0 }
    return "\(index + 1). \(step.title ?? step.id)" + (remarks.isEmpty ? "" : "  (\(remarks.joined(separator: ", ")))")
  }

  private func details(_ step: OnboardingStep) -> [String] {
    let pages = step.pages.enumerated().map { "\($0 + 1)/\(step.pages.count) \($1.title ?? $1.id)" }
    let defaults = step.defaults.sorted { $0.key < $1.key }.map { "\($0.key): \(Self.words($0.value))" }
    let actions = step.actions.map { action in
      let target = action.placement.map { "paywall \($0)" } ?? action.exit
      return "[\(action.title)]" + (target.map { " → \($0)" } ?? "")
    }
    return pages + (defaults.isEmpty ? [] : ["starts with " + defaults.joined(separator: ", ")])
      + (step.choices.isEmpty ? [] : ["choose: " + step.choices.joined(separator: ", ")]) + actions
      + step.teasers.map { "\(words.feature($0.feature)): \($0.text)" }
  }

  private static func words(_ value: PropertyValue) -> String {
    switch value {
    case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    case .boolean(let isTrue): "\(isTrue)"
    case .text(let text): text
    }
  }

  private func after(_ index: Int, _ step: OnboardingStep) -> String {
    if let exit = step.exit { return "↓\n→ \(exit)" }
    if let next = step.next { return "↓ to \(next)" }
    return index == steps.count - 1 ? "↓\n→ the app" : "↓"
  }

  // MARK: JSON

  /// A list of steps, with the keys of the catalog.
  public var json: String {
    ToolJSON.text(
      steps.map { step -> ToolObject in
        [
          "id": step.id, "title": step.title, "skippable": step.isSkippable,
          "pages": step.pages.map { ["id": $0.id, "title": $0.title, "text": $0.text] as ToolObject },
          "spends": step.spends, "defaults": step.defaults, "choices": step.choices,
          "actions": step.actions.map { ["id": $0.id, "title": $0.title, "placement": $0.placement, "exit": $0.exit] as ToolObject },
          "teasers": step.teasers.map { ["feature": $0.feature, "text": $0.text] as ToolObject }, "placement": step.placement,
          "unlessEntitled": step.unlessEntitled, "next": step.next, "exit": step.exit,
        ]
      })
  }
}
