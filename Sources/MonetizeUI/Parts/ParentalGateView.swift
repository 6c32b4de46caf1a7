// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  public import Monetize
  import MonetizePaywalls
  public import SwiftUI

  /// The parental gate's task: a multiplication, with keys for the digits. Needs no keyboard, so it is the same on every system.
  public struct ParentalGateView: View {
    @ObservedObject private var model: ChallengeModel
    private let language: Language

    /// Makes the view of a task.
    public init(_ model: ChallengeModel, language: Language) {
      self.model = model
      self.language = language
    }

    /// The view.
    public var body: some View {
      let texts = model.challenge.texts(in: language)
      ScrollView {
        VStack(spacing: Metrics.spacing) {
          Image(systemName: "lock.shield").font(.largeTitle).foregroundColor(.accentColor).accessibilityHidden(true)
          Text(verbatim: texts.title).font(.title2.bold()).accessibilityAddTraits(.isHeader)
          Text(verbatim: texts.message).foregroundColor(.secondary).multilineTextAlignment(.center)
          Text(verbatim: texts.question).font(.title3.weight(.semibold)).multilineTextAlignment(.center)
          answer(texts.answer)
          keys(texts)
          Button(action: model.confirm) { Text(verbatim: texts.confirm).frame(maxWidth: .infinity) }
            .buttonStyle(.borderedProminent).largeControls()
            .disabled(model.challenge.answer.isEmpty)
          Button(action: model.cancel) { Text(verbatim: texts.cancel) }
        }
        .multilineTextAlignment(.center)
        .frame(maxWidth: Metrics.keys)
        .padding(Metrics.margin)
        .frame(maxWidth: .infinity)
      }
      .environment(\.layoutDirection, language.isRightToLeft ? .rightToLeft : .leftToRight)
      // Closing the window cancels a task that waits for an answer.
      .onDisappear { model.cancel() }
    }

    private func answer(_ label: String) -> some View {
      Text(verbatim: model.challenge.answer.isEmpty ? "–" : model.challenge.answer)
        .font(.largeTitle.bold())
        .frame(maxWidth: .infinity)
        .padding(.vertical, 8)
        .background(Color.primary.opacity(0.06), in: RoundedRectangle(cornerRadius: Metrics.corner))
        .accessibilityLabel(label)
        .accessibilityValue(model.challenge.answer)
    }

    private func keys(_ texts: ParentalChallenge.Texts) -> some View {
      LazyVGrid(columns: Array(repeating: GridItem(.flexible(), spacing: 8), count: 3), spacing: 8) {
        ForEach(1...9, id: \.self) { digit in key(digit) }
        Color.clear.accessibilityHidden(true)
        key(0)
        Button(action: model.delete) { Image(systemName: "delete.left").frame(maxWidth: .infinity, minHeight: Metrics.key) }
          .buttonStyle(.bordered)
          .accessibilityLabel(texts.delete)
      }
      // Digits are arranged from left to right in every language, as on a telephone.
      .environment(\.layoutDirection, .leftToRight)
    }

    private func key(_ digit: Int) -> some View {
      Button {
        model.type(digit)
      } label: {
        Text(verbatim: "\(digit)").font(.title3).frame(maxWidth: .infinity, minHeight: Metrics.key)
      }
      .buttonStyle(.bordered)
    }
  }
#endif
