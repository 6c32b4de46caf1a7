// SPDX-License-Identifier: Apache-2.0

/// A large immutable value behind one reference. A copy retains one object rather than every string (figures in Docs/Benchmarks.md).
package final class Shared<Value: Sendable>: Sendable {
  package let value: Value

  package init(_ value: Value) { self.value = value }
}

extension Shared: Equatable where Value: Equatable {
  package static func == (a: Shared, b: Shared) -> Bool { a === b || a.value == b.value }
}

extension Shared: Hashable where Value: Hashable {
  package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
