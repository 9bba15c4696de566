// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// THE list of texts with which a terminal shows a learner's progress. Translations are found by the English text.
package enum CardPhrase: String, CaseIterable, Sendable {
    case headOfLanguage = "{name} in {language}, as of {time}"
    case headOfAll = "{name} in all languages, as of {time}"
    case level = "Level {level}"
    case today = "Today"
    case ofGoal = "{done} of {goal}"
    case cefr = "CEFR"
    case streak = "Streak"
    case xp = "XP"
    case words = "Words"
    case sessions = "Sessions"
    case partners = "Partners"
    case rules = "Rules"
    case events = "Events"
    case metrics = "Metrics"
    case unlocked = "Unlocked"
    case next = "Next"
    case xpOfWeek = "{total}, {week} of them this week"
    case toLevel = "{left} XP to level {next}"
    case highestLevel = "the highest level"
    case longest = "the longest {longest}"
    case held = "{freezes} held"
    case lastActive = "last active {date}"
    case estimate = "{level}, an estimate"
    case estimateOnTheWay = "{level}, an estimate; {percent} of the way to {next}"
    case wordCounts = "{known} known, {learned} learned ({percent}), {due} due for review"
    case mastered = "mastered"
    case reviewing = "reviewing"
    case learning = "learning"
    case new = "new"
    case sessionCounts = "{sessions} ({solo} solo, {together} together), {minutes}"
    case helped = "helped {times}"
    case rulesFrom = "{rules}, from {date}"
    case unlockedOf = "{count} of {achievements}"
    case tier = "tier {tier} of {tiers}"
    case goals = "Goals"
    case goalOpen = "{value} of {target}: {goal}"
    case goalDone = "{value} of {target}, completed: {goal}"
    case balances = "Balances"
    case refillAt = "next refill at {time} UTC"
    case itemsBought = "Bought"
    case season = "Season"
    case flagged = "Flagged"
    case flaggedXP = "{xp} XP, left out of leaderboards"
}

/// The units with which a terminal shows a learner's progress.
package enum CardUnit: String, CaseIterable, Sendable {
    case day, minute, freeze, repair, time
    case teamWin = "team win"
    case achievement

    var unit: ColumnUnit { ColumnUnit(one: rawValue, other: rawValue + "s") }
}

/// The words, numbers and dates with which a terminal shows a learner's progress, for a locale.
package struct ReaderTexts: Sendable {
    private let locale: LocaleText

    /// - Parameter identifier: a locale such as `de_AT`; nil for English.
    package init(locale identifier: String?) {
        locale = identifier.flatMap(LocaleText.shipped) ?? .english
    }

    package func callAsFunction(_ phrase: CardPhrase, _ values: KeyValuePairs<String, String> = [:]) -> String {
        TextTemplate(locale.texts.text(phrase.rawValue)).filled { name, _ in values.first { $0.key == name }?.value }
            ?? ""
    }

    package func counted(_ number: Int, _ unit: CardUnit) -> String {
        plain(locale.counted(Double(number), locale.texts.unit(unit.unit)))
    }

    package func number(_ number: Double) -> String { plain(locale.number(number)) }
    /// - Parameter percent: a percentage, 0 … 100.
    package func percent(_ percent: Double) -> String { plain(locale.percent(percent.rounded(.down))) }
    package func language(_ tag: String) -> String { locale.language(tag) }

    /// The name of a source of XP. Reports use the same name.
    package func source(_ bucket: String) -> String { locale.texts.text(IdentifierTitle.of(bucket)) }
    /// The text with ordinary spaces. Non-breaking spaces are not needed, because a terminal does not break lines
    /// between words.
    private func plain(_ text: String) -> String {
        String(text.map { $0 == "\u{A0}" || $0 == "\u{202F}" ? " " : $0 })
    }
}
