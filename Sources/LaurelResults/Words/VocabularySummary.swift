// SPDX-License-Identifier: Apache-2.0

/// The size of a learner's vocabulary.
public struct VocabularySummary: Codable, Sendable, Hashable {
    /// The language; nil for all languages together.
    public var language: String?
    /// The number of known words. A word is known from its first event until it is removed.
    public var known = 0
    /// The number of known words that count as learned.
    public var learned = 0
    /// The number of known words whose next review is due.
    public var due = 0
    /// The known words by stage. In JSON the four numbers are members of this object.
    public var mastery = MasteryCounts()
    /// The counts by language and category, in byte order of both. Words without a language or category come first.
    public var categories: [VocabularyCategory] = []

    /// Creates a value, for previews and tests.
    public init(language: String? = nil) { self.language = language }

    private enum CodingKeys: CodingKey {
        case language, known, learned, due, categories
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(language, forKey: .language)
        try container.encode(known, forKey: .known)
        try container.encode(learned, forKey: .learned)
        try container.encode(due, forKey: .due)
        try mastery.encode(to: encoder)
        try container.encode(categories, forKey: .categories)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        language = try container.decodeIfPresent(String.self, forKey: .language)
        known = try container.decode(Int.self, forKey: .known)
        learned = try container.decode(Int.self, forKey: .learned)
        due = try container.decode(Int.self, forKey: .due)
        mastery = try MasteryCounts(from: decoder)
        categories = try container.decode([VocabularyCategory].self, forKey: .categories)
    }
}

/// The counts of one category of words.
public struct VocabularyCategory: Codable, Sendable, Hashable {
    /// The language; nil for words whose events have none.
    public var language: String?
    /// The category; nil for words without one.
    public var category: String?
    /// The number of known words. A word is known from its first event until it is removed.
    public var known = 0
    /// The number of known words that count as learned.
    public var learned = 0
    /// The number of known words whose next review is due.
    public var due = 0

    /// Creates a value, for previews and tests.
    public init(language: String?, category: String?) { (self.language, self.category) = (language, category) }
}
