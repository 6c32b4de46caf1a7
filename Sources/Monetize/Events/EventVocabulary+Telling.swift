// SPDX-License-Identifier: Apache-2.0
import MonetizeJSON

extension EventVocabulary {
  /// An event with all that it is called: by its own name first, then by each other one that stands for it.
  func named(_ event: MonetizeEvent) -> [MonetizeEvent] {
    [event]
      + names.filter { $0.matches(event) }.map { naming in
        var other = event
        other.name = MonetizeEvent.Name(naming.name)
        return other
      }
  }

  /// Why an app's own event is not as declared; `nil` when it is.
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
  /// The place in the onboarding, as `step` or `step/page`.
  fileprivate var step: String? {
    guard name == .onboardingStep, case .text(let step) = properties["step"] else { return nil }
    if case .text(let page) = properties["page"] { return "\(step)/\(page)" }
    return step
  }
}

extension EventVocabulary.PropertyType {
  fileprivate func accepts(_ value: PropertyValue) -> Bool {
    switch (self, value) {
    case (.number, .number(let number)): number.isFinite
    case (.boolean, .boolean), (.text, .text): true
    case (.choice(let words), .text(let word)): words.contains(word)
    default: false
    }
  }

  /// The value as it may leave the device; `nil` for text.
  func shared(_ value: PropertyValue) -> SharedValue? {
    switch (self, value) {
    case (.number, .number(let number)): .number(number)
    case (.boolean, .boolean(let isTrue)): .boolean(isTrue)
    case (.choice(let words), .text(let word)) where words.contains(word): .choice(word)
    default: nil
    }
  }
}
