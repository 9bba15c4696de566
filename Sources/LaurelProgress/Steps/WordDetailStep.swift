// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// A detail of words that expressions read: its field, and its slot among the texts.
struct WordDetailPlan {
    let role: FieldRole
    let slot: Int

    static let all = [
        WordDetailPlan(role: .text, slot: FrameLayout.TextName.wordText.rawValue),
        WordDetailPlan(role: .translation, slot: FrameLayout.TextName.wordTranslation.rawValue),
        WordDetailPlan(role: .partOfSpeech, slot: FrameLayout.TextName.wordPartOfSpeech.rawValue),
        WordDetailPlan(role: .category, slot: FrameLayout.TextName.wordCategory.rawValue),
        WordDetailPlan(role: .origin, slot: FrameLayout.TextName.wordOrigin.rawValue),
    ]

    static func read(_ slots: Set<Slot>) -> [WordDetailPlan] { all.filter { slots.contains(.text($0.slot)) } }
}

extension FieldRole {
    /// The fields that the fold reads. Details of words are included only if they are among the given details.
    static func names(readWith details: UnsafeBufferPointer<WordDetailPlan>, _ rules: RuleSet) -> Set<String> {
        var others = Set(WordDetailPlan.all.map(\.role)).subtracting(details.map(\.role))
        if !rules.hasBalances { others.formUnion(ofCurrencies) }
        return names(of: allCases.filter { !others.contains($0) })
    }

    /// The fields that only rules with currencies read.
    private static let ofCurrencies: [FieldRole] = [.currency, .item]
}

extension FoldCore {
    /// Stores the details of the word that the event contains, and makes the word's details readable by expressions.
    /// For each detail, the latest value is valid.
    @inline(never)
    mutating func storeWordDetails(
        _ words: UnsafeMutablePointer<VocabularyWords>,
        _ index: Int,
        _ before: WordCategory,
        _ after: WordCategory
    ) {
        let width = plan.wordDetails.count
        let start = index * width
        while words.pointee.details.count < start + width { words.pointee.details.append(nil) }
        // A removed word loses its details.
        if !before.isKnown || !after.isKnown {
            for place in start..<start + width { words.pointee.details[place] = nil }
        }
        guard after.isKnown else { return }
        for (place, detail) in zip(start..., plan.wordDetails) {
            if let text = scratch.bytes(detail.role, columns) { words.pointee.details[place] = text }
            scratch.texts[detail.slot] = words.pointee.details[place].map { scratch.borrow($0) } ?? TextSlice()
        }
    }
}
