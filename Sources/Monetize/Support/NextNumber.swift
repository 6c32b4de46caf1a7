// SPDX-License-Identifier: Apache-2.0

extension Int {
  /// The next number; the highest number stays. A damaged file or a broken server may have any.
  var next: Int { self == .max ? self : self + 1 }
}
