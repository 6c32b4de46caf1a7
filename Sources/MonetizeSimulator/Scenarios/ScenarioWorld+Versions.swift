// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

/// What is installed on devices, and what is under way there.
extension ScenarioWorld {
  func app(_ session: ScenarioSession) throws(ScenarioProblem) -> Monetizer {
    guard let monetizer = session.monetizer else {
      throw ScenarioProblem(text: "The app is not running on \(session.name). Add { \"do\": \"launch\" } before.")
    }
    return monetizer
  }

  /// Ends an app, and with it the paywall that it showed.
  func quit(_ session: ScenarioSession) {
    hands[session.name]?.close()
    session.quit()
  }

  /// Work goes on for a while.
  func work(_ length: Period?) async {
    if let length { await pass(to: length.added(to: store.clock.now, in: Instant.calendar(zone))) }
  }

  /// A new version of the app on one device: its catalog is the one there, patched.
  func update(_ patch: JSONValue, _ session: ScenarioSession) async throws(ScenarioProblem) {
    let version: AppVersion
    do throws(CatalogError) { version = try runner.version(session.version, updatedBy: patch) } catch {
      let first = error.diagnostics.first { $0.severity == .error }
      throw ScenarioProblem(text: "The updated catalog cannot be used. \(first?.message ?? "")")
    }
    // What the store sells is set up there, and not by an app: only what it does not know yet comes to it.
    for product in version.catalog.simulatedProducts where !store.sells(product.id) { store.setProduct(product) }
    session.install(version)
    let ran = session.monetizer != nil
    session.quit()
    if ran { await session.launch(zone: zone, answers: true) }
  }

  /// Remote configuration reaches apps: at once where they run, and at each launch from now on. One that breaks a rule changes nothing.
  func configure(_ text: String?, _ sessions: [ScenarioSession]) -> Outcome {
    do throws(CatalogError) {
      var overlays: [Overlay] = []
      if let text { overlays.append(try Overlay(json: Data(text.utf8))) }
      // Judged before any app hears of it, for those outside its share as well.
      for (overlay, session) in overlays.flatMap({ overlay in sessions.map { (overlay, $0) } }) {
        _ = try session.version.catalog.applying(overlay)
      }
      for session in sessions { try session.configure(overlays) }
      return "applied"
    } catch {
      lastStep.error = error.diagnostics.first?.code.rawValue
      return "refused"
    }
  }
}
