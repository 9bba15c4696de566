// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelClient
import LaurelSimulation

/// Values that travel, if they are not only made and read.
func useWire() {
    let day = LocalDay(containing: 1_770_300_000_000)
    tell("day", "\(day), \(day.weekName(firstWeekday: 1)), \(day.weekStart(firstWeekday: 1)), \(day.weekday)")
    tell("of the month", LocalDay.daysInMonth(year: day.civil.year, month: day.civil.month))
    use((LocalDay(parsing: "2026-02-05".utf8), LocalDay(number: 1) < day, Timestamp.utc(0)))
    tell("an event of each type", everyEvent.map(\.type) == Catalogue.types.map(\.name))
    tell("a field", Catalogue.type(named: "line.spoken")?.field(named: "accuracy")?.requirement ?? "none")
    for type in Catalogue.types {
        use((type.name, type.summary, type.neededAttributes, type.needsLanguage, type.needsSession))
        use((type.isAdministered, type.span.map { ($0.from, $0.through, $0.mostDays) }))
        for field in type.fields {
            use((field.name, field.type, field.constraint, field.defaultValue, field.isRequired, field.requirement))
            if case .numbers(let bounds) = field.constraint, field.type == .numberList { use(bounds) }
            use(field.isAdministered)
        }
    }
    tell("nearest", nearestName(to: "line.spokn", among: Catalogue.types.map(\.name)) ?? "none")
    do {
        use(try Timestamp("yesterday"))
    } catch {
        tell("no time", error.description)
    }
    let literals: [JSONValue] = [["a": 1], 0.5, true, nil, "text", [1]]
    tell("literals", literals.map(\.json).joined(separator: " "))
    use(CSVRecord(texts: ["=1", "a"]).description)
    let numbers: NumbersByName = ["xp": 1]
    let more: ValuesByName<Double> = ["xp": 2, "words": 1]
    tell("equal", "\(numbers == more), \(more == ["words": 1, "xp": 2]), \(Set([more, ["words": 1, "xp": 2]]).count)")
    use((numbers["xp"], numbers[0], numbers.startIndex, numbers.endIndex))
    let element = NumbersByName.Element(name: "xp", value: 1)
    use((element.name, element.value, NumbersByName([element])))
    tell("above B2", CEFRLevel.b2.next.map { "\($0), \(CEFRLevel.b2 < $0)" } ?? "nothing")
    var options = Simulation.Options(learners: 2, days: 3, seed: 1)
    use((CalendarDay("2026-02-05"), CalendarDay(daysSince1970: 1), options.start.daysSince1970))
    use((Simulation.Options.mostDays, Simulation.Options.mostLearners, Simulation.Options.mostVisits))
    use(Simulation.Options.defaultStart(days: 400))
    use((Simulation.Options.defaultStart, options.days, options.learners, options.seed, options.uuid, options.visits))
    options.disorder = true
    options.together = true
    var bytes = 0
    let events = Simulation(options).run { bytes += $0.count }
    tell("simulated", "\(events > 0), \(bytes > events)")
}
