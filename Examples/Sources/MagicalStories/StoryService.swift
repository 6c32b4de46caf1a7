// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// What a story is to be about.
public struct StoryIdea: Sendable, Hashable, Identifiable {
  /// What names it: trying the same idea again after an error is the same story.
  public let id: String
  /// What it is about.
  public let theme: String

  /// Makes an idea.
  public init(id: String, theme: String = "Friendship") {
    self.id = id
    self.theme = theme
  }
}

/// A story that was made. It is the customer's for good.
public struct Story: Sendable, Hashable, Identifiable {
  /// The idea's name.
  public let id: String
  /// Its text.
  public let text: String

  /// Makes a story.
  public init(id: String, text: String) {
    self.id = id
    self.text = text
  }
}

/// How a story is to be made.
public struct StoryQuality: Sendable, Hashable {
  /// Its illustrations.
  public let illustrations: Illustrations
  /// Its place in the queue.
  public let priority: GenerationPriority
}

/// Makes stories, and costs money each time.
public protocol StoryGenerator: Sendable {
  /// Makes a story.
  func story(for idea: StoryIdea, _ quality: StoryQuality) async throws -> Story
}

/// Why no story was made, besides what the generator throws.
public enum StoryServiceError: Error, Sendable, Hashable {
  /// All free stories of this month are used. The decision says when there are more, and what opens more now.
  case usageLimitReached(Decision)
  /// Nobody knows yet whether there is one left.
  case notAvailable(Decision)
}

/// Generates stories within limits: nobody gets around it, because it is the one place that has a generator.
public struct StoryService: Sendable {
  private let generator: any StoryGenerator
  private let monetizer: Monetizer

  /// Makes a service.
  public init(_ generator: any StoryGenerator, for monetizer: Monetizer) {
    self.generator = generator
    self.monetizer = monetizer
  }

  /// Generates a story. It counts when it succeeds and only then, once for an idea, and never more often than there are stories left.
  /// - Throws: ``StoryServiceError``, before the generator is asked, or what the generator throws.
  public func generate(_ idea: StoryIdea) async throws -> Story {
    do {
      return try await monetizer.withSpending(.story, key: idea.id) {
        let snapshot = monetizer.snapshot
        return try await generator.story(
          for: idea, StoryQuality(illustrations: snapshot.illustrations, priority: snapshot.generationPriority))
      }
    } catch let error as AccessDenied {
      throw error.decision.reason == .limitReached
        ? StoryServiceError.usageLimitReached(error.decision) : StoryServiceError.notAvailable(error.decision)
    }
  }
}
