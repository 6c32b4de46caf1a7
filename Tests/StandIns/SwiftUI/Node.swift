// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// What tests read. Not part of SwiftUI.

/// One element that is drawn.
public struct ViewNode {
  /// What it is.
  public enum Kind: String, Sendable {
    case text, image, button, link, field, toggle, progress, spacer, divider, shape
    case column, row, layers, grid, scroll, list, section, box, sheet
  }

  public var kind: Kind
  /// What is seen: the text, the name of an image, the title of a field.
  public var text: String?
  /// How it is drawn: names of SwiftUI's modifiers with their values.
  public var style: [(name: String, value: String)] = []
  public var children: [ViewNode] = []
  /// What stands behind it.
  public var background: [ViewNode] = []
  /// What stands in front of it.
  public var overlay: [ViewNode] = []
  /// The share that is done, from 0 to 1, of a progress that has one.
  public var progress: Double?
  public var isOn: Bool?
  public var isDisabled = false

  // What a screen reader has.
  public var label: String?
  public var value: String?
  public var hint: String?
  public var identifier: String?
  public var traits: Set<String> = []
  public var isHidden = false
  /// Whether its children are one element, and how: `combine`, `ignore`, `contain`.
  public var element: String?

  public var action: (@MainActor () -> Void)?
  public var type: (@MainActor (String) -> Void)?

  public init(_ kind: Kind, text: String? = nil, children: [ViewNode] = []) {
    (self.kind, self.text, self.children) = (kind, text, children)
  }

  /// It and all that are in it, in the order of reading.
  public var all: [ViewNode] { [self] + (background + children + overlay).flatMap(\.all) }
  /// The texts in it, in order.
  public var texts: [String] { all.filter { $0.kind == .text }.compactMap(\.text) }
  /// What a screen reader speaks for it: its label, else the texts in it that are not hidden.
  public var spoken: String {
    if let label { return label }
    if kind == .text || kind == .field || kind == .toggle, let text { return text }
    return isHidden || element == "ignore" ? "" : children.map(\.spoken).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  func styled(_ name: String, _ value: String) -> ViewNode {
    var copy = self
    copy.style.append((name, value))
    return copy
  }
}
