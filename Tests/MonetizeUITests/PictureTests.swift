// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeSimulator
import MonetizeUI
import SwiftUI
import Testing

/// Pictures of every screen, for a person to look at: in the folder `monetize-pictures` of the temporary directory, or in MONETIZE_PICTURES.
/// Needs a browser; without one the pages are written and no picture is made.
@Suite("Pictures", .serialized, .timeLimit(.minutes(30)))
@MainActor struct PictureTests {
  nonisolated static let browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }
  static let folder =
    ProcessInfo.processInfo.environment["MONETIZE_PICTURES"].map { URL(fileURLWithPath: $0) }
    ?? FileManager.default.temporaryDirectory.appendingPathComponent("monetize-pictures")

  struct Device: Sendable, CustomTestStringConvertible {
    let name: String
    var width = 390.0
    var height = 844.0
    var isDark = false
    var isRightToLeft = false
    var textSize = DynamicTypeSize.large
    var testDescription: String { name }
  }

  nonisolated static let devices = [
    Device(name: "phone"), Device(name: "ipad-landscape", width: 1180, height: 820),
    Device(name: "largest-text", textSize: .accessibility5),
    Device(name: "dark", isDark: true), Device(name: "right-to-left", isRightToLeft: true),
    Device(name: "phone-landscape", width: 844, height: 390),
  ]

  @Test(
    "MAZE-23: every paywall and screen fits: nothing is wider than the screen",
    .enabled(if: browser != nil, "No Chromium here: the pages cannot be drawn"), arguments: devices)
  func pictures(device: Device) async throws {
    var screens: [(name: String, nodes: [ViewNode])] = []
    for (app, request) in Gallery.requests {
      let catalog = try Stage.catalog(app).localized(
        by: CatalogStrings(json: Data(#"{ "language": "\#(device.isRightToLeft ? "ar" : "en")" }"#.utf8)))
      let stage = try await Stage(catalog: catalog)
      let isWide = device.width > device.height && device.width >= 700
      screens.append((app, await nodes(Gallery.paywall(stage, request, .ready, isWide: isWide), device, stage)))
    }
    let maze = try await Stage("maze-packs")
    _ = await maze.monetizer.complete("denny/1/easy")
    let grid = ScrollView {
      VStack(spacing: 20) {
        PackShelf("story.play") { _ in }
        ItemGrid("story.play", in: "denny", part: "easy") { _ in }
      }.padding(24)
    }
    screens.append(("shelf", await nodes(grid, device, maze)))
    screens.append(("gate", await nodes(ParentalGate(seed: 1), device, maze)))
    let stories = try await Stage("magical-stories")
    for _ in 0..<2 { _ = try await stories.monetizer.spend("story") }
    let mixed = ScrollView {
      VStack(spacing: 20) {
        UsageMeterView("story")
        Text("Locked").gated(by: "growthPathCollections")
        Text("Locked").gated(by: "parentalAnalytics")
      }.padding(24)
    }
    screens.append(("gates", await nodes(mixed, device, stories)))
    _ = try await stories.monetizer.spend("story")
    screens.append(("limit", await nodes(ScrollView { LimitReachedView("story") }, device, stories)))
    let heatlab = try await Stage("heatlab", owns: ["com.heatlab.pro.monthly"])
    screens.append(("settings", await nodes(List { SubscriptionSettings("pro") }, device, heatlab)))
    let wide = try draw(screens, device)
    #expect(wide == "", "\(device.name)")
  }

  private struct ParentalGate: View {
    @StateObject private var model: ChallengeModel
    init(seed: UInt64) { _model = StateObject(wrappedValue: ChallengeModel(generator: SeededGenerator(seed))) }
    var body: some View { ParentalGateView(model, language: "en") }
  }

  private func nodes(_ view: any View, _ device: Device, _ stage: Stage) async -> [ViewNode] {
    func show(_ view: some View) -> ViewHost {
      stage.show(view, width: device.width, height: device.height) {
        $0.dynamicTypeSize = device.textSize
        $0.layoutDirection = device.isRightToLeft ? .rightToLeft : .leftToRight
      }
    }
    let host = show(view)
    await stage.settle()
    return host.tree
  }

  /// Draws one picture of all screens. Returns what is wider than its screen.
  private func draw(_ screens: [(name: String, nodes: [ViewNode])], _ device: Device) throws -> String? {
    let page = HTMLPage(
      width: device.width, height: device.height, isDark: device.isDark, isRightToLeft: device.isRightToLeft, textSize: device.textSize)
    let file = Self.folder.appendingPathComponent("\(device.name).html")
    try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
    try Data(page.html(screens).utf8).write(to: file)
    let columns = Int(page.pageWidth / (device.width + 12))
    let rows = (screens.count + columns - 1) / columns
    let dom = try Self.run([
      "--dump-dom", "--screenshot=\(file.deletingPathExtension().appendingPathExtension("png").path)",
      "--window-size=\(Int(page.pageWidth)),\(rows * (Int(device.height) + 12))", file.absoluteString,
    ])
    return dom.components(separatedBy: "data-wide=\"").dropFirst().first.map { String($0.prefix { $0 != "\"" }) }
  }

  private static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: browser ?? "")
    process.arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--virtual-time-budget=500"] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
