// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Monetize
import MonetizeJSON

extension Catalog {
  /// The JSON of this catalog with ended experiments, so that all customers have these arms. For scenarios, which run an app from its JSON.
  /// - Parameter arms: The id of the arm of each ended experiment. Other experiments go on.
  /// - Complexity: O(length of the catalog).
  public func json(endingExperimentsAt arms: [ExperimentID: String]) -> Data {
    let ended = arms.sorted { $0.key < $1.key }.map { experiment, arm in
      #"\#(JSONWriter.quoted(experiment.rawValue)): { "stopped": \#(JSONWriter.quoted(arm)) }"#
    }
    let patch = #"{ "experiments": { \#(ended.joined(separator: ", ")) } }"#
    guard !arms.isEmpty, let root = try? JSONDocument(parsing: text).root, let change = try? JSONDocument(parsing: patch).root else {
      return Data(text.utf8)
    }
    return Data(root.applying(mergePatch: change).utf8)
  }
}
