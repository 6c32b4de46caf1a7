// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Visits every state of a model level by level, so that the first path to a state is a shortest one.
struct CheckSearch: Sendable {
  /// A state that was checked.
  private struct Visit: Sendable {
    let summary: CheckAnswers.Summary
    let findings: [CheckFinding]
    let successors: [(CheckAction, CheckState)]
  }

  /// The origin of a state.
  private struct Node: Sendable {
    let state: CheckState
    let parent: Int
    let action: CheckAction?
  }

  /// The findings and the coverage of a search.
  struct Result: Sendable {
    var findings: [(finding: CheckFinding, way: [(CheckAction, CheckState)])] = []
    var states = 0
    var depth = 0
    /// The option that left states unchecked; `nil` when all were checked.
    var limit: String?
    /// The features that were closed in every state.
    var closed: [Int] = []
  }

  /// The number of states between two comparisons.
  private static let part = 20_000
  /// The number of states that are visited at once: fewer in a large catalog, where each has more successors.
  private var atOnce: Int { max(1, min(Self.part, 1_000_000 / max(1, model.catalog.products.count))) }

  let model: CheckModel
  private var nodes: [Node] = []
  /// The summary of each checked state, by its index among the different ones.
  private var summaries: [Int] = []
  private var different: [CheckAnswers.Summary] = []
  private var numbers: [CheckAnswers.Summary: Int] = [:]
  private var known: [CheckState: Int] = [:]
  private var edges: [(from: Int, to: Int, product: Int)] = []
  /// The purchases that were compared: the summaries before and after, and the product.
  private var compared: Set<[Int]> = []
  private var result = Result()
  private var done: Set<String>
  private var open: Set<Int> = []
  /// Whether states were left out because of the limit.
  private var hasMore = false

  init(model: CheckModel) {
    self.model = model
    done = model.options.skip
  }

  mutating func run(tasks: Int, progress: (@Sendable (Int, Int) -> Void)? = nil) async -> Result {
    let first = CheckState()
    nodes = [Node(state: first, parent: -1, action: nil)]
    known = [model.key(first): 0]
    let caches = (0..<tasks).map { _ in Box() }
    var frontier = 0..<1
    while !frontier.isEmpty, result.depth <= model.options.depth {
      // Work in parts, so that a wide level needs no more memory than its states.
      for start in stride(from: frontier.lowerBound, to: frontier.upperBound, by: Self.part) {
        let end = min(start + Self.part, frontier.upperBound)
        for start in stride(from: start, to: end, by: atOnce) {
          let states = start..<min(start + atOnce, end)
          take(await Self.visit(nodes[states].map(\.state), model, done, caches), at: states)
        }
        compareEdges()
        progress?(summaries.count, result.depth)
      }
      result.depth += 1
      frontier = frontier.upperBound..<nodes.count
    }
    result.limit = hasMore ? "states" : summaries.count < nodes.count ? "depth" : nil
    result.states = summaries.count
    result.depth -= 1
    result.closed = model.due.filter { !open.contains($0) }
    return result
  }

  /// Checks states on several tasks, each with its own cache: states with the same purchases on the same task, because they share most.
  private static func visit(_ states: [CheckState], _ model: CheckModel, _ done: Set<String>, _ caches: [Box]) async -> [Visit] {
    var shares = Array(repeating: [Int](), count: caches.count)
    for (index, state) in states.enumerated() { shares[Int(state.purchases.hashValue.magnitude % UInt(caches.count))].append(index) }
    return await withTaskGroup(of: [(Int, Visit)].self) { group in
      for (share, box) in zip(shares, caches) {
        group.addTask { share.map { ($0, visit(states[$0], model, box.cache, done)) } }
      }
      var visits = Array(repeating: Visit?.none, count: states.count)
      for await share in group { for (index, visit) in share { visits[index] = visit } }
      return visits.compactMap { $0 }
    }
  }

  /// A cache that only one task at a time uses.
  private struct Box: @unchecked Sendable {
    let cache = CheckCache()
  }

  private static func visit(_ state: CheckState, _ model: CheckModel, _ cache: CheckCache, _ done: Set<String>) -> Visit {
    let answers = cache.answers(state.facts, model, without: done)
    return Visit(
      summary: answers.summary, findings: model.findings(in: state, answers, cache, without: done),
      successors: model.successors(of: state, answers, cache))
  }

  private mutating func take(_ visits: [Visit], at frontier: Range<Int>) {
    for (node, visit) in zip(frontier, visits) {
      summaries.append(number(visit.summary))
      for finding in visit.findings { add(finding, at: node) }
      for (action, state) in visit.successors {
        let key = model.key(state)
        let child = known[key] ?? nodes.count
        if child == nodes.count {
          // A state that the limit leaves unchecked needs no memory.
          if nodes.count >= model.options.states {
            hasMore = true
            continue
          }
          known[key] = child
          nodes.append(Node(state: state, parent: node, action: action))
        }
        if case .buy(let product) = action { edges.append((node, child, product)) }
      }
    }
  }

  /// The index of a summary among the different ones.
  private mutating func number(_ summary: CheckAnswers.Summary) -> Int {
    if let number = numbers[summary] { return number }
    for (index, probe) in model.probes.enumerated() where summary.allowed[index] { open.insert(probe.feature) }
    numbers[summary] = different.count
    different.append(summary)
    return different.count - 1
  }

  /// Compares the states before and after each purchase as soon as both were checked.
  private mutating func compareEdges() {
    let ready = edges.filter { $0.to < summaries.count }
    edges.removeAll { $0.to < summaries.count }
    for edge in ready where compared.insert([summaries[edge.from], summaries[edge.to], edge.product]).inserted {
      let (before, after) = (different[summaries[edge.from]], different[summaries[edge.to]])
      for probe in before.allowed.indices where before.allowed[probe] && !after.allowed[probe] {
        add(takenAway(probe, edge.product, edge.from), at: edge.from)
      }
      for key in before.keys where key.product == edge.product && !after.allowed[key.probe] {
        add(uselessKey(key.probe, edge.product, edge.from), at: edge.from)
      }
      for (index, feature) in model.metered.enumerated() where after.left[index] < before.left[index] {
        add(lessLeft(feature, edge.product, before.left[index]), at: edge.from)
      }
    }
  }

  private func takenAway(_ probe: Int, _ product: Int, _ node: Int) -> CheckFinding {
    CheckFinding(
      code: CheckProperty.payingTakesAway.code,
      message: "Buying \"\(model.catalog.products[product].id)\" closes \"\(model.probes[probe].request.feature)\", which was open before.",
      steps: model.steps(.buy(product), nodes[node].state),
      expect: model.expect(model.probes[probe], at: model.date(nodes[node].state.now), isAllowed: true))
  }

  private func lessLeft(_ feature: Int, _ product: Int, _ left: Int) -> CheckFinding {
    let id = model.catalog.features[feature].id
    let least = left == .max ? #""unlimited""# : "{ \"atLeast\": \(left) }"
    return CheckFinding(
      code: CheckProperty.payingTakesAway.code,
      message: "Buying \"\(model.catalog.products[product].id)\" leaves less of \"\(id)\" than before.",
      steps: [model.buyStep(product)], expect: "{ \(CheckModel.question(AccessRequest(id))), \"remaining\": \(least) }")
  }

  private func uselessKey(_ probe: Int, _ product: Int, _ node: Int) -> CheckFinding {
    let (id, feature) = (model.catalog.products[product].id, model.probes[probe].request.feature)
    return CheckFinding(
      code: CheckProperty.paywallUseless.code,
      message: "The paywall for \"\(feature)\" offers \"\(id)\", but \"\(feature)\" stays closed after the purchase.",
      steps: [model.buyStep(product)],
      expect: model.expect(model.probes[probe], at: model.date(nodes[node].state.now), isAllowed: true))
  }

  private mutating func add(_ finding: CheckFinding, at node: Int) {
    guard done.insert(finding.code).inserted else { return }
    var way: [(CheckAction, CheckState)] = []
    var current = node
    while let action = nodes[current].action {
      way.insert((action, nodes[nodes[current].parent].state), at: 0)
      current = nodes[current].parent
    }
    result.findings.append((finding, way))
  }
}
