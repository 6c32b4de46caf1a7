// SPDX-License-Identifier: Apache-2.0
import Monetize

// The guide's snippet names the App Store's adapter, which is made beside these views. Delete this file when MonetizeStoreKit has it.
extension StoreBackend where Self == EmptyStore {
  static var appStore: EmptyStore { EmptyStore() }
}
