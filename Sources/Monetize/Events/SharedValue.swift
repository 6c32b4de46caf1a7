// SPDX-License-Identifier: Apache-2.0

/// A property value that may leave the device: it cannot describe a person. Its only text is a word that the catalog lists.
public enum SharedValue: Sendable, Hashable {
  /// A number.
  case number(Double)
  /// Yes or no.
  case boolean(Bool)
  /// One of the words that the catalog lists for a property.
  case choice(String)
}
