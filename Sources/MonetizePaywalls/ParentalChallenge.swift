// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// The parental gate's task, as a value: a multiplication that a young child cannot do, typed digit by digit.
///
/// Multiplies a number from 6 to 9 by one from 12 to 19, so that the answer is hard to guess: there are 32 tasks with 26 answers. Three
/// wrong answers close the gate; the next gate begins with a new task.
///
/// Source: App Review guideline 1.3 and "Parental gates" of Apple's page on apps for kids: an adult-level task.
public struct ParentalChallenge: Sendable, Hashable {
  /// The state of the task.
  public enum State: Sendable, Hashable {
    /// It waits for an answer.
    case asking
    /// An adult has answered.
    case passed
    /// Three answers were wrong.
    case failed
  }

  /// The number of wrong answers that close the gate.
  public static let attempts = 3

  /// A number to multiply, from 6 to 9.
  public private(set) var first: Int
  /// A number to multiply, from 12 to 19.
  public private(set) var second: Int
  /// The digits typed so far, at most three.
  public private(set) var answer = ""
  /// The number of wrong answers.
  public private(set) var mistakes = 0
  /// The state of the task.
  public private(set) var state = State.asking

  /// Makes a task.
  public init(using generator: inout some RandomNumberGenerator) {
    (first, second) = (Int.random(in: 6...9, using: &generator), Int.random(in: 12...19, using: &generator))
  }

  /// Types a digit. Ignored once there are three.
  public mutating func type(_ digit: Int) {
    guard state == .asking, (0...9).contains(digit), answer.count < 3 else { return }
    answer += "\(digit)"
  }

  /// Deletes the last digit.
  public mutating func delete() { if !answer.isEmpty { answer.removeLast() } }

  /// Checks the answer. A wrong one leads to another task, or closes the gate. Does nothing without digits.
  public mutating func confirm(using generator: inout some RandomNumberGenerator) {
    guard state == .asking, let number = Int(answer) else { return }
    if number == first * second {
      state = .passed
    } else {
      mistakes += 1
      let before = (first, second)
      repeat { self = Self(after: mistakes, using: &generator) } while (first, second) == before
      if mistakes == Self.attempts { state = .failed }
    }
  }

  private init(after mistakes: Int, using generator: inout some RandomNumberGenerator) {
    self.init(using: &generator)
    self.mistakes = mistakes
  }

  /// Its texts in a language.
  public func texts(in language: Language) -> Texts {
    Texts(
      title: language.text(.gateTitle), message: language.text(mistakes == 0 ? .gateMessage : .gateWrong),
      question: language.text(.gateQuestion, ["first": "\(first)", "second": "\(second)"]), answer: language.text(.gateAnswer),
      delete: language.text(.gateDelete), confirm: language.text(.buttonNext), cancel: language.text(.gateCancel))
  }

  /// The text for a customer after the gate was not passed.
  public static func failureText(in language: Language) -> String { language.text(.gateFailed) }

  /// The texts of the gate.
  public struct Texts: Sendable, Hashable {
    /// The title.
    public let title: String
    /// The instruction, or the remark that the last answer was wrong.
    public let message: String
    /// The task.
    public let question: String
    /// The label of the typed digits for a screen reader.
    public let answer: String
    /// The button that deletes a digit.
    public let delete: String
    /// The button that checks the answer.
    public let confirm: String
    /// The button that closes the gate.
    public let cancel: String
  }
}
