// SPDX-License-Identifier: Apache-2.0
import Foundation
import SwiftUI

/// Draws a tree as a page, near to what the system would draw, so that a person can look at it.
@MainActor struct HTMLPage {
  var width = 390.0
  var height = 844.0
  var isDark = false
  var isRightToLeft = false
  var textSize = DynamicTypeSize.large

  /// Sizes of fonts in points: at the standard size, and at the largest. Source: Human Interface Guidelines, "Typography".
  static let fonts: [String: (standard: Double, largest: Double)] = [
    "largeTitle": (34, 60), "title": (28, 58), "title2": (22, 56), "title3": (20, 55), "headline": (17, 53), "body": (17, 53),
    "callout": (16, 51), "subheadline": (15, 49), "footnote": (13, 44), "caption": (12, 43),
  ]

  private static let symbols: [String: String] = [
    "checkmark.circle.fill": "✔", "circle": "○", "hourglass": "⧗", "delete.left": "⌫", "play.fill": "▶", "infinity": "∞", "heart.fill": "♥",
    "speaker.wave.3.fill": "♫", "clock": "◷",
  ]

  private static func symbol(_ name: String) -> String {
    if name.hasPrefix("lock") || name.hasPrefix("shield") {
      return """
        <svg width="1em" height="1em" viewBox="0 0 16 16" fill="currentColor"><path d="M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z"/></svg>
        """
    }
    return symbols[name] ?? "◆"
  }

  /// A page with several screens beside each other, each in a frame of the device's size.
  func html(_ screens: [(name: String, nodes: [ViewNode])]) -> String {
    let colors =
      isDark
      ? "--background:#1c1c1e;--primary:#ffffff;--secondary:#98989f;--accent:#0a84ff;--card:#2c2c2e"
      : "--background:#ffffff;--primary:#000000;--secondary:#6c6c70;--accent:#0066cc;--card:#f2f2f7"
    let frames = screens.map { screen in
      let body = screen.nodes.map { draw($0, in: .column, align: "center") }.joined(separator: "\n")
      return "<section dir=\(isRightToLeft ? "rtl" : "ltr") id=\"\(screen.name)\">\(body)</section>"
    }
    return """
      <!doctype html><html><meta charset="utf-8"><style>
      :root { \(colors); --orange:#ff9500; --red:#ff3b30; --green:#34c759; --white:#ffffff; --blue:#0a84ff; --clear:transparent }
      * { box-sizing: border-box; margin: 0 }
      body { background: #888888; display: flex; flex-wrap: wrap; gap: 12px; width: \(Int(pageWidth))px }
      section { width: \(Int(width))px; height: \(Int(height))px; background: var(--background); color: var(--primary); overflow: hidden; position: relative;
        font: \(size("body"))px/1.25 "Liberation Sans", "DejaVu Sans", sans-serif; display: flex; flex-direction: column; align-items: center; justify-content: center }
      .s { scrollbar-width: none }
      </style><body>\(frames.joined(separator: "\n"))</body>
      <script>
        const wide = [];
        for (const frame of document.querySelectorAll('section')) {
          const edge = frame.getBoundingClientRect();
          const found = [...frame.querySelectorAll('*')].find(e => e.getBoundingClientRect().right > edge.right + 1 || e.getBoundingClientRect().left < edge.left - 1);
          if (found) wide.push(frame.id + ': ' + found.textContent.slice(0, 40));
        }
        document.body.dataset.wide = wide.join(' | ');
      </script></html>
      """
  }

  /// How wide a page with several screens is.
  var pageWidth: Double { (width + 12) * min(5, max(1, (2400 / width).rounded(.down))) }

  private func size(_ font: String) -> Int {
    let (standard, largest) = Self.fonts[font] ?? (17, 53)
    return Int(textSize.isAccessibilitySize ? largest : standard)
  }

  private func color(_ name: String) -> String {
    let parts = name.split(separator: "/")
    let base = "var(--\(parts.first.map(String.init) ?? "primary"))"
    return parts.count > 1 ? "color-mix(in srgb, \(base) \((Double(parts[1]) ?? 1) * 100)%, transparent)" : base
  }

  private func value(_ node: ViewNode, _ name: String) -> String? {
    node.style.last { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  // MARK: What takes all the room it is given

  private func fills(_ node: ViewNode, _ axis: ViewNode.Kind) -> Bool {
    let isAcross = axis == .row
    switch node.kind {
    case .shape, .list: return true
    case .scroll: return true
    case .divider, .field, .grid: return isAcross
    case .progress: return isAcross && node.progress != nil
    case .spacer: return false
    case .box:
      if value(node, "fills") != nil { return true }
      if value(node, isAcross ? "width" : "height") != nil { return false }
      if value(node, isAcross ? "maxWidth" : "maxHeight") != nil { return true }
      return node.children.contains { fills($0, axis) }
    case .row: return node.children.contains { fills($0, axis) || isAcross && $0.kind == .spacer }
    case .column: return node.children.contains { fills($0, axis) || !isAcross && $0.kind == .spacer }
    case .layers, .button, .section: return node.children.contains { fills($0, axis) }
    default: return false
    }
  }

  private func place(_ node: ViewNode, in parent: ViewNode.Kind) -> String {
    let (across, down) = (fills(node, .row), fills(node, .column))
    if parent == .row {
      return (across ? "flex:1 1 0;min-width:0;" : "flex:0 1 auto;min-width:0;") + (down ? "align-self:stretch;" : "")
    }
    return (across ? "width:100%;" : "max-width:100%;") + (down ? "flex:1 1 0;min-height:0;" : "flex:0 0 auto;")
  }

  private static let cross = [
    "leading": "flex-start", "center": "center", "trailing": "flex-end", "top": "flex-start", "bottom": "flex-end",
  ]

  // MARK: Drawing

  private func draw(_ node: ViewNode, in parent: ViewNode.Kind, align: String) -> String {
    let place = place(node, in: parent)
    func div(_ css: String, _ children: String) -> String { "<div style=\"\(place)\(css)\">\(children)</div>" }
    func inner(_ kind: ViewNode.Kind = .column, _ align: String = "center") -> String {
      node.children.map { draw($0, in: kind, align: align) }.joined()
    }
    switch node.kind {
    case .text: return "<div class=t style=\"\(place)\(font(node))overflow-wrap:anywhere\">\(escaped(node.text ?? ""))</div>"
    case .image:
      if value(node, "symbol") == "true" { return "<div style=\"\(place)\(font(node))\">\(Self.symbol(node.text ?? ""))</div>" }
      return div("width:100%;aspect-ratio:16/9;border-radius:10px;background:linear-gradient(135deg,#8ec5fc,#e0c3fc)", "")
    case .spacer: return "<div style=\"flex:1 1 0;min-width:8px\"></div>"
    case .divider: return "<div style=\"align-self:stretch;height:1px;background:color-mix(in srgb,var(--primary) 15%,transparent)\"></div>"
    case .shape: return div("min-height:1px;\(decoration(node))", "")
    case .progress: return progress(node, place)
    case .column:
      let align = Self.cross[value(node, "align") ?? "center"] ?? "center"
      return div("display:flex;flex-direction:column;align-items:\(align);gap:\(value(node, "spacing") ?? "8")px;", inner())
    case .row:
      let align = Self.cross[value(node, "align") ?? "center"] ?? "center"
      return div("display:flex;flex-direction:row;align-items:\(align);gap:\(value(node, "spacing") ?? "8")px;", inner(.row))
    case .grid:
      return div(
        "display:grid;gap:\(value(node, "spacing") ?? "8")px;\(columns(node))",
        node.children.map {
          "<div style=\"display:flex;flex-direction:column;min-width:0\">\(draw($0, in: .column, align: "center"))</div>"
        }.joined())
    case .scroll:
      return "<div class=s style=\"\(place)overflow-y:auto;display:flex;flex-direction:column;align-items:center;\">\(inner())</div>"
    case .list: return div("display:flex;flex-direction:column;gap:18px;padding:16px;background:var(--card);overflow-y:auto;", inner())
    case .section:
      let header = node.background.map { draw($0, in: .column, align: "center") }.joined()
      let rows = node.children.map {
        "<div style=\"display:flex;flex-direction:column;align-items:flex-start;text-align:start;padding:11px 16px;border-bottom:1px solid color-mix(in srgb,var(--primary) 10%,transparent)\">\(draw($0, in: .column, align: "flex-start"))</div>"
      }
      return
        "<div style=\"width:100%\"><div style=\"color:var(--secondary);font-size:\(size("footnote"))px;padding:0 16px 6px\">\(header)</div><div style=\"background:var(--background);border-radius:10px\">\(rows.joined())</div></div>"
    case .button, .link: return button(node, place)
    case .field: return div("border:1px solid var(--secondary);border-radius:8px;padding:8px;", escaped(node.value ?? node.text ?? ""))
    case .toggle:
      return div(
        "display:flex;justify-content:space-between;",
        "<span>\(escaped(node.text ?? ""))</span><span>\(node.isOn == true ? "●" : "○")</span>")
    case .layers:
      return div(
        "display:grid;place-items:center;",
        node.children.map { "<div style=\"grid-area:1/1\">\(draw($0, in: .column, align: "center"))</div>" }.joined())
    case .sheet:
      return
        "<div style=\"position:absolute;inset:0;background:var(--background);display:flex;flex-direction:column;align-items:center\">\(inner())</div>"
    case .box: return box(node, place)
    }
  }

  private func box(_ node: ViewNode, _ place: String) -> String {
    var css = place + "display:flex;flex-direction:column;position:relative;" + decoration(node) + font(node)
    let frame = (value(node, "align") ?? "center center").split(separator: " ").map(String.init)
    css +=
      "align-items:\(Self.cross[frame.first ?? "center"] ?? "center");justify-content:\(Self.cross[frame.last ?? "center"] ?? "center");"
    if let padding = value(node, "padding") { css += self.padding(padding) }
    func length(_ name: String, _ property: String) {
      if let text = value(node, name), let number = Double(text), number.isFinite { css += "\(property):\(number)px;" }
    }
    length("width", "width")
    length("height", "height")
    length("maxWidth", "max-width")
    length("minHeight", "min-height")
    if let text = value(node, "textAlign") { css += "text-align:\(text == "leading" ? "start" : text == "trailing" ? "end" : "center");" }
    if value(node, "fixed")?.hasPrefix("true") == true { css += "white-space:nowrap;flex-shrink:0;" }
    if let opacity = value(node, "opacity") { css += "opacity:\(opacity);" }
    if let tint = value(node, "tint") { css += "--tint:\(color(tint));" }
    let over = node.overlay.map {
      "<div style=\"position:absolute;inset:0;display:flex;flex-direction:column;pointer-events:none\">\(draw($0, in: .column, align: "center"))</div>"
    }
    return "<div style=\"\(css)\">\(node.children.map { draw($0, in: .column, align: "center") }.joined())\(over.joined())</div>"
  }

  private func button(_ node: ViewNode, _ place: String) -> String {
    let style = value(node, "button") ?? "automatic"
    var css = place + "display:flex;flex-direction:column;align-items:center;text-align:center;"
    switch style {
    case "borderedprominent":
      css +=
        "background:\(node.isDisabled ? "color-mix(in srgb,var(--primary) 12%,transparent)" : "var(--accent)");color:\(node.isDisabled ? "var(--secondary)" : "white");border-radius:14px;padding:14px 18px;"
    case "bordered":
      css += "background:color-mix(in srgb,var(--primary) 8%,transparent);color:var(--accent);border-radius:10px;padding:8px;"
    case "plain", "custom": css += node.isDisabled ? "opacity:.5;" : ""
    default: css += "color:\(node.isDisabled ? "var(--secondary)" : "var(--accent)");padding:4px;"
    }
    return "<div style=\"\(css)\">\(node.children.map { draw($0, in: .column, align: "center") }.joined())</div>"
  }

  private func progress(_ node: ViewNode, _ place: String) -> String {
    guard let share = node.progress else {
      return
        "<div style=\"\(place)width:20px;height:20px;border:3px solid var(--secondary);border-top-color:transparent;border-radius:50%\"></div>"
    }
    return
      "<div style=\"\(place)height:6px;border-radius:3px;background:color-mix(in srgb,var(--primary) 15%,transparent)\"><div style=\"height:6px;border-radius:3px;width:\(Int(share * 100))%;background:var(--tint,var(--accent))\"></div></div>"
  }

  private func columns(_ node: ViewNode) -> String {
    let text = value(node, "columns") ?? ""
    if text.hasPrefix("adaptive ") { return "grid-template-columns:repeat(auto-fill,minmax(\(text.dropFirst(9))px,1fr));" }
    return "grid-template-columns:\(text.replacingOccurrences(of: "1fr", with: "minmax(0,1fr)"));"
  }

  private func decoration(_ node: ViewNode) -> String {
    var css = value(node, "fill").map { "background:\(color($0));" } ?? ""
    switch value(node, "shape") ?? value(node, "clip") {
    case "capsule": css += "border-radius:999px;"
    case "circle": css += "border-radius:50%;"
    case let shape? where shape.hasPrefix("rounded "): css += "border-radius:\(shape.dropFirst(8))px;"
    default: break
    }
    if let border = value(node, "border")?.split(separator: " ") {
      css += "background:none;border:\(border[0])px solid \(color(String(border[1])));flex:1;"
    }
    return css
  }

  private func font(_ node: ViewNode) -> String {
    var css = ""
    if let words = value(node, "font")?.split(separator: " ").map(String.init), let name = words.first {
      css += "font-size:\(size(name))px;"
      let weights = ["bold": 700, "semibold": 600, "medium": 500, "regular": 400]
      css += "font-weight:\(words.dropFirst().compactMap { weights[$0] }.last ?? (name == "headline" ? 600 : 400));"
    }
    if let name = value(node, "color") { css += "color:\(color(name));" }
    return css
  }

  private func padding(_ text: String) -> String {
    let parts = text.split(separator: " ").map(String.init)
    let length = parts.last ?? "16"
    return switch parts.first {
    case "horizontal": "padding-left:\(length)px;padding-right:\(length)px;"
    case "vertical": "padding-top:\(length)px;padding-bottom:\(length)px;"
    default: "padding:\(length)px;"
    }
  }

  private func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;").replacingOccurrences(
      of: "\"", with: "&quot;")
  }
}
