// SPDX-License-Identifier: Apache-2.0

/// Words. `word` is your own id of the entry, not its spelling; words are kept apart by language.
extension LearningEvent {
    /// What a word is, for those who show it.
    public struct WordDetails: Sendable, Hashable {
        /// As it is written; nil where no event told.
        public var text: String?
        /// In the learner's own language; nil where no event told.
        public var translation: String?
        /// Such as `noun`.
        public var partOfSpeech: String?
        /// By which you group words.
        public var category: String?
        /// By which words can be found again.
        public var tags: [String]?
        /// Where it comes from, such as a deck or a scenario.
        public var origin: String?

        /// What is told of a word; nil leaves as it is what was told before.
        public init(
            text: String? = nil,
            translation: String? = nil,
            partOfSpeech: String? = nil,
            category: String? = nil,
            tags: [String]? = nil,
            origin: String? = nil
        ) {
            self.text = text
            self.translation = translation
            self.partOfSpeech = partOfSpeech
            self.category = category
            self.tags = tags
            self.origin = origin
        }

        var event: LearningEvent {
            LearningEvent(
                "",
                [
                    "text": text, "translation": translation, "partOfSpeech": partOfSpeech, "category": category,
                    "tags": tags, "origin": origin,
                ]
            )
        }
    }

    /// The event with what is told of a word.
    func with(_ details: WordDetails) -> LearningEvent {
        details.event.data.reduce(self) { $0.adding($1.key, $1.value) }
    }
}
