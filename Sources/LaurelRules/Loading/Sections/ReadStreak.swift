// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

extension RulesLoader {
    mutating func readStreak(_ node: YAMLNode?) -> StreakRule? {
        guard let section = section(node, .streak) else { return nil }
        let when = requiredExpression(section, "when", expecting: .boolean, in: NameScope(.streak))
        let freezes = self.section(section["freezes"], .freezes)
        let largest = 36_500
        let earnEvery = freezes?["earn_every"].flatMap { integer($0, "`earn_every`", in: 1...largest) }
        let hold = freezes?["hold"].flatMap { integer($0, "`hold`", in: 0...largest) }
        let start = freezes.flatMap { readStart($0, hold: hold ?? 1) }
        let isWeekly = section["every"].flatMap { choice($0, "`every`", of: ["day", "week"]) } == 1
        if isWeekly, section.has("rest_days") {
            let message = "`rest_days` cannot stand beside `every: week`: a streak of weeks has no weekdays"
            report(section.keyOffset("rest_days"), message)
        }
        var restDays: UInt8 = 0
        for day in list(section["rest_days"], "`rest_days`") {
            guard let index = choice(day, "a rest day", of: Weekday.names) else { continue }
            let bit: UInt8 = 1 << UInt8(index + 1)
            if restDays & bit != 0 { report(day.offset, "`\(Weekday.names[index])` is listed twice", .warning) }
            restDays |= bit
        }
        guard let when else { return nil }
        if let freezes, hold == 0 {
            report(freezes.keyOffset("hold"), "with `hold: 0` no freeze is ever held", .warning)
        }
        checked.streak = section.offset
        note(.streak, "the streak", section.keyOffset("when"))
        if earnEvery != nil { note(.freezes, "the freezes", section.keyOffset("freezes")) }
        if restDays != 0 { note(.restDays, "the rest days", section.keyOffset("rest_days")) }
        if let start, start > 0, let freezes {
            note(.freezesAtStart, "`start` of the freezes", freezes.keyOffset("start"))
        }
        if isWeekly { note(.everyWeek, "`every: week` of the streak", section.keyOffset("every")) }
        var rule = StreakRule(when: when, earnEvery: earnEvery, hold: hold ?? 1, restDays: restDays)
        rule.freezesAtStart = start ?? 0
        rule.isWeekly = isWeekly
        return rule
    }

    /// Reads the number of freezes held at the beginning.
    private mutating func readStart(_ freezes: Section, hold: Int) -> Int? {
        guard let node = freezes["start"], let start = integer(node, "`start`", in: 0...36_500) else { return nil }
        if start > hold { report(node.offset, "`start` is \(start), but at most `hold`, \(hold), freezes are held") }
        return start
    }
}
