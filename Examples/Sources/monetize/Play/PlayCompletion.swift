// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize
import MonetizeSimulator

/// The completions for TAB: commands first, then their arguments.
struct PlayCompletion {
  let catalog: Catalog
  let devices: [String]

  /// The completions of the last word of a line.
  func endings(of line: String) -> [String] {
    var words = line.components(separatedBy: " ")
    let last = words.removeLast()
    while let first = words.first, ["on", "as", ""].contains(first.lowercased()) {
      if first.isEmpty {
        words.removeFirst()
      } else if words.count == 1 {
        return matching(last, first == "on" ? devices : ["child:", "customer", "demo", "guest", "parent"])
      } else {
        words.removeFirst(2)
      }
    }
    guard let command = words.first else {
      return (PlayVerb.all.map(\.name) + PlayVerb.vocabulary.verbs().map(\.name).filter { PlayVerb.named($0) == nil }).filter {
        $0.lowercased().hasPrefix(last.lowercased())
      }.sorted()
    }
    guard let verb = PlayVerb.named(command) else { return matching(last, PlayVerb.vocabulary.keys(of: command).map { "\($0.name)=" }) }
    return matching(last, options(verb, after: words.last ?? "", position: words.count, last))
  }

  /// Matches the beginning of an id, or of a part after a dot.
  private func matching(_ last: String, _ options: [String]) -> [String] {
    var seen: Set<String> = []
    return options.filter { ($0.hasPrefix(last) || (!last.isEmpty && $0.contains("." + last))) && seen.insert($0).inserted }
  }

  /// - Parameter position: The number of words before the current one.
  private func options(_ verb: PlayVerb, after previous: String, position: Int, _ last: String) -> [String] {
    switch previous.lowercased() {
    case "gate": return ["pass", "fail", "reuse"]
    case "offer", "redeem", "codefor": return catalog.offers
    case "from": return ["appStore", "code", "promotion"]
    case "crash" where position > 1: return ["finish", "grant", "store"]
    default: break
    }
    let products = catalog.products.map(\.id.rawValue)
    let features = catalog.features.map(\.id.rawValue)
    let isFirst = position == 1
    let levels = catalog.feature(FeatureID(previous))?.shape.levels ?? []
    switch verb.name {
    case "open" where isFirst: return features + catalog.allPlacements
    case "open", "use", "why": return isFirst ? features : levels + items(last) + verb.keywords
    case "complete": return items(last)
    case "cap": return isFirst ? features : levels + ["none", "off"]
    case "expect": return isFirst ? features + products : items(last)
    case "give", "revoke": return catalog.entitlements.map(\.id.rawValue) + verb.keywords + (last.hasPrefix("+") ? features : [])
    case "dismiss": return catalog.allPlacements
    case "approve", "decline", "renew", "expire", "requestRefund": return isFirst ? products : []
    case "buy", "refund", "extend", "price", "commitment", "forget": return isFirst ? products : verb.keywords
    case "renewal", "manage", "sale": return isFirst ? ["on", "off"] : products
    case "set": return PlayVerb.vocabulary.worldSettings.map { "\($0.name)=" }
    case "quirk": return isFirst ? StoreQuirk.all.map(\.rawValue) : ["on", "off"]
    case "error": return isFirst ? StoreAPI.all.map(\.rawValue) : ScenarioPlayer.errors + ["none"]
    case "same": return devices
    case "sign": return isFirst ? ["in", "out"] : previous == "in" ? [] : ["keep", "share", "transfer"]
    case "sync": return isFirst ? devices : devices + verb.keywords
    case "device": return []
    case "help": return isFirst ? PlayVerb.all.map(\.name) : []
    default: return verb.keywords
    }
  }

  /// Completes collections before the slash, and their items after it.
  private func items(_ text: String) -> [String] {
    guard text.contains("/") else { return catalog.collections.map { "\($0.id)/" } }
    return catalog.collections.flatMap { collection in collection.items.map { "\(collection.id)/\($0.id)" } }
  }
}
