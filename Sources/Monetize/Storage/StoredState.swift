// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The content of a state file, read without an app. Reading changes nothing.
package struct StoredState: Sendable {
  /// All facts that can be believed, as they are stored. Seals are not checked, because their key is on the device.
  package let facts: [Fact]
  /// The records, without the codes of seals.
  package let contents: [Data]
  /// How many records carry the code of a seal.
  package let sealed: Int
  /// What this version does not understand, as records. An app keeps it.
  package let foreign: [Data]
  /// The lines that are not believed.
  package let damage: [StateFileContent.Damage]
  /// The bytes of a write that a crash cut off. An app drops them.
  package let torn: Int

  /// Reads the bytes of a file. O(bytes).
  /// - Throws: ``StorageError`` for a file of a later version.
  package init(_ bytes: [UInt8], sorts: FactSorts = .standard) throws(StorageError) {
    let content = try StateFileContent(bytes)
    let parts = content.records.map(SealedStorage.parts)
    contents = parts.map(\.content)
    sealed = parts.count { $0.code != nil }
    let read = Journal.read(contents, sorts)
    (facts, foreign) = (read.facts, read.foreign)
    (damage, torn) = (content.damage, bytes.count - content.believed)
  }

  /// What an app knows after it has read the file.
  package var state: CustomerState { CustomerState(Fact.forgiven(facts)) }

  /// Puts facts in the place of those of a file. What this version does not understand stays.
  package func replace(with facts: [Fact], in storage: FileStorage) throws(StorageError) {
    try storage.replace(with: (facts.isEmpty ? [] : Journal.packed(facts)) + foreign)
  }
}
