// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizePreview
import MonetizeSimulator
import MonetizeUI
import SwiftUI
import Testing

@Suite("What a screen reader has", .timeLimit(.minutes(30)))
@MainActor struct LabelTests {
  /// Controls without a label, images that are neither hidden nor labelled, and labels with a placeholder left in them.
  static func mistakes(_ nodes: [ViewNode]) -> [String] {
    nodes.flatMap { find($0, isInControl: false) }
  }

  private static func find(_ node: ViewNode, isInControl: Bool) -> [String] {
    if node.isHidden { return [] }
    var found: [String] = []
    let isControl = [.button, .link, .field, .toggle].contains(node.kind)
    if isControl, node.spoken.allSatisfy(\.isWhitespace) { found.append("a \(node.kind.rawValue) without a label: \(node.texts)") }
    if node.kind == .image, node.label == nil, !isInControl { found.append("the image \(node.text ?? "") is spoken by its name") }
    if node.spoken.contains("{") { found.append("a placeholder is spoken: \(node.spoken)") }
    let isOne = isControl && node.label != nil || node.element == "ignore"
    return found + (node.background + node.children + node.overlay).flatMap { find($0, isInControl: isInControl || isOne) }
  }

  @Test(
    "DOZZI-17: every control of every screen has a label, in every phase, language and size of text", arguments: ["en", "de", "ja", "ar"])
  func everyControl(language: String) async throws {
    for (app, request) in Gallery.requests {
      let catalog = try Stage.catalog(app).localized(by: CatalogStrings(json: Data(#"{ "language": "\#(language)" }"#.utf8)))
      let stage = try await Stage(catalog: catalog)
      var views: [any View] = []
      for phase in PaywallScreen.Phase.allCases { views += [false, true].map { Gallery.paywall(stage, request, phase, isWide: $0) } }
      views += catalog.features.map { FeatureGate($0.id) { Text("Content") } }
      views += catalog.features.map { UsageMeterView($0.id) } + catalog.features.map { LimitReachedView($0.id) }
      views += catalog.collections.map { ItemGrid(request.feature, in: $0.id) { _ in } }
      views += [PackShelf(request.feature) { _ in }, RestoreButton()]
      views += ["pro", "premium"].map { SubscriptionSettings(EntitlementID($0)) }
      views.append(PreviewPanel(PreviewStore(catalog: catalog, at: Stage.start)))
      func show(_ view: some View, _ size: DynamicTypeSize) -> [ViewNode] { stage.show(view) { $0.dynamicTypeSize = size }.tree }
      for view in views {
        for size in [DynamicTypeSize.large, .accessibility5] { #expect(Self.mistakes(show(view, size)) == [], "\(app) \(type(of: view))") }
      }
    }
  }

  @Test("A badge is shown beside its product, and spoken with it") func badge() async throws {
    let yearly = "com.magicalstories.premium.yearly"
    let catalog = try Stage.catalog("magical-stories") {
      $0.replacingOccurrences(of: #""default": {"#, with: #""default": { "badges": { "\#(yearly)": "Best value" },"#)
    }
    let stage = try await Stage(catalog: catalog)
    let tree = stage.show(Gallery.paywall(stage, AccessRequest("customThemes"), .ready)).tree
    #expect(tree.flatMap(\.texts).filter { $0 == "Best value" }.count == 1)
    #expect(tree.flatMap(\.all).contains { $0.spoken.hasPrefix("Premium Yearly, Best value, 7 days free") })
    #expect(Self.mistakes(tree) == [])
  }

  @Test("The parental gate: every key has a label, the typed digits are spoken")
  func gate() async throws {
    let stage = try await Stage("maze-packs")
    let host = stage.show(Text("Story").gated(by: "story.play", item: "denny/4"))
    _ = await stage.tap("Stories, locked", in: host)
    #expect(Self.mistakes(host.tree) == [] && host.control("Delete") != nil)
    host.tap("4")
    host.tap("2")
    #expect(host.elements.contains { $0.label == "Answer" && $0.value == "42" })
    host.tap("Delete")
    #expect(host.elements.contains { $0.label == "Answer" && $0.value == "4" })
  }

  @Test("The check finds a button with a picture alone, a picture that is spoken, and a placeholder")
  func sensitive() {
    let picture = ViewHost(
      Button {
      } label: {
        Image(systemName: "xmark").accessibilityHidden(true)
      })
    #expect(Self.mistakes(picture.tree).count == 1)
    #expect(Self.mistakes(ViewHost(Image(systemName: "lock")).tree).count == 1)
    #expect(!Self.mistakes(ViewHost(Button("Buy for {price}") {}).tree).isEmpty)
    #expect(Self.mistakes(ViewHost(Button("Buy") {}).tree).isEmpty)
  }
}
