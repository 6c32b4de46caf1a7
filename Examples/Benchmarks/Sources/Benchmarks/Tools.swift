// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeTools

/// `lint`, `show`, `generate`, `storekit` and `diff` of large catalogs, reading included: within three seconds for 10,000 products, and linear.
func measureTools(isQuick: Bool) throws -> [Figure] {
  let (small, large) = isQuick ? (500, 2000) : (2500, 10_000)
  return try ToolShape.allCases.flatMap { shape -> [Figure] in
    zip(try ToolBenchVerb.all(shape, small), try ToolBenchVerb.all(shape, large)).flatMap { few, many -> [Figure] in
      // The first run warms up.
      let (_, fewTime, manyTime) = (few.time(), few.time(), many.time())
      let name = "\(many.name): \(large.formatted()) \(shape.rawValue)"
      func figure(_ what: String, _ baseline: String, _ time: Double, goal: Double) -> Figure {
        Figure(
          what: what, time: manyTime, baseline: baseline, baselineTime: time, ratio: manyTime / time, goal: goal, allocations: -1)
      }
      // Linear: four times the products take at most five times as long (caches, and a shared machine).
      return [
        figure(name, isQuick ? "3 s, for a fifth" : "3 s", isQuick ? 0.6e9 : 3e9, goal: 1),
        figure("  linear", "\(small.formatted()) of them", fewTime, goal: 5),
      ]
    }
  }
}

/// A verb with its argument, ready to run.
private struct ToolBenchVerb {
  let name: String
  let run: () -> Int

  /// Nanoseconds of processor time of one run.
  func time() -> Double {
    let start = Harness.processorTime
    Harness.sink &+= run()
    return (Harness.processorTime - start) * 1e9
  }

  static func all(_ shape: ToolShape, _ count: Int) throws -> [ToolBenchVerb] {
    let json = shape.json(count)
    let reading = Catalog.reading(json)
    guard let catalog = reading.catalog else {
      throw Failure("\(shape): \(reading.diagnostics.first { $0.severity == .error }.map { "\($0)" } ?? "")")
    }
    var file = StoreKitFile(appID: "com.example.app")
    file.update(from: catalog)
    let storeKit = Data(file.text.utf8)
    let verbs = [
      ToolBenchVerb(name: "lint") { Lint().report(on: [LintFile(name: "x", json: json)]).text.count },
      ToolBenchVerb(name: "show") { (try? CatalogDocument.overview(of: Catalog(json: json)).text.count) ?? 0 },
      ToolBenchVerb(name: "review notes") { (try? CatalogDocument.reviewNotes(of: Catalog(json: json)).text.count) ?? 0 },
      ToolBenchVerb(name: "generate swift") { (try? SwiftIds(Catalog(json: json), file: "x").text.count) ?? 0 },
      ToolBenchVerb(name: "storekit export") {
        var file = StoreKitFile(appID: "com.example.app")
        guard let catalog = try? Catalog(json: json) else { return 0 }
        return file.update(from: catalog).count + file.text.count
      },
      ToolBenchVerb(name: "storekit import") { (try? StoreKitFile(storeKit).imported(appName: "x").json.count) ?? 0 },
      ToolBenchVerb(name: "storekit check") { StoreKitFile.check(storeKit).count },
    ]
    return verbs
      + ToolShape.Edit.allCases.map { edit in
        let other = shape.json(count, edit)
        return ToolBenchVerb(name: "diff, \(edit.rawValue)\(edit == .none ? "" : " changed")") {
          (try? CatalogDiff(old: json, new: other)).map { DiffReport($0, old: "a", new: "b").json.count } ?? 0
        }
      }
  }
}
