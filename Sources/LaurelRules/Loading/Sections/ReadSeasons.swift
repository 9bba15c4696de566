// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

extension RulesLoader {
    mutating func readSeasons(_ node: YAMLNode?) -> [Season] {
        var seasons: [Season] = []
        var names: Set<String> = []
        for item in list(node, "`seasons`") {
            guard let section = requiredSection(item, .season) else { continue }
            let name = required(section, "name").flatMap { nonEmptyText($0, "`name`") }
            if let name, !names.insert(name).inserted, let node = section["name"] {
                report(node.offset, "the name `\(name)` is taken: a season above has it")
            }
            _ = required(section, "from")
            _ = required(section, "through")
            let period = readPeriod(section)
            guard let name, let from = period.from, let through = period.through, from <= through else { continue }
            if let last = seasons.last, from <= last.days.upperBound {
                let end = "`\(last.name)` lasts through \(last.days.upperBound)"
                let message = "seasons must ascend without overlap: `\(name)` begins on \(from), but \(end)"
                report(section["from"]?.offset ?? section.offset, message)
                continue
            }
            note(.season(seasons.count), "the season `\(name)`", section["name"]?.offset ?? section.offset)
            seasons.append(Season(name: name, days: from...through))
        }
        return seasons
    }
}
