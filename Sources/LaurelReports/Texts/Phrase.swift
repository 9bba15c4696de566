// SPDX-License-Identifier: Apache-2.0

/// THE list of texts in reports, except the texts in the reports' files. Translations are found by the English text.
enum Phrase: String, CaseIterable, Sendable {
    case nothing = "Nothing to show yet."
    case everyone = "Everyone"
    case table = "Table"
    case count = "Count"
    case below = "Below"
    case less = "less"
    case more = "more {unit}"
    case bothEqual = "both equal"
    case learner = "Learner"
    case learners = "Learners"
    case name = "Name"
    case weekXP = "XP of the week"
    case streak = "Streak"
    case level = "Level"
    case file = "File"
    case why = "Why"
    case away = "no practice this week"
    case behind = "half their usual days, or fewer"
    case stuck = "stuck on the same words"
    case streakLost = "streak ended"
    case back = "back after a break"
    case wholeClass = "All together"
    case pages = "Pages"
    case page = "Page {page} of {pages}"
    case earlier = "Previous page"
    case later = "Next page"
    case other = "Other"

    case named = "{title}: {text}"
    case from = "{title} from"
    case week = "Week {week}"
    case asOf = "As of {time}"
    case unfinished = "{period}, so far"
    case sameDays = "compared with the same days of the week before"
    case cohort = "Cohort {name}"
    case inLanguage = "in {language}"
    case part = "{part} of {whole}"
    case ofStepBefore = "{share} of the step before"
    case shown = "{shown} of {all} are shown."
    case inOtherFormats = "CSV and JSON have all of them."
    case hello = "Hello,"
    case helloNamed = "Hello {name},"
    case upTo = "up to {day}"
    case upToInLanguage = "in {language}, up to {day}"
    case practise = "Practise now"
    case wholeReport = "See the whole report"
    case unsubscribe = "Stop these messages"
    case asCSV = "All of them are in the CSV file."
    case showOther = "Show the other one"
    case showOthers = "Show the other {count}"
    case showNext = "Show the next {count}"

    case sameAsBefore = "same as before"
    case moreThanBefore = "{change} more than before"
    case lessThanBefore = "{change} less than before"
    case fewerThanBefore = "{change} fewer than before"
    case higherThanBefore = "{change} higher than before"
    case lowerThanBefore = "{change} lower than before"

    case hoursAndMinutes = "{hours} h {minutes} min"
    case minutes = "{n} min"
    case seconds = "{n} s"
    case minutesOnAxis = "min"

    case active = "active"
    case repaired = "repaired"
    case frozen = "frozen"
    case rest = "rest day"
    case missed = "missed"
    case open = "today"

    /// The states of a calendar's days, in the order of the calendar's key.
    static let states: [(name: String, title: Phrase)] = [
        ("active", .active), ("repaired", .repaired), ("frozen", .frozen), ("rest", .rest), ("missed", .missed),
        ("open", .open),
    ]

    /// The unit of differences between percentages: from 80 % to 84 % is four points, not four percent.
    static let points = ColumnUnit(one: "point", other: "points")
    static let xp = ColumnUnit(one: "XP", other: "XP")
    static let days = ColumnUnit(one: "day", other: "days")

    /// The units among the phrases.
    static let units = [points, xp, days]
}
