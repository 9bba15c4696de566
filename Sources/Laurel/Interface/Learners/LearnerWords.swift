// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LaurelResults
import LaurelWire

/// A filter for a learner's words. A word passes if all set conditions hold.
public struct WordFilter: Sendable, Hashable {
    /// The beginning of the word or of its id; case, diacritics and width do not matter.
    public var prefix: String?
    /// The bucket of the word's mastery.
    public var bucket: MasteryBucket?
    /// The category, exactly as written.
    public var category: String?
    /// A tag, exactly as written.
    public var tag: String?
    /// True to pass only words whose next review is due.
    public var isDue = false
    /// True to pass only words that count as learned.
    public var isLearned = false
    /// True to pass only words that the learner marked as favourites.
    public var isFavourite = false

    /// All words.
    public init() {}

    /// Words whose next review is due.
    public static var due: WordFilter {
        var filter = WordFilter()
        filter.isDue = true
        return filter
    }

    /// Words that count as learned.
    public static var learned: WordFilter {
        var filter = WordFilter()
        filter.isLearned = true
        return filter
    }

    /// Words that begin with a text.
    public static func prefix(_ prefix: String) -> WordFilter {
        var filter = WordFilter()
        filter.prefix = prefix
        return filter
    }
}

/// The order of a list of words.
public enum WordOrder: Sendable, Hashable {
    /// Due words first, the longest overdue first. The other words are sorted by next review.
    case review
    /// Sorted by spelling, regardless of case and diacritics.
    case alphabetical
    /// Sorted by the time at which each word was learned. Words that are not learned come last, by id.
    case learned
}

extension Learner {
    /// Known words.
    /// - Complexity: O(events of the learner); only the fields about words are read. Words are created on access.
    public func words(
        _ filter: WordFilter = WordFilter(),
        language: String? = nil,
        order: WordOrder = .review,
        at date: Date? = nil
    ) throws(EngineError) -> WordList {
        try allWords(language?.canonicalLanguageTag, date).matching(filter, order: order)
    }

    /// The numbers of words by mastery and by category.
    public func vocabulary(language: String? = nil, at date: Date? = nil) throws(EngineError) -> VocabularySummary {
        let language = language?.canonicalLanguageTag
        return VocabularySummary(try allWords(language, date), language: language)
    }

    private func allWords(_ language: String?, _ date: Date?) throws(EngineError) -> WordList {
        try EngineError.translating { try engine.words(of: id, language: language, at: instant(date)) ?? .empty }
    }
}

extension WordFilter {
    fileprivate func holds(for word: Word, _ prefix: FoldedPrefix?) -> Bool {
        if let bucket, word.bucket != bucket { return false }
        if isDue, !word.isDue { return false }
        if isLearned, !word.isLearned { return false }
        if isFavourite, !word.isFavourite { return false }
        if let category, word.category != category { return false }
        if let tag, !word.tags.contains(tag) { return false }
        return prefix?.begins(word) ?? true
    }
}

extension WordList {
    /// The words that pass a filter.
    public func matching(_ filter: WordFilter, order: WordOrder = .review) -> WordList {
        if filter == WordFilter(), order == .review { return self }
        let prefix = filter.prefix.map(FoldedPrefix.init)
        let wanted = indices.filter { filter.holds(for: self[$0], prefix) }
        return switch order {
        case .review: keeping(wanted)
        case .alphabetical: keeping(inWordOrder(wanted))
        case .learned: keeping(inOrderOfLearning(wanted))
        }
    }

    private func inOrderOfLearning(_ indices: [Int]) -> [Int] {
        let keyed = indices.map { (index: $0, learnedAt: self[$0].learnedAt ?? .distantFuture, id: self[$0].id) }
        return keyed.sorted { one, other in
            one.learnedAt != other.learnedAt
                ? one.learnedAt < other.learnedAt : one.id.utf8.lexicographicallyPrecedes(other.id.utf8)
        }.map(\.index)
    }
}

extension VocabularySummary {
    init(_ words: WordList, language: String?) {
        self.init(language: language)
        known = words.count
        var counts = CategoryCounts()
        for word in words {
            counts.add(word)
            switch word.bucket {
            case .new: mastery.new += 1
            case .learning: mastery.learning += 1
            case .reviewing: mastery.reviewing += 1
            case .mastered: mastery.mastered += 1
            }
            if word.isLearned { learned += 1 }
            if word.isDue { due += 1 }
        }
        categories = counts.sorted
    }
}
