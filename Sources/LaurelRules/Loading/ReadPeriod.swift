// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

extension RulesLoader {
    /// Reads `from` and `through` of an XP rule or an achievement.
    mutating func readPeriod(_ section: Section) -> Period {
        let from = section["from"].flatMap { date($0, "`from`") }
        let through = section["through"].flatMap { date($0, "`through`") }
        if let from, let through, through < from, let node = section["through"] {
            report(node.offset, "`through` is \(through), before `from`, which is \(from): the period has no day")
        }
        return Period(from: from, through: through)
    }

    private mutating func date(_ node: YAMLNode, _ what: String) -> LocalDay? {
        guard let text = text(node, what) else { return nil }
        if let day = LocalDay(parsing: text.utf8) { return day }
        let isDated = text.utf8.count == 10 && text.split(separator: "-").map(\.utf8.count) == [4, 2, 2]
        let reason = isDated ? "there is no such day" : "it must be written YYYY-MM-DD"
        report(node.offset, "\(what) must be a date, not `\(text)`: \(reason)")
        return nil
    }
}
