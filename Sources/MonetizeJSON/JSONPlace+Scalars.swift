// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The types that are decoded here rather than by their own `init(from:)`. They are the primitives of `Decoder`, and three that
/// Foundation's decoder also handles: URL from a string, Decimal from a number, Data from base64.
extension JSONPlace {
  /// Decodes one of the rarer types (`JSONDocument.foreign`).
  func foreign<T: Decodable>(_ type: T.Type) throws -> T {
    if T.self == Float.self { return Self.cast(try real({ reader.document.real($0) }, Float.self), type) }
    if T.self == URL.self { return Self.cast(try url(), type) }
    if T.self == Decimal.self { return Self.cast(try decimal(), type) }
    if T.self == Data.self { return Self.cast(try data(), type) }
    guard let whole = T.self as? any FixedWidthInteger.Type, let number = try self.whole(whole) as? T else { return try T(from: self) }
    return number
  }

  static func emptyScalar<T>(_ type: T.Type) -> T? {
    func zero<I: FixedWidthInteger>(_ type: I.Type) -> T? { I.zero as? T }
    if let whole = T.self as? any FixedWidthInteger.Type { return zero(whole) }
    let empty: [Any] = ["", false, 0 as Double, 0 as Float, URL(fileURLWithPath: "/"), Decimal(), Data()]
    return empty.first { Swift.type(of: $0) == T.self } as? T
  }

  /// Requires that `A` and `T` are the same type. A checked cast would take longer than the decoding.
  @inline(__always) static func cast<A, T>(_ value: A, _ type: T.Type) -> T { unsafeBitCast(value, to: T.self) }

  func expect<A>(_ found: A?, _ expectation: JSONExpectation) throws -> A {
    guard let found else { throw mismatch(expectation, A.self) }
    return found
  }

  func whole<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    guard holds(.number), !reader.document.nodes[node].isFlagged else { throw mismatch(.whole, T.self) }
    return try fits(reader.document.integer(node, as: T.self), "Write a whole number from \(T.min) to \(T.max).")
  }

  @inline(__always) func real<T: BinaryFloatingPoint>(_ number: (Int) -> T?, _ type: T.Type) throws -> T {
    guard holds(.number) else { throw mismatch(.number, T.self) }
    return try fits(
      number(node),
      "Write a number between -\(T.greatestFiniteMagnitude) and \(T.greatestFiniteMagnitude), none nearer to 0 than \(T.leastNonzeroMagnitude)."
    )
  }

  private func decimal() throws -> Decimal {
    guard holds(.number) else { throw mismatch(.number, Decimal.self) }
    return try fits(reader.document.decimal(node), "Write a number of at most 38 digits and an exponent between -128 and 127.")
  }

  private func url() throws -> URL {
    let text = try expect(value.wording, .string)
    guard !text.isEmpty, let url = URL(string: text) else {
      throw corrupted("\(JSONWriter.quoted(text)) is not a URL. Write an address such as \"https://example.com/terms\".")
    }
    return url
  }

  private func data() throws -> Data {
    let text = try expect(value.wording, .string)
    guard let data = Data(base64Encoded: text) else { throw corrupted("This is not base64. Encode the bytes as base64.") }
    return data
  }

  @inline(__always) private func fits<T>(_ number: T?, _ mend: @autoclosure () -> String) throws -> T {
    guard let number else {
      throw corrupted("The number \(JSONValue.cut(value.numberText ?? "")) does not fit here. \(mend())")
    }
    return number
  }
}
