// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension EventVocabulary {
  /// The event under its own name, then under each other name that the catalog gives it.
  func named(_ event: MonetizeEvent) -> [MonetizeEvent] {
    [event]
      + names.filter { $0.matches(event) }.map { naming in
        var other = event
        other.name = MonetizeEvent.Name(naming.name)
        return other
      }
  }

  /// The reason why an app's own event does not fit its declaration; `nil` when it fits.
  func mistake(in name: MonetizeEvent.Name, _ properties: [String: PropertyValue]) -> String? {
    guard let declared = custom[name.rawValue] else {
      return "The catalog declares no event \"\(name)\"." + didYouMean(closestMatch(to: name.rawValue, in: Array(custom.keys)), or: "")
    }
    for (key, value) in properties.sorted(by: { $0.key < $1.key }) {
      guard let type = declared[key] else { return "The event \"\(name)\" has no property \"\(key)\". Declare it under \"events\"." }
      if !type.accepts(value) { return "The property \"\(key)\" of \"\(name)\" is not of its type. Give it as the catalog declares it." }
    }
    return nil
  }
}

extension EventVocabulary.Naming {
  fileprivate func matches(_ event: MonetizeEvent) -> Bool {
    event.name.rawValue == on && (feature == nil || feature == event.feature) && (placement == nil || placement == event.placement)
      && (product == nil || product == event.product) && (paid == nil || paid == event.isPaid) && (step == nil || step == event.step)
  }
}

extension MonetizeEvent {
  /// The step of the onboarding, as `step` or `step/page`.
  fileprivate var step: String? {
    guard name == .onboardingStep, case .text(let step) = properties["step"] else { return nil }
    if case .text(let page) = properties["page"] { return "\(step)/\(page)" }
    return step
  }
}

extension EventVocabulary.PropertyType {
  fileprivate func accepts(_ value: PropertyValue) -> Bool {
    if case (.text, .text) = (self, value) { true } else { shared(value) != nil }
  }

  /// The value, if it may leave the device; `nil` for text.
  func shared(_ value: PropertyValue) -> SharedValue? {
    switch (self, value) {
    case (.number, .number(let number)) where number.isFinite: .number(number)
    case (.boolean, .boolean(let isTrue)): .boolean(isTrue)
    case (.choice(let words), .text(let word)) where words.contains(word): .choice(word)
    default: nil
    }
  }
}
