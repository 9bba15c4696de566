// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules

/// Collects the texts and other data of words that the fold itself does not need.
final class WordCollector: FoldObserver {
    /// The fields that are read.
    static let fields = DeclaredWords.fields

    private var words = DeclaredWords()

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) { words.take(table, row, event) }

    func didChangeWord(_ word: WordOutcome) {
        if word.learnedNow { words.noteLearned() }
    }

    /// - Parameter state: a state that will not be folded further.
    func list(_ state: LearnerState, language: String?, at instant: Int64) -> WordList {
        let vocabularies = state.vocabularies.filter { vocabulary in
            language.map { Array($0.utf8) == vocabulary.language } ?? true
        }
        return WordList(words, vocabularies, state.plan.rules.mastery, at: instant)
    }
}
