// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules

/// Gathers what words are: their text and the like, which the fold has no use for.
final class WordCollector: FoldObserver {
    /// The fields that are read.
    static let fields = DeclaredWords.fields

    private var words = DeclaredWords()

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) { words.take(table, row, event) }

    func didChangeWord(_ word: WordOutcome) {
        if word.learnedNow { words.noteLearned() }
    }

    /// - Parameter state: which is not to be folded on.
    func list(_ state: LearnerState, language: String?, at instant: Int64) -> WordList {
        let vocabularies = state.vocabularies.filter { vocabulary in
            language.map { Array($0.utf8) == vocabulary.language } ?? true
        }
        return WordList(words, vocabularies, state.plan.rules.mastery, at: instant)
    }
}
