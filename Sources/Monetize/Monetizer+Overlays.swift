// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The result of fetching remote configuration. Closed.
public enum OverlayRefresh: Sendable, Hashable {
  /// The fetched overlays apply, and are kept for the next launch.
  case applied
  /// Fetching failed. The previous overlays still apply.
  case unreachable
  /// The fetched overlays break a rule. The previous overlays still apply.
  case refused([Diagnostic])
}

extension Monetizer {
  /// The catalog that applies to this customer now: the ``baseCatalog`` with overlays and the arms of experiments.
  public var catalog: Catalog { parts.answers.now.catalog }

  /// The ids of the overlays that apply to this customer now, in order.
  public var appliedOverlays: [String] { parts.answers.now.overlays.map(\.id) }

  /// The customer's arm of each experiment, by the experiment's id.
  public var arms: [ExperimentID: String] { parts.answers.now.arms.mapValues(\.id) }

  /// Applies these overlays, in order, replacing all earlier ones. An empty list removes them all. Counts and purchases stay as they are.
  ///
  /// Overlays are not stored. Call it at each launch with the overlays from the app's remote configuration.
  /// - Parameters:
  ///   - overlays: The overlays. Each applies if the customer belongs to its share.
  ///   - unit: A stable name of this customer, which decides the shares: a device or an account. Default: the random, stored name of this
  ///     installation, or the configuration's `source`.
  /// - Throws: ``CatalogError`` when an overlay breaks a rule. Nothing changes then.
  public func apply(_ overlays: [Overlay], for unit: String? = nil) throws(CatalogError) {
    let applied = overlays.filter { $0.includes(unit ?? parts.source.rawValue) }
    try parts.answers.apply(applied, to: baseCatalog, arms: parts.answers.now.arms)
    if unit == nil, let name = parts.writer.unwrittenName { later { await $0.writer.add([name]) } }
    parts.answers.announce()
  }

  /// Applies the overlays that were kept at `file`, if any. Reads a small file and does no network access, so it may be called before the first
  /// screen. A missing file, or one that no longer fits the catalog, changes nothing.
  public func applyKeptOverlays(from file: URL, for unit: String? = nil) {
    guard let data = try? Data(contentsOf: file), let overlays = try? Overlay.list(json: data) else { return }
    try? apply(overlays, for: unit)
  }

  /// Fetches overlays, applies them, and keeps them at `file`. The previous overlays apply in the meantime, so a launch is never blocked. A
  /// failed fetch and overlays that break a rule change nothing.
  ///
  /// ```swift
  /// await monetizer.refreshOverlays(keepingAt: file) { try await client.get("/overlays") }
  /// ```
  /// - Parameters:
  ///   - file: The file of the last good overlays, for ``applyKeptOverlays(from:for:)``.
  ///   - unit: A stable name of this customer, which decides the shares: see ``apply(_:for:)``.
  ///   - fetch: Fetches a list of overlays as JSON, such as from the app's own server: `[{ "id": "five-stories", "patch": { … } }]`. An empty
  ///     list takes all overlays away.
  @discardableResult
  public func refreshOverlays(
    keepingAt file: URL, for unit: String? = nil, _ fetch: () async throws -> Data
  ) async -> OverlayRefresh {
    guard let data = try? await fetch() else { return .unreachable }
    do throws(CatalogError) { try apply(Overlay.list(json: data), for: unit) } catch { return .refused(error.diagnostics) }
    try? data.write(to: file, options: .atomic)
    return .applied
  }

  // MARK: Arms

  /// Assigns the customer to an arm of each experiment. Answers follow at once, offline and at the first launch; the facts are written
  /// later, and each sends one event. Without a readable storage no experiment applies in this run, because the earlier assignments are
  /// unknown.
  func assignArms() {
    guard !baseCatalog.experiments.isEmpty, !parts.isUnread else { return }
    let state = parts.answers.now
    let given = baseCatalog.arms(installation: parts.source.rawValue, account: parts.configuration.account, kept: state.facts.assignments)
    let arms = Dictionary(given.map { ($0.experiment.id, $0.arm) }) { first, _ in first }
    // A hand-over keeps the overlays. They fitted this catalog before, so they cannot fail.
    try? parts.answers.apply(state.overlays, to: baseCatalog, arms: arms)
    let now = now
    let facts = given.filter { $0.experiment.stopped == nil }
      .map { experiment, arm in
        Fact.assignment(ArmAssignment(experiment: experiment.id, arm: arm.id, date: now, isOfAccount: experiment.unit == .account))
      }
    let news = state.facts.news(in: facts)
    if news.isEmpty { return }
    later { $0.events.send(await $0.writer.add(news).news.compactMap(MonetizeEvent.init(exposed:))) }
  }

  /// Runs work that no caller waits for, unless the monetizer was handed over.
  private func later(_ work: @escaping @Sendable (Parts) async -> Void) {
    guard parts.work.begin() else { return }
    let task = Task { [parts] in
      defer { parts.work.end() }
      await work(parts)
    }
    writing.withLock { $0.append(task) }
  }
}

extension MonetizeEvent {
  fileprivate init?(exposed fact: Fact) {
    guard case .assignment(let assignment) = fact.sort else { return nil }
    self.init(.experimentExposed, at: assignment.date)
    self.assignment = assignment
  }
}
