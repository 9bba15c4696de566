// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// The values that a version's expressions read, besides the event's fields. The fold does not publish any other
/// values.
struct EventReading {
    /// Each property is true if an expression reads certain values. `type`: `event.type`. `clock`: the numbers of the
    /// wall clock. `date`: `local.date`. `day`: `local.day`. `season`: `season.name`. `words`: any of `word.*`.
    let type: Bool
    let clock: Bool
    let date: Bool
    let day: Bool
    let season: Bool
    let words: Bool
    /// True if an expression reads any of `word.*` other than `word.isNew`.
    let moreOfWords: Bool
    /// True if an expression may read `word.*` at an event that does not concern a word.
    let wordsElsewhere: Bool
    /// True if an expression may read, at any event, a value that is neither a field of the event nor part of `word.*`.
    let more: Bool

    /// - Parameter slots: the slots that the version stores.
    init(_ slots: Set<Slot>, of rules: RuleSet) {
        type = slots.contains(.text(FrameLayout.TextName.type.rawValue))
        clock = FrameLayout.EventName.clockNames.contains { slots.contains(.event($0.rawValue)) }
        date = slots.contains(.text(FrameLayout.TextName.localDate.rawValue))
        day = slots.contains(.event(FrameLayout.EventName.localDay.rawValue))
        season = slots.contains(.text(FrameLayout.TextName.seasonName.rawValue))
        let wordNames = FrameLayout.EventName.wordNames.filter { slots.contains(.event($0.rawValue)) }
        (words, moreOfWords) = (!wordNames.isEmpty, wordNames.contains { $0 != .wordIsNew })
        wordsElsewhere = rules.readsWordsElsewhere
        more = clock || type || wordsElsewhere
    }
}

extension RuleSet {
    /// True if an expression reads `word.*` and may be evaluated at events without a word.
    fileprivate var readsWordsElsewhere: Bool {
        func concernWords(_ types: RuleTypes) -> Bool {
            types.names?.allSatisfy { EventKind(rawValue: $0)?.concernsWord == true } ?? false
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
