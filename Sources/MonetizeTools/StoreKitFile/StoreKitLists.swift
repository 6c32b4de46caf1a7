// SPDX-License-Identifier: Apache-2.0

/// The three places of products in a file, extracted for reading and changing, and put back later.
struct StoreKitLists {
  /// The keys of the two plain lists.
  static let plain = ["products", "nonRenewingSubscriptions"]

  /// A group with its subscriptions beside it.
  struct Group {
    var node: StoreKitTree
    var subscriptions: [StoreKitTree]
    /// Its name, or its id if the name is missing, blank or a duplicate.
    var name: String
  }

  var products: [[StoreKitTree]]
  var groups: [Group]

  init(_ tree: StoreKitTree) {
    products = Self.plain.map { tree[$0]?.elements ?? [] }
    let nodes = tree["subscriptionGroups"]?.elements ?? []
    func name(_ node: StoreKitTree) -> String {
      [node["name"]?.string, node["id"]?.string].compactMap { $0 }.first { !$0.allSatisfy(\.isWhitespace) } ?? "group"
    }
    let names = Dictionary(nodes.map { (name($0), 1) }, uniquingKeysWith: +)
    groups = nodes.map { node in
      let id = node["id"]?.string ?? ""
      let isOwn = names[name(node)] == 1 || id.allSatisfy(\.isWhitespace)
      return Group(node: node, subscriptions: node["subscriptions"]?.elements ?? [], name: isOwn ? name(node) : id)
    }
  }

  /// Every product, with the name of its group.
  var entries: [(node: StoreKitTree, group: String?)] {
    products.flatMap { $0.map { ($0, nil) } } + groups.flatMap { group in group.subscriptions.map { ($0, group.name) } }
  }

  /// Puts the lists back. An empty list that was not in the file is not added.
  func put(into tree: inout StoreKitTree) {
    for (key, list) in zip(Self.plain, products) { Self.put(list, key, into: &tree) }
    let nodes = groups.map { group in
      var node = group.node
      Self.put(group.subscriptions, "subscriptions", into: &node)
      return node
    }
    Self.put(nodes, "subscriptionGroups", into: &tree)
  }

  private static func put(_ list: [StoreKitTree], _ key: String, into node: inout StoreKitTree) {
    guard list != node[key]?.elements ?? [] else { return }
    node[key] = .array(list)
  }
}
