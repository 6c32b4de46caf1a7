// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizePaywalls
import MonetizeReports

/// The model of a paywall: two plans with trial, saving and price per month, all texts, once formatters are warm.
func measurePaywalls(isQuick: Bool) throws -> [Figure] {
  let catalog = try Bench.magicalStories()
  let snapshot = Snapshot(of: CustomerState(), catalog: catalog, at: Bench.start)
  guard let paywall = snapshot.paywall(at: .default) else { throw Failure("Magical Stories has no paywall.") }
  let products = catalog.products.map { product in
    let price = product.price ?? Money(amount: 1, currency: "USD")
    return StoreProduct(
      id: product.id, displayName: product.name, displayPrice: "$\(price.amountText)", price: price, period: product.subscription?.period,
      introductoryOffer: product.subscription?.introductoryOffer)
  }
  let figure = Harness.race(
    rounds: isQuick ? 3 : 7,
    [
      Runner(name: "the model of a paywall, two plans", operations: 1000) {
        (0..<1000).reduce(0) { sum, _ in
          sum + PaywallScreen(of: paywall, snapshot: snapshot, loading: .loaded(products)).options.count
        }
      }
    ], goals: [:])[0]
  var compared = figure.compared(with: "50 µs", of: 50_000)
  compared.goal = 1
  return [compared]
}

/// One churn draw for each of a million customers in each of 24 months, beside numpy's on the same machine in the same run.
func measureForecasts(isQuick: Bool) throws -> [Figure] {
  let customers = 1_000_000
  let what = "1,000,000 customers, 24 months, a churn draw each"
  var figures = Harness.race(
    rounds: isQuick ? 3 : 7,
    [
      Runner(name: what, operations: 1) { RetentionCurve.monthly.drawn(customers, through: 24, seed: 1)[24] },
      Runner(name: "the same without churn: every customer each month", operations: 1) {
        (RetentionCurve(alpha: 1e-6, beta: 1)?.drawn(customers, through: 24, seed: 1)[24]) ?? 0
      },
    ], goals: [:])
  guard let numpy = numpySeconds() else {
    FileHandle.standardError.write(Data("numpy is not there: the forecast is measured without its baseline.\n".utf8))
    return figures
  }
  for index in figures.indices {
    figures[index] = figures[index].compared(with: "numpy, the same draws", of: (index == 0 ? numpy.churn : numpy.all) * 1e9)
    figures[index].goal = 1
  }
  return figures
}

/// Seconds of processor time of numpy for the same draws, the best of five: with churn, and with every customer each month. `nil` without numpy.
private func numpySeconds() -> (churn: Double, all: Double)? {
  let script = """
    import time, numpy
    def run(alpha, beta):
        generator, alive, start = numpy.random.default_rng(1), 1000000, time.process_time()
        for month in range(1, 25):
            alive = int((generator.random(alive) < (beta + month - 1) / (alpha + beta + month - 1)).sum())
        return time.process_time() - start
    print(min(run(0.8258, 0.9418) for _ in range(5)), min(run(1e-6, 1.0) for _ in range(5)))
    """
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["python3", "-c", script]
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return nil }
  let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  let times = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
  return times.count == 2 ? (times[0], times[1]) : nil
}

/// 10,000 customers for a year: the store alone, and with three uses a month through the engine and events.
func measurePopulations(isQuick: Bool) throws -> [Figure] {
  let behaviour = Data(#"{ "conversion": "1", "mix": { "com.magicalstories.premium.monthly": "1" }, "uses": { "story": "3" } }"#.utf8)
  let catalog = try Population.catalog(try Bench.json("magical-stories"), behaviour: behaviour)
  var options = Population.Options()
  options.customers = isQuick ? 1000 : 10_000
  func play(_ usesFeatures: Bool) -> Int {
    options.usesFeatures = usesFeatures
    return (try? Population(catalog, options).events.count) ?? 0
  }
  let count = options.customers.formatted()
  return try [("the store alone", false, 2.0), ("three uses a month", true, 6.0)].map { name, uses, seconds in
    guard play(uses) > 0 else { throw Failure("The population did nothing.") }
    let figure = Harness.race(
      rounds: isQuick ? 1 : 3, [Runner(name: "\(count) customers for a year: \(name)", operations: 1) { play(uses) }], goals: [:])[0]
    var compared = figure.compared(with: "\(seconds.formatted()) s", of: seconds * 1e9 * (isQuick ? 0.1 : 1))
    compared.goal = isQuick ? nil : 1
    return compared
  }
}
