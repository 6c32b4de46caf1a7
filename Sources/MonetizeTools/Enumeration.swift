// SPDX-License-Identifier: Apache-2.0

/// Names in a sentence: `A`, `A and B`, `A, B and 3 others`.
func enumeration(_ names: [String], _ last: String = "and") -> String {
  switch names.count {
  case 0, 1: names.first ?? ""
  case 2...4: names.dropLast().joined(separator: ", ") + " \(last) " + (names.last ?? "")
  default: names.prefix(2).joined(separator: ", ") + " \(last) \(names.count - 2) others"
  }
}
