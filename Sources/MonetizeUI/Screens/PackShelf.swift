// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  public import Monetize
  import MonetizePaywalls
  public import SwiftUI

  /// The collections of a feature as cards: cover, title, completed items, and a lock if any item is locked. A tap opens a collection,
  /// bought or not.
  public struct PackShelf: View {
    private let feature: FeatureID
    private let onSelect: @MainActor (CollectionID) -> Void
    @Environment(\.monetize) private var context

    /// Makes the shelf of a feature.
    public init(_ feature: FeatureID, onSelect: @escaping @MainActor (CollectionID) -> Void) {
      self.feature = feature
      self.onSelect = onSelect
    }

    /// The view.
    public var body: some View {
      if let monetizer = context.model?.monetizer {
        LazyVGrid(columns: [GridItem(.adaptive(minimum: 200), spacing: 16)], spacing: 16) {
          ForEach(monetizer.snapshot.shelf(of: feature) { monetizer.isCompleted($0) }) { card in
            Button {
              onSelect(card.id)
            } label: {
              PackCardView(card: card)
            }
            .buttonStyle(.plain)
            .accessibilityLabel(card.accessibilityLabel)
          }
        }
      }
    }
  }

  private struct PackCardView: View {
    let card: PackCard
    @Environment(\.colorSchemeContrast) private var contrast

    var body: some View {
      VStack(alignment: .leading, spacing: 8) {
        if let cover = card.cover { Image(cover).resizable().scaledToFit() }
        HStack {
          Text(verbatim: card.title).font(.headline)
          Spacer(minLength: 8)
          if card.access.paywall != nil { Image(systemName: "lock.fill").foregroundColor(.secondary) }
        }
        ProgressView(value: card.count > 0 ? Double(card.completed) / Double(card.count) : 0)
        Text(verbatim: card.progress).font(.footnote).foregroundColor(.secondary)
      }
      .padding(16)
      .frame(maxWidth: .infinity, alignment: .leading)
      .background(Color.primary.opacity(0.05), in: RoundedRectangle(cornerRadius: Metrics.corner))
      .overlay {
        if contrast == .increased { RoundedRectangle(cornerRadius: Metrics.corner).strokeBorder(Color.primary) }
      }
    }
  }

  /// The items of a collection as tiles, including locked ones. A tap on an open item selects it; a tap on a locked one leads to the
  /// parental gate and the paywall.
  public struct ItemGrid: View {
    private let feature: FeatureID
    private let collection: CollectionID
    private let part: String?
    private let onSelect: @MainActor (ItemPath) -> Void

    /// Makes the grid of a collection.
    /// - Parameters:
    ///   - feature: The feature that opens items.
    ///   - collection: The collection.
    ///   - part: The part of each item, such as a difficulty.
    ///   - onSelect: Called for a tap on an open item.
    public init(_ feature: FeatureID, in collection: CollectionID, part: String? = nil, onSelect: @escaping @MainActor (ItemPath) -> Void) {
      (self.feature, self.collection, self.part, self.onSelect) = (feature, collection, part, onSelect)
    }

    /// The view.
    public var body: some View {
      ItemTiles(feature: feature, collection: collection, part: part, onSelect: onSelect).presentsPaywalls()
    }
  }

  private struct ItemTiles: View {
    let feature: FeatureID
    let collection: CollectionID
    let part: String?
    let onSelect: @MainActor (ItemPath) -> Void
    @Environment(\.monetize) private var context

    var body: some View {
      if let monetizer = context.model?.monetizer {
        let cells = monetizer.snapshot.cells(of: feature, in: collection, part: part) { monetizer.isCompleted($0) }
        LazyVGrid(columns: [GridItem(.adaptive(minimum: 72), spacing: 12)], spacing: 12) {
          ForEach(cells) { cell in
            Button {
              tap(cell)
            } label: {
              tile(cell)
            }
            .buttonStyle(.plain)
            .accessibilityLabel(cell.accessibilityLabel)
          }
        }
      }
    }

    private func tap(_ cell: ItemCell) {
      GateTap(context: context, request: AccessRequest(feature, item: cell.id)).open { onSelect(cell.id) }
    }

    private func tile(_ cell: ItemCell) -> some View {
      VStack(spacing: 4) {
        Text(verbatim: cell.title).font(.title3.bold())
        symbol(cell).font(.footnote).foregroundColor(cell.isCompleted ? .green : .secondary)
      }
      .frame(maxWidth: .infinity, minHeight: 72)
      .background(
        cell.access.isOpen ? Color.accentColor.opacity(0.15) : Color.primary.opacity(0.05),
        in: RoundedRectangle(cornerRadius: Metrics.corner))
    }

    @ViewBuilder private func symbol(_ cell: ItemCell) -> some View {
      switch cell.access {
      case .open: Image(systemName: cell.isCompleted ? "checkmark.circle.fill" : "play.fill")
      case .offer, .closed: Image(systemName: "lock.fill")
      case .waiting: ProgressView()
      }
    }
  }
#endif
