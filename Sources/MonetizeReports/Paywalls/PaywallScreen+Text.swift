// SPDX-License-Identifier: Apache-2.0
public import MonetizePaywalls

extension PaywallScreen {
  /// The screen for a terminal: all its content from top to bottom, one element per line.
  public var text: String {
    var lines: [String] = []
    func add(_ more: [String?], indent: String = "") { lines += more.compactMap { $0 }.map { indent + $0 } }
    func gap() { if lines.last?.isEmpty == false { lines.append("") } }
    add([title.map { $0.uppercased() }, greeting, headline, subtitle])
    gap()
    add([benefitsTitle])
    add(benefits.map { "✓ " + $0.title + ($0.description.map { ": \($0)" } ?? "") }, indent: "  ")
    gap()
    for option in options {
      let mark = selected == nil ? "•" : option.isSelected ? "◉" : "○"
      let parts = [option.trial ?? option.priceText, option.pricePerMonth, option.saving, option.note]
      add(["\(mark) \(option.name)\(option.badge.map { " · \($0)" } ?? "")"], indent: "  ")
      add([parts.compactMap { $0 }.joined(separator: " · ")].filter { !$0.isEmpty }, indent: "    ")
    }
    gap()
    add([message, noteBesideButton])
    add(actions.map { $0.isEnabled ? "[ \($0.label) ]" : "( \($0.label) )" }, indent: "  ")
    gap()
    add(disclosures + trust)
    add([links.map { "\($0.label): \($0.url)" }.joined(separator: " · ")].filter { !$0.isEmpty })
    return lines.joined(separator: "\n") + "\n"
  }
}

extension PaywallScreen {
  /// The note beside the button, unless an option shows it already.
  var noteBesideButton: String? { options.contains { $0.note == purchaseNote } ? nil : purchaseNote }
}
