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
            restDays |= 1 << UInt8(index + 1)
        }
        guard let when else { return nil }
        return StreakRule(when: when, earnEvery: earnEvery, hold: hold ?? 1, restDays: restDays)
    }
}
