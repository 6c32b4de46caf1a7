// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One of the framework's own texts, such as the label of the button that restores purchases. A table of texts may replace each one by its
/// name: see ``CatalogStrings``. The English texts show what each is for.
package enum FrameworkText: String, CaseIterable, Sendable {
  /// Buttons.
  case buttonBuy, buttonSubscribe, buttonStartTrial, buttonPlans, buttonRestore, buttonManage, buttonRedeem, buttonDismiss, buttonContinue
  case buttonRetry, buttonUnlock, buttonSkip, buttonNext, buttonSupport
  /// Prices, offers, and the text beside the purchase button.
  case priceRecurring, priceCadence, pricePerMonth, priceSaving, offerFreeTrial, offerPayUpFront, offerPayAsYouGo, offerEnds
  case noteOneTime, notePass, noteTrial, noteTrialThen, noteCredits, noteTip, noteBegins
  /// Texts that the law and the store require.
  case legalRenewal, legalCancellation, legalTerms, legalPrivacy
  /// What the store does, and the results of purchases and restores.
  case storeLoading, storeUnreachable, storeNotSold, storeBuying, storeWaiting, storeDone, storePurchaseFailed, storeOtherAccount
  case storeUnverified, storeRestored, storeNothingActive, storeNothingToRestore, storeRestoreFailed
  /// The state of a subscription.
  case subscription, subscriptionWelcomeBack, subscriptionFree, subscriptionTrial, subscriptionRenews, subscriptionEnds, subscriptionChanges
  case subscriptionGrace, subscriptionRetry, subscriptionExpired, subscriptionRevoked, subscriptionGift, subscriptionRedundant
  /// The replacement for a feature.
  case featureLocked, featureChecking, featureLimitReached, featureResets, featureParentalLimit, featureRequiresParent
  case featureRequiresCompletion, featureCoins, featureClosed
  /// Uses and items.
  case usageMeter, usageRemaining, usageUnlimited, itemCompleted, itemProgress
  /// The parental gate.
  case gateTitle, gateMessage, gateQuestion, gateWrong, gateAnswer, gateDelete, gateCancel, gateFailed
  /// No time, no limit; the text between a number and its unit, and between two lengths; the ending of the last part of a length, such
  /// as 間 in 1年6か月2日間, empty where each part has its own.
  case lengthNone, lengthUnlimited, lengthSpace, lengthEnd
  /// Units of time: the forms for a number, as far as a language has them (``Plural``), and the unit after "per".
  case yearZero, yearOne, yearTwo, yearFew, yearMany, yearOther, yearEach
  case monthZero, monthOne, monthTwo, monthFew, monthMany, monthOther, monthEach
  case weekZero, weekOne, weekTwo, weekFew, weekMany, weekOther, weekEach
  case dayZero, dayOne, dayTwo, dayFew, dayMany, dayOther, dayEach
  case hourZero, hourOne, hourTwo, hourFew, hourMany, hourOther, hourEach
  case minuteZero, minuteOne, minuteTwo, minuteFew, minuteMany, minuteOther, minuteEach
  case secondZero, secondOne, secondTwo, secondFew, secondMany, secondOther, secondEach
  /// The separator between the parts of a sentence that a screen reader speaks.
  case comma

  /// The framework's own texts, by the code of the language.
  static let own: [String: [Self: String]] = ["en": english, "de": german, "ja": japanese]

  /// The framework's own texts in a language; the English ones in a language that it does not have.
  static func texts(in base: String) -> [Self: String] { own[base] ?? english }

  /// The English words, as a beginning for another language; of a form that English does not have, the plural.
  package var original: String {
    let form = Plural.allCases.map(\.rawValue.capitalized).first(where: rawValue.hasSuffix)
    let plural = form.flatMap { Self(rawValue: rawValue.dropLast($0.count) + "Other") }
    return Self.english[self] ?? plural.flatMap { Self.english[$0] } ?? ""
  }

  /// The texts that a language needs: of the forms of a unit, those that it has.
  package static func needed(in language: Language) -> [Self] {
    let others = Set(Plural.allCases).subtracting(language.plurals).map(\.rawValue.capitalized)
    return allCases.filter { name in !others.contains { name.rawValue.hasSuffix($0) } }
  }
}
