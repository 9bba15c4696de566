// SPDX-License-Identifier: Apache-2.0

/// A vocabulary in numbers.
public struct VocabularySummary: Codable, Sendable, Hashable {
    /// nil for all languages together.
    public var language: String?
    /// Words met and not removed.
    public var known = 0
    /// Those that count as learned.
    public var learned = 0
    /// Whose next review is due.
    public var due = 0
    /// Known words by where they stand.
    public var mastery = MasteryCounts()
    /// By language and category in byte order, words without one first.
    public var categories: [VocabularyCategory] = []

    /// Creates one, for previews and tests.
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

/// How many known words a category has.
public struct VocabularyCategory: Codable, Sendable, Hashable {
    /// nil for words of events without a language.
    public var language: String?
    /// nil for words without a category.
    public var category: String?
    /// Words met and not removed.
    public var known = 0
    /// Those that count as learned.
    public var learned = 0
    /// Those whose next review is due.
    public var due = 0

    /// Creates one, for previews and tests.
    public init(language: String?, category: String?) { (self.language, self.category) = (language, category) }
}
