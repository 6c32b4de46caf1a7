// SPDX-License-Identifier: Apache-2.0
import Foundation
import Monetize

/// Visits every state of a model level by level, so that the first path to a state is a shortest one.
struct CheckSearch: Sendable {
  /// The facts of a state that are compared with its neighbours.
  private struct Summary: Sendable {
    var allowed: [Bool]
    /// The remaining amount of each metered feature; `Int.max` without a limit.
    var left: [Int]
    /// The products that open a closed question, by probe.
    var unlockedBy: [Int: [ProductID]]
  }

  /// A state that was checked.
  private struct Visit: Sendable {
    let summary: Summary
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
    var isExhausted = false
    /// The features that were closed in every state.
    var closed: [Int] = []
  }

  /// The number of states between two comparisons.
  private static let part = 20_000

  let model: CheckModel
  private var nodes: [Node] = []
  private var summaries: [Summary] = []
  private var known: [CheckState: Int] = [:]
  private var edges: [(from: Int, to: Int, product: Int)] = []
  private var result = Result()
  private var done: Set<String>
  private var open: Set<Int> = []

  init(model: CheckModel) {
    self.model = model
    done = model.options.skip
  }

  mutating func run(tasks: Int, progress: (@Sendable (Int, Int) -> Void)? = nil) async -> Result {
    let first = CheckState(purchases: Array(repeating: .init(), count: model.catalog.products.count))
    nodes = [Node(state: first, parent: -1, action: nil)]
    known = [model.key(first): 0]
    let caches = (0..<tasks).map { _ in Box() }
    var frontier = 0..<1
    var earlier = 0..<0
    while !frontier.isEmpty, result.depth <= model.options.depth, summaries.count < model.options.states {
      // Work in parts, so that a wide level needs no more memory than its states.
      for start in stride(from: frontier.lowerBound, to: frontier.upperBound, by: Self.part) where summaries.count < model.options.states {
        let part = start..<min(start + Self.part, frontier.upperBound)
        take(await Self.visit(nodes[part].map(\.state), model, done, caches), at: part)
        compareEdges()
      }
      // Purchases lead at most to the next level, so earlier keys are no longer needed.
      for index in earlier where index < summaries.count { summaries[index].unlockedBy = [:] }
      earlier = frontier
      result.depth += 1
      progress?(summaries.count, result.depth)
      frontier = frontier.upperBound..<nodes.count
    }
    result.isExhausted = summaries.count == nodes.count
    result.states = summaries.count
    result.depth -= 1
    result.closed = model.due.filter { !open.contains($0) }
    return result
  }

  /// Checks states on several tasks, each with its own cache.
  private static func visit(_ states: [CheckState], _ model: CheckModel, _ done: Set<String>, _ caches: [Box]) async -> [Visit] {
    let size = (states.count + caches.count - 1) / caches.count
    let starts = Array(stride(from: 0, to: states.count, by: max(1, size)))
    return await withTaskGroup(of: (Int, [Visit]).self) { group in
      for (start, box) in zip(starts, caches) {
        group.addTask { (start, states[start..<min(start + size, states.count)].map { visit($0, model, box.cache, done) }) }
      }
      var parts: [Int: [Visit]] = [:]
      for await (start, visits) in group { parts[start] = visits }
      return starts.flatMap { parts[$0] ?? [] }
    }
  }

  /// A cache that only one task at a time uses.
  private struct Box: @unchecked Sendable {
    let cache = CheckCache()
  }

  private static func visit(_ state: CheckState, _ model: CheckModel, _ cache: CheckCache, _ done: Set<String>) -> Visit {
    let (snapshot, decisions) = model.answers(state, from: cache.base(state, model))
    var keys: [Int: [ProductID]] = [:]
    for (index, decision) in decisions.enumerated() where !decision.unlockedBy.isEmpty { keys[index] = decision.unlockedBy }
    let left = model.metered.map { snapshot.decision(for: model.catalog.features[$0].id).remaining ?? .max }
    return Visit(
      summary: Summary(allowed: decisions.map(\.isAllowed), left: left, unlockedBy: keys),
      findings: model.findings(in: state, snapshot, cache, without: done),
      successors: model.successors(of: state, snapshot))
  }

  private mutating func take(_ visits: [Visit], at frontier: Range<Int>) {
    for (node, visit) in zip(frontier, visits) {
      summaries.append(visit.summary)
      for (place, probe) in model.probes.enumerated() where visit.summary.allowed[place] { open.insert(probe.feature) }
      for finding in visit.findings { add(finding, at: node) }
      for (action, state) in visit.successors {
        let key = model.key(state)
        let child = known[key] ?? nodes.count
        if child == nodes.count {
          known[key] = child
          nodes.append(Node(state: state, parent: node, action: action))
        }
        if case .buy(let product) = action { edges.append((node, child, product)) }
      }
    }
  }

  /// Compares the states before and after each purchase as soon as both were checked.
  private mutating func compareEdges() {
    let ready = edges.filter { $0.to < summaries.count }
    edges.removeAll { $0.to < summaries.count }
    for edge in ready {
      let (before, after) = (summaries[edge.from], summaries[edge.to])
      for probe in before.allowed.indices {
        if before.allowed[probe], !after.allowed[probe] { add(takenAway(probe, edge.product, edge.from), at: edge.from) }
        guard !after.allowed[probe], before.unlockedBy[probe]?.contains(model.catalog.products[edge.product].id) == true else { continue }
        add(uselessKey(probe, edge.product, edge.from), at: edge.from)
      }
      for (place, feature) in model.metered.enumerated() where after.left[place] < before.left[place] {
        add(lessLeft(feature, edge.product, before.left[place]), at: edge.from)
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
      steps: [model.buyStep(product)], expect: "{ \(model.question(AccessRequest(id))), \"remaining\": \(least) }")
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
    var place = node
    while let action = nodes[place].action {
      way.insert((action, nodes[nodes[place].parent].state), at: 0)
      place = nodes[place].parent
    }
    result.findings.append((finding, way))
  }
}
