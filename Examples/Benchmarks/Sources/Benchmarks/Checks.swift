// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

/// The states that `monetize check` visits in a second on all cores, wall time, by catalog.
func measureChecks(isQuick: Bool) async throws -> [Figure] {
  var figures: [Figure] = []
  for app in Bench.apps {
    var options = CatalogCheck.Options()
    options.states = isQuick ? 20_000 : 1_000_000
    let report = await (try CatalogCheck(Bench.json(app), options: options)).run(catalogPath: app)
    let time = report.seconds / Double(max(1, report.states)) * 1e9
    let how = report.isExhausted ? "exhausted" : "not exhausted"
    var figure = Figure(
      what: "check of \(app): a state of \(report.states.formatted()), \(report.depth) steps, \(how)", time: time, baseline: "100 µs",
      baselineTime: 100_000, ratio: time / 100_000, goal: nil, allocations: -1)
    // A few hundred states say more about the preparation than about the search.
    figure.goal = report.states < 10_000 ? nil : 1
    figures.append(figure)
  }
  return figures
}
