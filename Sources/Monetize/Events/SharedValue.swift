// SPDX-License-Identifier: Apache-2.0

/// A property value that may leave the device: it cannot describe a person. Its only text is a word of the catalog.
public enum SharedValue: Sendable, Hashable {
  /// A number.
  case number(Double)
  /// Yes or no.
  case boolean(Bool)
  /// One of the words that the catalog lists for a property, or an id of the catalog, such as a step of the onboarding.
  case choice(String)
}

extension PropertyValue {
  /// A property of an event that Monetize itself sends.
  var ofCatalog: SharedValue {
    switch self {
    case .number(let number): .number(number)
    case .boolean(let isTrue): .boolean(isTrue)
    case .text(let id): .choice(id)
    }
  }
}
