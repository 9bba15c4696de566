// SPDX-License-Identifier: Apache-2.0

import LaurelResults

/// Counts the words of each category.
struct CategoryCounts {
    private var records: [Key: VocabularyCategory] = [:]

    mutating func add(_ word: Word) {
        let key = Key(language: word.language.map { Array($0.utf8) }, category: word.category.map { Array($0.utf8) })
        var record = records[key] ?? VocabularyCategory(language: word.language, category: word.category)
        record.known += 1
        if word.isLearned { record.learned += 1 }
        if word.isDue { record.due += 1 }
        records[key] = record
    }

    /// The counts by language and category in byte order; words without a category come first.
    var sorted: [VocabularyCategory] {
        records.sorted { one, other in
            let (language, otherLanguage) = (one.key.language ?? [], other.key.language ?? [])
            return language != otherLanguage
                ? language.lexicographicallyPrecedes(otherLanguage)
                : (one.key.category ?? []).lexicographicallyPrecedes(other.key.category ?? [])
        }.map(\.value)
    }
}

/// The key as bytes. Strings that differ only in their Unicode normal form are equal in Swift, but are different
/// categories.
private struct Key: Hashable {
    var language: [UInt8]?
    var category: [UInt8]?
}
