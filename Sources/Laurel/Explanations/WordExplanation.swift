package import LaurelProgress

/// What became of a word, and why it stands where it does.
package struct WordExplanation: Sendable, Equatable {
    /// nil for words of events without a language.
    package var language: String?
    package var word: String
    package var text: String?
    package var translation: String?
    /// In the learner's order.
    package var steps: [WordStep]
    /// nil where it is not known (any more).
    package var state: WordState?
}

/// What an event did to a word; nothing where the event is void.
package struct WordStep: Sendable, Equatable {
    package var event: EventReference
    /// Of `review.graded`.
    package var grade: String?
    /// Of `word.encountered`.
    package var count: Int?
    /// nil while the word was not known, and after its removal.
    package var before: WordState?
    package var after: WordState?
}
