// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress

/// Collects the results of words' reviews within some days, to find words that are hard to remember.
struct ForgottenWordCollector {
    private struct Count {
        var reviews = 0
        var forgotten = 0
        var isRecalled = false
    }

    let days: ClosedRange<LocalDay>
    private var words = DeclaredWords()
    private var counts: [WordKey: Count] = [:]
    /// The current review.
    private var review: (key: WordKey, isCorrect: Bool)?

    init(days: ClosedRange<LocalDay>) { self.days = days }

    mutating func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        review = nil
        words.take(table, row, event)
        guard event.kind == .reviewGraded, days.contains(event.day) else { return }
        var word: [UInt8]?
        var isCorrect = true
        for value in table.values(of: row) where value.kind == .text {
            switch table.fields.string(value.field) {
            case "word": word = Array(table.texts[UInt32(value.payload)])
            case "grade": isCorrect = table.texts.string(UInt32(value.payload)) != "again"
            default: break
            }
        }
        guard let word else { return }
        review = (WordKey(language: table.languageTag(row) ?? [], word: word), isCorrect)
    }

    mutating func didChangeWord() {
        guard let review else { return }
        var count = counts[review.key] ?? Count()
        count.reviews += 1
        if !review.isCorrect { count.forgotten += 1 }
        count.isRecalled = review.isCorrect
        counts[review.key] = count
        self.review = nil
    }

    /// The words that the learner forgot and that are still in the vocabulary.
    func list() -> [ForgottenWord] {
        counts.filter { $0.value.forgotten > 0 }
            .sorted {
                $0.key.language != $1.key.language
                    ? $0.key.language.lexicographicallyPrecedes($1.key.language)
                    : $0.key.word.lexicographicallyPrecedes($1.key.word)
            }
            .compactMap { key, count in
                let details = words.details(language: key.language, word: key.word[...])
                guard details.isThere else { return nil }
                return ForgottenWord(
                    language: key.language.isEmpty ? nil : String(decoding: key.language, as: UTF8.self),
                    id: String(decoding: key.word, as: UTF8.self),
                    text: details.text.map { String(decoding: $0, as: UTF8.self) },
                    translation: details.translation.map { String(decoding: $0, as: UTF8.self) },
                    reviews: count.reviews,
                    forgotten: count.forgotten,
                    isRecalled: count.isRecalled
                )
            }
    }
}
