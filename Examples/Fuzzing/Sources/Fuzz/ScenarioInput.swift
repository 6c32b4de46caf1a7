// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Monetize
import MonetizeSimulator

/// A scenario. A short one is also played, with the catalog of the repository that it names.
enum ScenarioInput {
  private static let mostSteps = 30

  static func run(_ input: Data) {
    guard let scenario = try? Scenario(json: input), scenario.stepCount <= mostSteps,
      let catalog = Seeds.catalogs[URL(fileURLWithPath: scenario.catalogPath).lastPathComponent],
      let runner = try? ScenarioRunner(scenario, catalog: catalog)
    else { return }
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      _ = await runner.run().entries.count
      done.signal()
    }
    done.wait()
  }
}
