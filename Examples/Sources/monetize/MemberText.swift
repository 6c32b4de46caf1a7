// SPDX-License-Identifier: Apache-2.0
import Monetize

extension Member {
  /// `child:max`, `parent`, `parent:mum`, `guest`, `demo`, `customer`; `nil` for anything else.
  init?(text: String) {
    let pieces = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch (pieces.first, pieces.count) {
    case ("child", 2): self = .child(pieces[1])
    case ("parent", _): self = .parent(pieces.count == 2 ? pieces[1] : "")
    case ("guest", 1): self = .guest
    case ("demo", 1): self = .demo
    case ("customer", 1): self = .customer
    default: return nil
    }
  }
}
