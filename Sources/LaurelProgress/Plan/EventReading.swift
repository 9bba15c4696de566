// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// What a version's expressions read of an event besides its fields: nothing else need be made known to them.
struct EventReading {
    /// True if any reads `event.type`, the numbers of `local.*`, `local.date`, and `word.*`.
    let type: Bool
    let clock: Bool
    let date: Bool
    let words: Bool
    /// True if any reads more of `word.*` than whether it is new.
    let moreOfWords: Bool
    /// True if an event that concerns no word may be asked for `word.*`.
    let wordsElsewhere: Bool
    /// True if any may read, at any event, what its fields and its word do not tell.
    let more: Bool

    /// - Parameter slots: those that are kept.
    init(_ slots: Set<Slot>, of rules: RuleSet) {
        type = slots.contains(.text(FrameLayout.TextName.type.rawValue))
        clock = FrameLayout.EventName.clockNames.contains { slots.contains(.event($0.rawValue)) }
        date = slots.contains(.text(FrameLayout.TextName.localDate.rawValue))
        let wordNames = FrameLayout.EventName.wordNames.filter { slots.contains(.event($0.rawValue)) }
        (words, moreOfWords) = (!wordNames.isEmpty, wordNames.contains { $0 != .wordIsNew })
        wordsElsewhere = rules.readsWordsElsewhere
        more = clock || type || wordsElsewhere
    }
}

extension RuleSet {
    /// True if an expression that is evaluated at events that concern no word reads `word.*`.
    fileprivate var readsWordsElsewhere: Bool {
        func concernWords(_ types: some Sequence<String>) -> Bool {
            types.allSatisfy { EventKind(rawValue: $0)?.concernsWord == true }
        }
        let programs =
            programsOfAllTypes + metrics.filter { !concernWords($0.types) }.flatMap(\.programs)
            + xpRules.filter { !concernWords($0.types) }.flatMap(\.programs)
        let slots = Set(FrameLayout.EventName.wordNames.map { Slot.event($0.rawValue) })
            .union(WordDetailPlan.all.map { .text($0.slot) })
        return programs.contains { $0.usedSlots.contains { slots.contains($0.slot) } }
    }
}

extension FrameLayout.EventName {
    fileprivate static let clockNames: [FrameLayout.EventName] = [.localHour, .localMinute, .localWeekday]
    fileprivate static let wordNames: [FrameLayout.EventName] = [
        .wordIsNew, .wordMastery, .wordMasteryBefore, .wordReviews, .wordIntervalDays, .wordLearnedNow,
    ]
}
