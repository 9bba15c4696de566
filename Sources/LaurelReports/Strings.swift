/// All text that reports are made of beside what their files say.
enum Strings {
    static let nothing = "Nothing to show yet."
    static let everyone = "Everyone"
    static let showTable = "Table"
    static let count = "Count"
    static let below = "Below"
    static let less = "less"
    static let more = "more"
    static let sameAsBefore = "same as before"
    static let learner = "Learner"
    static let learners = "Learners"
    static let name = "Name"
    static let weekXP = "XP of the week"
    static let streak = "Streak"
    static let level = "Level"
    static let file = "File"
    static let other = "Other"

    static func from(_ title: String) -> String { "\(title) from" }
    static func points(_ number: String) -> String { number == "1" ? "1 point" : "\(number) points" }
    static func week(_ name: String) -> String { "Week \(name)" }
    static func asOf(_ time: String) -> String { "As of \(time)" }
    static func unfinished(_ period: String) -> String { "\(period), so far" }
    static func period(_ first: String, _ last: String) -> String { "\(first) – \(last)" }
    static func cohort(_ name: String) -> String { "Cohort \(name)" }
    static func language(_ name: String) -> String { "in \(name)" }
    static func moreThanBefore(_ change: String) -> String { "\(change) more than before" }
    static func lessThanBefore(_ change: String) -> String { "\(change) less than before" }
    static func fewerThanBefore(_ change: String) -> String { "\(change) fewer than before" }
    static func higherThanBefore(_ change: String) -> String { "\(change) higher than before" }
    static func lowerThanBefore(_ change: String) -> String { "\(change) lower than before" }
    static func shown(_ shown: String, of all: String) -> String { "\(shown) of \(all) are shown." }
    static func inOtherFormats(_ shown: String) -> String { "\(shown) CSV and JSON have all of them." }
    static func theOther(_ number: String, isOne: Bool) -> String {
        isOne ? "Show the other one" : "Show the other \(number)"
    }
    static func part(_ part: String, of whole: String) -> String { "\(part) of \(whole)" }

    /// States of a calendar's days, in the order of its key.
    static let states: [(name: String, title: String)] = [
        ("active", "active"), ("repaired", "repaired"), ("frozen", "frozen"), ("rest", "rest day"),
        ("missed", "missed"), ("open", "today"),
    ]

    static func wrongType(_ column: String, _ cell: Cell, _ type: ColumnType) -> String {
        let found =
            switch cell {
            case .null: "nothing"
            case .text(let text): "“\(text.prefix(40))”"
            case .number(let number): "\(number)"
            }
        let wanted =
            switch type {
            case .text: "text"
            case .number: "a number"
            case .percent: "a percentage, 0 to 100"
            case .date: "a date, YYYY-MM-DD"
            case .language: "a language's tag, such as pt-BR"
            case .duration: "a duration in milliseconds"
            }
        return "column `\(column)` has \(found) where it needs \(wanted)"
    }
}
