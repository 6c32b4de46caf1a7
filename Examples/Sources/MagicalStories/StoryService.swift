// SPDX-License-Identifier: Apache-2.0
public import Monetize

/// An idea for a story.
public struct StoryIdea: Sendable, Hashable, Identifiable {
  /// The id of the idea. A retry of the same idea after an error is the same story.
  public let id: String
  /// The subject of the story.
  public let theme: String

  /// Makes an idea.
  public init(id: String, theme: String = "Friendship") {
    self.id = id
    self.theme = theme
  }
}

/// A finished story, which the customer keeps.
public struct Story: Sendable, Hashable, Identifiable {
  /// The id of the idea.
  public let id: String
  /// Its text.
  public let text: String

  /// Makes a story.
  public init(id: String, text: String) {
    self.id = id
    self.text = text
  }
}

/// The options of a generation.
public struct StoryQuality: Sendable, Hashable {
  /// Its illustrations.
  public let illustrations: Illustrations
  /// Its place in the queue.
  public let priority: GenerationPriority
}

/// Generates stories, at a cost each time.
public protocol StoryGenerator: Sendable {
  /// Generates a story.
  func story(for idea: StoryIdea, _ quality: StoryQuality) async throws -> Story
}

/// The reason why no story was made, besides the generator's errors.
public enum StoryServiceError: Error, Sendable, Hashable {
  /// The free stories of this month are used up. The decision has the date of the reset, and what unlocks more now.
  case usageLimitReached(Decision)
  /// It is unknown whether a story is left.
  case notAvailable(Decision)
}

/// Generates stories within limits. It is the only owner of the generator, so the limit cannot be bypassed.
public struct StoryService: Sendable {
  private let generator: any StoryGenerator
  private let monetizer: Monetizer

  /// Makes a service.
  public init(_ generator: any StoryGenerator, for monetizer: Monetizer) {
    self.generator = generator
    self.monetizer = monetizer
  }

  /// Generates a story. It counts only on success, once for an idea, and never beyond the stories left.
  /// - Throws: ``StoryServiceError``, before the generator is called, or the generator's error.
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
