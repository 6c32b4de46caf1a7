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
  return figures + [try await measureProducts()]
}

/// A hundred states of a catalog with twice as many products take about twice as long.
private func measureProducts() async throws -> Figure {
  func seconds(_ count: Int) async throws -> Double {
    let numbers = 0..<count
    let json = """
      { "schemaVersion": 1, "app": { "id": "com.example.app", "name": "App" },
        "features": { \(numbers.map { #""f\#($0)": { "title": "F" }"# }.joined(separator: ", ")) },
        "products": [\(numbers.map { #"{ "kind": "nonConsumable", "id": "p\#($0)", "name": "P", "grants": { "f\#($0)": true } }"# }
          .joined(separator: ", "))] }
      """
    var options = CatalogCheck.Options()
    options.states = 100
    return await (try CatalogCheck(Data(json.utf8), options: options)).run(catalogPath: "packs").seconds
  }
  let (few, many) = (try await seconds(500), try await seconds(1000))
  return Figure(
    what: "check of 1,000 packs: 100 states", time: many * 1e9, baseline: "of 500 packs", baselineTime: few * 1e9, ratio: many / few,
    goal: 2.5, allocations: -1)
}
