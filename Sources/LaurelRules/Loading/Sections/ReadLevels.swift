// SPDX-License-Identifier: Apache-2.0

import LaurelYAML

extension RulesLoader {
    private static let standardCurve = "50 * n * (n - 1)"

    mutating func readLevels(_ node: YAMLNode?) -> LevelCurve? {
        guard let section = section(node, .levels) else { return standardLevels() }
        if section.has("xp_for"), section.has("table") {
            report(section.offset, "`levels` has both `xp_for` and `table`: one of them is enough")
        }
        note(.levels, "the levels", section.keyOffset(section.has("table") ? "table" : "xp_for"))
        if section.has("table") { return readLevelTable(section) }
        guard section.has("xp_for") else {
            guard !section.isSetAside("xp_for"), !section.isSetAside("table") else { return nil }
            report(section.offset, "`levels` needs `xp_for` or `table`")
            return nil
        }
        guard let formula = expression(section, "xp_for", expecting: .number, in: NameScope(.levels)) else {
            return nil
        }
        do throws(LevelCurveError) {
            return try LevelCurve(formula: formula)
        } catch {
            let offset = section["xp_for"]?.offset ?? section.offset
            switch error {
            case .firstLevel(let start):
                report(offset, "level 1 starts at 0, but `xp_for` is \(start.brief) for n = 1")
            case .notAscending(let level, let start, let last):
                let values = "\(start.brief), level \(level - 1) at \(last.brief)"
                report(offset, "levels must start at more and more XP, but level \(level) starts at \(values)")
            }
            return nil
        }
    }

    private mutating func readLevelTable(_ section: Section) -> LevelCurve? {
        guard let node = section["table"], let table = ascendingNumbers(node, "`table`") else { return nil }
        guard table[0] == 0 else {
            report(node.offset, "level 1 starts at 0: the first number of `table` must be 0, not \(table[0].brief)")
            return nil
        }
        return LevelCurve(table: table)
    }

    private mutating func standardLevels() -> LevelCurve? {
        let result = Compiler.compile(Self.standardCurve, for: "`xp_for`", expecting: .number) { _ in
            .slot(.event(FrameLayout.EventName.n.rawValue), .number)
        }
        return try? LevelCurve(formula: result.get())
    }
}
