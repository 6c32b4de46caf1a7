// SPDX-License-Identifier: Apache-2.0

/// A large immutable value behind one reference. A copy retains one object rather than every string (figures in Docs/Benchmarks.md).
final class Shared<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
