// SPDX-License-Identifier: Apache-2.0

/// A large value that never changes, behind one reference: copying it costs one count instead of one for each string in it
/// (figures in Docs/Benchmarks.md).
final class Shared<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
