// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The types that are decoded here and not by their own `init(from:)`: the primitives of `Decoder`, and the three that Foundation's
/// decoder treats as well (a URL is a string, a Decimal a number, Data base64).
extension JSONPlace {
  /// Nil for other types. Written as comparisons of types: specialised code keeps one of them, and one generic method can be every
  /// `decode(_:)` that the containers owe.
  @inline(__always) func scalar<T>(_ type: T.Type) throws -> T? {
    if T.self == String.self { return Self.cast(try string(), type) }
    if T.self == Int.self { return Self.cast(try whole(Int.self), type) }
    if T.self == Bool.self { return Self.cast(try bool(), type) }
    if T.self == Double.self { return Self.cast(try double(), type) }
    if T.self == Float.self { return Self.cast(try float(), type) }
    if T.self == UInt.self { return Self.cast(try whole(UInt.self), type) }
    if T.self == Int64.self { return Self.cast(try whole(Int64.self), type) }
    if T.self == UInt64.self { return Self.cast(try whole(UInt64.self), type) }
    if T.self == Int32.self { return Self.cast(try whole(Int32.self), type) }
    if T.self == UInt32.self { return Self.cast(try whole(UInt32.self), type) }
    if T.self == Int16.self { return Self.cast(try whole(Int16.self), type) }
    if T.self == UInt16.self { return Self.cast(try whole(UInt16.self), type) }
    if T.self == Int8.self { return Self.cast(try whole(Int8.self), type) }
    if T.self == UInt8.self { return Self.cast(try whole(UInt8.self), type) }
    if T.self == URL.self { return Self.cast(try url(), type) }
    if T.self == Decimal.self { return Self.cast(try decimal(), type) }
    if T.self == Data.self { return Self.cast(try data(), type) }
    return nil
  }

  /// What stands for a scalar that is wrong.
  static func emptyScalar<T>(_ type: T.Type) -> T? {
    let zeros: [Any] = [
      "", false, 0 as Int, 0 as Double, 0 as Float, 0 as UInt, 0 as Int64, 0 as UInt64, 0 as Int32, 0 as UInt32, 0 as Int16,
      0 as UInt16, 0 as Int8, 0 as UInt8, URL(fileURLWithPath: "/"), Decimal(), Data(),
    ]
    for zero in zeros where Swift.type(of: zero) == T.self { return zero as? T }
    return nil
  }

  /// `A` and `T` are the same type; a checked cast would cost more than the decoding.
  @inline(__always) private static func cast<A, T>(_ value: A, _ type: T.Type) -> T { unsafeBitCast(value, to: T.self) }

  private func holds(_ kind: UInt32) -> Bool { node >= 0 && reader.storage.nodes[node].kind == kind }

  private func string() throws -> String {
    if holds(JSONNode.string) { return reader.storage.string(node) }
    guard node >= 0, reader.storage.isFilled(node) else { throw mismatch(.string, String.self) }
    return reader.storage.literal(node)
  }

  private func bool() throws -> Bool {
    guard holds(JSONNode.bool) else { throw mismatch(.bool, Bool.self) }
    return reader.storage.nodes[node].isFlagged
  }

  private func whole<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    guard holds(JSONNode.number), !reader.storage.nodes[node].isFlagged else { throw mismatch(.whole, T.self) }
    if let value = reader.storage.integer(node, as: T.self) { return value }
    throw outOfRange("Write a whole number from \(T.min) to \(T.max).")
  }

  private func double() throws -> Double {
    guard holds(JSONNode.number) else { throw mismatch(.number, Double.self) }
    if let value = reader.storage.double(node) { return value }
    throw outOfRange("Write a number between -1.8e308 and 1.8e308, none nearer to 0 than 5e-324.")
  }

  private func float() throws -> Float {
    guard holds(JSONNode.number) else { throw mismatch(.number, Float.self) }
    if let value = reader.storage.float(node) { return value }
    throw outOfRange("Write a number between -3.4e38 and 3.4e38, none nearer to 0 than 1.4e-45.")
  }

  private func decimal() throws -> Decimal {
    guard holds(JSONNode.number) else { throw mismatch(.number, Decimal.self) }
    if let value = reader.storage.decimal(node) { return value }
    throw outOfRange("Write a number of at most 38 digits and an exponent between -128 and 127.")
  }

  private func url() throws -> URL {
    let text = try string()
    guard !text.isEmpty, let url = URL(string: text) else {
      throw corrupted("\(JSONWriter.quoted(text)) is not a URL. Write an address such as \"https://example.com/terms\".")
    }
    return url
  }

  private func data() throws -> Data {
    guard let data = Data(base64Encoded: try string()) else { throw corrupted("This is not base64. Encode the bytes as base64.") }
    return data
  }

  private func outOfRange(_ mend: String) -> DecodingError {
    corrupted("\(JSONValue(storage: reader.storage, node: node).shortDescription.capitalizedFirst) does not fit here. \(mend)")
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
