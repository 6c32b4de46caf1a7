// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeJSON

/// Versions, processes and running work of devices.
extension ScenarioWorld {
  func app(_ session: ScenarioSession) throws(ScenarioProblem) -> Monetizer {
    guard let monetizer = session.monetizer else {
      throw ScenarioProblem(text: "The app is not running on \(session.name). Add { \"do\": \"launch\" } before this step.")
    }
    return monetizer
  }

  /// Ends an app and closes its paywall.
  func quit(_ session: ScenarioSession) {
    hands[session.name]?.close()
    session.quit()
  }

  /// Lets time pass while work runs.
  func work(_ length: Period?) async {
    if let length { await pass(to: length.added(to: store.clock.now, in: .storeCalendar(in: zone))) }
  }

  /// Installs a new version of the app on one device: the device's catalog with a patch.
  func update(_ patch: JSONValue, _ session: ScenarioSession) async throws(ScenarioProblem) {
    let version: AppVersion
    do throws(CatalogError) { version = try runner.version(session.version, updatedBy: patch) } catch {
      let first = error.diagnostics.first { $0.severity == .error }
      throw ScenarioProblem(text: "The updated catalog cannot be used. \(first?.message ?? "")")
    }
    // The store keeps its own settings of products; an update adds only the products that it lacks.
    for product in version.catalog.simulatedProducts where !store.sells(product.id) { store.setProduct(product) }
    session.install(version)
    let ran = session.monetizer != nil
    session.quit()
    if ran { await session.launch(zone: zone, answers: true) }
  }

  /// Sends remote configuration to apps: at once where they run, and at each later launch. Invalid configuration changes nothing.
  func configure(_ text: String?, _ sessions: [ScenarioSession]) -> Outcome {
    do throws(CatalogError) {
      var overlays: [Overlay] = []
      if let text { overlays.append(try Overlay(json: Data(text.utf8))) }
      // Check before any app applies it, also for devices outside an overlay's share.
      for (overlay, session) in overlays.flatMap({ overlay in sessions.map { (overlay, $0) } }) {
        _ = try session.version.catalog.applying(overlay)
      }
      for session in sessions { try session.configure(overlays) }
      return "applied"
    } catch {
      let first = error.diagnostics.first { $0.severity == .error }
      lastStep.error = first?.code.rawValue
      lastStep.remarks += [first?.message].compactMap { $0 }
      return "refused"
    }
  }
}
