// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// The content of a state file, read without an app. Reading changes nothing.
package struct StoredState: Sendable {
  /// All valid facts, as stored. Seals are not checked, because their key is on the device.
  package let facts: [Fact]
  /// The records, without the codes of seals.
  package let contents: [Data]
  /// How many records carry the code of a seal.
  package let sealed: Int
  /// The parts of records that this version does not understand. An app keeps them.
  package let foreign: [Data]
  /// The invalid lines.
  package let damage: [StateFileContent.Damage]
  /// The length of a torn last line in bytes. An app drops it.
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

  /// The state of an app after it has read the file.
  package var state: CustomerState { CustomerState(Fact.forgiven(facts)) }

  /// Replaces the facts of a file. The parts that this version does not understand stay.
  package func replace(with facts: [Fact], in storage: FileStorage) throws(StorageError) {
    try storage.replace(with: (facts.isEmpty ? [] : Journal.packed(facts)) + foreign)
  }
}
