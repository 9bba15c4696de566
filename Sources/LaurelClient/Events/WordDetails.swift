// SPDX-License-Identifier: Apache-2.0

/// Events about words. `word` is your own id of the word, not its spelling. The same id in two languages means two
/// words.
extension LearningEvent {
    /// The texts of a word, for apps that show it.
    public struct WordDetails: Sendable, Hashable {
        /// The spelling of the word; nil if the event does not give it.
        public var text: String?
        /// The word in the learner's own language; nil if the event does not give it.
        public var translation: String?
        /// The part of speech, such as `noun`; nil if the event does not give it.
        public var partOfSpeech: String?
        /// The category in which the app groups the word; nil if the event does not give it.
        public var category: String?
        /// The tags by which the app finds words; nil if the event does not give them.
        public var tags: [String]?
        /// The origin of the word, such as a deck or a scenario; nil if the event does not give it.
        public var origin: String?

        /// Creates the texts of a word. If a text is nil, the text of an earlier event stays valid.
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

    /// The event with the details of a word added.
    func with(_ details: WordDetails) -> LearningEvent {
        details.event.data.reduce(self) { $0.adding($1.key, $1.value) }
    }
}
