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
        var restDays: UInt8 = 0
        for day in list(section["rest_days"], "`rest_days`") {
            guard let index = choice(day, "a rest day", of: Weekday.names) else { continue }
            let bit: UInt8 = 1 << UInt8(index + 1)
            if restDays & bit != 0 { report(day.offset, "`\(Weekday.names[index])` is listed twice", .warning) }
            restDays |= bit
        }
        guard let when else { return nil }
        if let freezes { warnAbout(freezes, earnEvery, hold) }
        checked.streak = section.offset
        note(.streak, "the streak", section.keyOffset("when"))
        if earnEvery != nil { note(.freezes, "the freezes", section.keyOffset("freezes")) }
        if restDays != 0 { note(.restDays, "the rest days", section.keyOffset("rest_days")) }
        return StreakRule(when: when, earnEvery: earnEvery, hold: hold ?? 1, restDays: restDays)
    }

    private mutating func warnAbout(_ freezes: Section, _ earnEvery: Int?, _ hold: Int?) {
        if earnEvery == nil {
            let offset = freezes.has("hold") ? freezes.keyOffset("hold") : freezes.offset
            report(offset, "without `earn_every` no freeze is ever earned", .warning)
        } else if hold == 0 {
            report(freezes.keyOffset("hold"), "with `hold: 0` no freeze is ever held", .warning)
        }
    }
}
