// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

extension CheckModel {
  /// The steps of a scenario for an action in a state.
  func steps(_ action: CheckAction, _ state: CheckState) -> [String] {
    switch action {
    case .buy(let product): return [buyStep(product)]
    case .refund(let product): return [#"{ "do": "refund", "product": \#(productID(product)) }"#]
    case .lapse(let product):
      let off = #"{ "do": "renewal", "to": "off", "product": \#(productID(product)) }"#
      return (catalog.products[product].subscription == nil ? [] : [off]) + [advance(state, action)]
    case .nextChange: return [advance(state, action)]
    case .reinstall: return [#"{ "do": "reinstall" }"#]
    case .use(let feature, let amount):
      if type(of: catalog.features[feature].shape).countsSeconds {
        return [#"{ "do": "use", "feature": \#(featureID(feature)), "length": "\#(Period(seconds: amount))" }"#]
      }
      return [#"{ "do": "use", "feature": \#(featureID(feature))\#(amount > 1 ? ", \"count\": \(amount)" : "") }"#]
    }
  }

  func buyStep(_ product: Int) -> String {
    #"{ "do": "purchase", "product": \#(productID(product))\#(needsGate ? ", \"gate\": \"pass\"" : "") }"#
  }

  private func advance(_ state: CheckState, _ action: CheckAction) -> String {
    let cache = CheckCache()
    let next = successors(of: state, cache.answers(state.facts, self), cache).first { $0.0 == action }?.1
    return #"{ "advance": "\#(ISODate.text(date(next?.now ?? state.now)))" }"#
  }

  private func productID(_ index: Int) -> String { quoted(catalog.products[index].id.rawValue) }
  private func featureID(_ index: Int) -> String { quoted(catalog.features[index].id.rawValue) }

  /// A counterexample as a scenario that runs and fails.
  func scenario(_ finding: CheckFinding, _ way: [(CheckAction, CheckState)], catalogPath: String) -> CheckCounterexample {
    let steps = [#"{ "do": "launch" }"#] + way.flatMap { self.steps($0.0, $0.1) } + finding.steps
    let lines = (steps + [#"{ "expect": \#(finding.expect) }"#]).map { "    " + $0 }
    let devices = finding.expect.contains("\"tablet\"") ? "\n  \"devices\": { \"phone\": \"ann\", \"tablet\": \"ann\" }," : ""
    let json = """
      {
        "title": \(quoted("\(finding.code): \(finding.message)")),
        "catalog": \(quoted(catalogPath)),
        "start": "\(ISODate.text(start))",\(devices)
        "steps": [
      \(lines.joined(separator: ",\n"))
        ]
      }

      """
    return CheckCounterexample(code: finding.code, message: finding.message, steps: steps.count, scenario: json)
  }
}
