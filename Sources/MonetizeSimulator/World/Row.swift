// SPDX-License-Identifier: Apache-2.0

/// The position of an element in one of the store's lists. Positions in different lists have different types, so that none is looked up in
/// another list. The lists only grow, so a position stays valid.
struct Row<Element>: Sendable, Hashable, Comparable {
  let number: Int

  static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

extension Array {
  /// The element at a row of this list.
  subscript(row: Row<Element>) -> Element {
    // Not `_read`: optimized file by file, Swift 6.3 released an element twice.
    get { self[row.number] }
    // Changes the element in place: a copy would copy all of a customer's purchases.
    _modify { yield &self[row.number] }
  }

  /// All rows, in order.
  var rows: [Row<Element>] { indices.map(Row.init) }

  /// The first row whose element satisfies a condition.
  func firstRow(where condition: (Element) -> Bool) -> Row<Element>? { firstIndex(where: condition).map(Row.init) }

  /// The last row whose element satisfies a condition.
  func lastRow(where condition: (Element) -> Bool) -> Row<Element>? { lastIndex(where: condition).map(Row.init) }

  /// The row of the next element that is added.
  var nextRow: Row<Element> { Row(number: count) }

  /// Appends an element and returns its row.
  mutating func add(_ element: Element) -> Row<Element> {
    append(element)
    return Row(number: count - 1)
  }
}
