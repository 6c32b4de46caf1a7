// SPDX-License-Identifier: Apache-2.0
import Monetize
public import MonetizePaywalls
import MonetizeTools

extension PaywallScreen {
  /// The screen as one self-contained HTML page in the style of a phone or a tablet: no script, light and dark, readable at any text size.
  ///
  /// - Parameter app: The app's name, for the page's title.
  public func page(app: String) -> String {
    HTMLDocument(
      title: "\(app): \(placement), \(phase.rawValue)", style: Self.style, body: heading + pitch + offer + small,
      language: language.rawValue,
      isRightToLeft: isRightToLeft
    ).text
  }

  /// An element in the direction of its own text: an untranslated one on a page from right to left keeps its order.
  private func element(_ name: String, _ text: String?, class style: String? = nil) -> String {
    text.map { "<\(name)\(style.map { " class=\"\($0)\"" } ?? "") dir=\"auto\">\(escaped($0))</\(name)>\n" } ?? ""
  }

  /// A part of a line in the direction of its own text.
  private func part(_ text: String) -> String { "<bdi>\(escaped(text))</bdi>" }

  private var heading: String {
    "<header>\n" + element("p", headline == nil ? nil : title, class: "title") + element("p", greeting, class: "greeting")
      + element("h1", headline ?? title) + element("p", subtitle, class: "subtitle") + "</header>\n"
  }

  private var pitch: String {
    let items = benefits.map { benefit in
      "<li>" + "<strong>\(part(benefit.title))</strong>" + (benefit.description.map { "<br>\(part($0))" } ?? "") + "</li>\n"
    }
    return items.isEmpty ? "" : "<section class=\"pitch\">\n" + element("h2", benefitsTitle) + "<ul>\n\(items.joined())</ul>\n</section>\n"
  }

  private var offer: String {
    let choices = options.map { option in
      let lines = [option.trial ?? option.priceText, option.pricePerMonth, option.note].compactMap { $0 }
      let text = """
        <span><strong>\(part(option.name))</strong>\(option.badge.map { " <b class=\"badge\">\(part($0))</b>" } ?? "")\(option.saving.map { " <em>\(part($0))</em>" } ?? "")\
        \(lines.map { "<br>\(part($0))" }.joined())</span>
        """
      if selected == nil { return "<div class=\"option\">\n\(text)</div>\n" }
      return """
        <label class="option"><input type="radio" name="option"\(option.isSelected ? " checked" : "") aria-label="\(escaped(option.accessibilityLabel))">
        \(text)</label>

        """
    }
    let buttons = actions.map { action in
      """
      <button type="button" class="\(action.isPrimary ? "primary" : "plain")"\(action.isEnabled ? "" : " disabled") \
      aria-label="\(escaped(action.accessibilityLabel))">\(part(action.label))</button>

      """
    }
    let status = message.map { "<p role=\"status\" class=\"message\" dir=\"auto\">\(escaped($0))</p>\n" } ?? ""
    return "<section class=\"offer\">\n<fieldset><legend class=\"hidden\">\(escaped(headline ?? title ?? ""))</legend>\n"
      + choices.joined() + "</fieldset>\n" + status
      + element("p", noteBesideButton, class: "note") + buttons.joined() + "</section>\n"
  }

  private var small: String {
    let anchors = links.map { "<a href=\"\(escaped($0.url))\" rel=\"noreferrer\">\(part($0.label))</a>" }
    return "<footer>\n" + (disclosures + trust).map { element("p", $0) }.joined()
      + (anchors.isEmpty ? "" : "<p class=\"links\">\(anchors.joined(separator: " "))</p>\n") + "</footer>\n"
  }

  private func escaped(_ text: String) -> String { HTMLDocument.escaped(text) }

  private static let style = """
    :root { --ground: #f2f3f7; --card: #ffffff; --text: #16181d; --soft: #50555f; --line: #c9cdd6; --accent: #3446c9; --on-accent: #ffffff; --good: #17663a }
    @media (prefers-color-scheme: dark) {
      :root { --ground: #0e0f13; --card: #1b1d24; --text: #f1f2f6; --soft: #b1b6c2; --line: #434955; --accent: #aab4ff; --on-accent: #10133a; --good: #86dba8 }
    }
    * { box-sizing: border-box }
    body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.45 system-ui, -apple-system, sans-serif; overflow-wrap: anywhere; hyphens: auto }
    main { max-width: 27rem; margin: 0 auto; padding: 28px 20px 32px; min-height: 100vh; display: flex; flex-direction: column; gap: 1.25rem }
    @media (min-width: 56rem) {
      main:has(.pitch) { max-width: 62rem; display: grid; grid-template-columns: 1fr 1fr; column-gap: 3rem; align-content: center; padding: 2.5rem }
      header, footer { grid-column: 1 / -1 }
    }
    header { text-align: center }
    h1 { font-size: 1.7rem; line-height: 1.2; margin: .25rem 0; text-wrap: balance }
    h2 { font-size: 1rem; margin: 0 0 .5rem; color: var(--soft) }
    p { margin: .25rem 0 }
    main > * { min-width: 0 }
    .title, .greeting { color: var(--accent); font-weight: 600 }
    .subtitle, .note, .message, footer { color: var(--soft) }
    ul { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: .6rem }
    li { padding-inline-start: max(28px, 1.2em); position: relative }
    li::before { content: "✓"; position: absolute; inset-inline-start: 0; color: var(--good); font-weight: 700 }
    fieldset { border: 0; margin: 0; padding: 0; min-width: 0 }
    .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
    .option { display: flex; gap: 12px; align-items: flex-start; background: var(--card); border: 2px solid var(--line); border-radius: .9rem; padding: 12px 16px; margin-bottom: .6rem }
    .option span { min-width: 0 }
    .option:has(input:checked) { border-color: var(--accent) }
    .option input { accent-color: var(--accent); width: 1.2rem; height: 1.2rem; margin: .15rem 0 0; flex: none }
    .badge { display: inline-block; background: var(--accent); color: var(--on-accent); border-radius: 1rem; padding: 0 .6rem; font-size: .8rem }
    em { display: inline-block; font-style: normal; font-weight: 600; color: var(--good) }
    button { display: block; width: 100%; min-height: 3rem; margin-top: .6rem; padding: .6rem 16px; border-radius: .9rem; border: 0; font: inherit; font-weight: 600 }
    .primary { background: var(--accent); color: var(--on-accent) }
    .plain { background: transparent; color: var(--accent) }
    button:disabled { background: var(--line); color: var(--soft) }
    .plain:disabled { background: transparent }
    .note, .message { text-align: center }
    footer { font-size: .85rem; text-align: center }
    a { color: var(--accent); display: inline-block; padding: .35rem .5rem }
    :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
    """
}
