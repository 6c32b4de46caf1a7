// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An experiment: customers are assigned to arms with different changes to the catalog, and their behaviour is compared.
///
/// ```json
/// "experiments": { "cta": { "arms": [
///   { "id": "a", "weight": 0.5 },
///   { "id": "b", "weight": 0.5, "set": { "paywalls": { "default": { "headline": "Try it" } } } } ] } }
/// ```
public struct Experiment: Sendable, Hashable {
  /// The unit that is assigned to an arm.
  public enum Unit: String, Sendable, Hashable, Codable, CaseIterable {
    /// The installation of the app, known offline from the first launch.
    case installation
    /// The app's account. Signed-out customers take no part, and each account has its own arm.
    case account
  }

  /// One variant of the catalog.
  public struct Arm: Sendable, Hashable {
    /// The id.
    public let id: String
    /// Its share of the participants, from 0 to 1.
    public let weight: Double
    /// The variants on sale instead of their original products.
    public let products: [ProductID]
    /// The change of the catalog, as in an overlay; `nil` for an arm without one.
    let patch: CatalogPatch?

    /// The texts in other languages, by language, each with its keys in a table.
    package var translations: [(language: Language, keys: [String], text: String)] { patch?.translations ?? [] }
  }

  /// A part of a namespace. Experiments in separate parts share no customer.
  public struct Namespace: Sendable, Hashable {
    /// The id of the namespace.
    public let id: String
    /// The part of the namespace, within 0...1, half-open.
    public let part: Range<Double>
  }

  /// The id.
  public let id: ExperimentID
  /// The arms, in the file's order.
  public let arms: [Arm]
  /// The share of units that takes part, from 0 to 1.
  public let coverage: Double
  /// The seed of the hash; the experiment's id when absent. Another seed assigns customers independently.
  public let seed: String
  /// The part of a namespace that takes part; `nil` for all of it.
  public let namespace: Namespace?
  /// The arm of all customers after the experiment has ended; `nil` while it runs.
  public let stopped: String?
  /// The unit that is assigned to an arm.
  public let unit: Unit

  /// The arm of a unit by its hash; `nil` when the unit does not take part. Pure: always the same.
  public func arm(for unit: String) -> Arm? {
    if let namespace, !Assignment.includes(unit, namespace: namespace.id, part: namespace.part) { return nil }
    let ranges = Assignment.bucketRanges(of: arms.map(\.weight), arms: arms.count, coverage: coverage)
    return Assignment.arm(at: Assignment.bucket(of: unit, seed: seed), in: ranges).map { arms[$0] }
  }

  /// The arm with this id.
  public func arm(named id: String) -> Arm? { arms.first { $0.id == id } }

  /// The arms that customers can have now: one after the experiment has ended, otherwise all.
  var running: [Arm] { stopped.map { id in arms.filter { $0.id == id } } ?? arms }

  /// Whether a customer can have an arm of both.
  func sharesCustomers(with other: Self) -> Bool {
    guard stopped == nil, other.stopped == nil, let mine = namespace, let theirs = other.namespace, mine.id == theirs.id,
      unit == other.unit
    else { return true }
    return mine.part.overlaps(theirs.part)
  }
}

extension Catalog {
  /// The customer's arm of each experiment: the final arm of an ended one, else the assigned arm if the file still has it, else the arm by
  /// the hash.
  ///
  /// Two assignments of experiments that share no customer can come together by a sign-in or a sync. The earliest one counts, then each
  /// later one that is compatible with those that count. This is a function of the facts, so all devices with the same facts have the same
  /// arms.
  /// - Parameters:
  ///   - installation: The name of this installation.
  ///   - account: The app's account; `nil` when signed out.
  ///   - kept: The earlier assignments.
  package func arms(
    installation: String, account: String?, kept: FactSet<ArmAssignment>
  ) -> [(experiment: Experiment, arm: Experiment.Arm)] {
    let given = experiments.compactMap { experiment -> (experiment: Experiment, arm: Experiment.Arm, since: Date)? in
      if let over = experiment.stopped.flatMap({ experiment.arm(named: $0) }) { return (experiment, over, .distantPast) }
      guard let unit = experiment.unit == .installation ? installation : account else { return nil }
      if let known = kept[experiment.id], known.isOfAccount == (experiment.unit == .account), let arm = experiment.arm(named: known.arm) {
        return (experiment, arm, known.date)
      }
      return experiment.arm(for: unit).map { (experiment, $0, .distantFuture) }
    }
    var counted: [Experiment] = []
    for (experiment, _, _) in given.sorted(by: { ($0.since, $0.experiment.id) < ($1.since, $1.experiment.id) })
    where counted.allSatisfy({ $0.sharesCustomers(with: experiment) }) { counted.append(experiment) }
    return given.filter { one in counted.contains { $0.id == one.experiment.id } }.map { ($0.experiment, $0.arm) }
  }
}
