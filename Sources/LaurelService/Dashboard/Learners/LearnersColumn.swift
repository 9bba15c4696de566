// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelReports

/// A column of the list of learners. The reader chooses which columns the list shows beside the name.
enum LearnersColumn: String, CaseIterable, Sendable {
    case streak, practice, risk, level, week, before, xp, words, languages, cohort

    /// The columns that are shown if the reader chose none.
    static let usual: [LearnersColumn] = [.streak, .practice, .risk, .level, .week, .languages, .cohort]

    /// The chosen columns in the order of the list.
    /// - Parameter texts: names of columns, or several names separated by commas. Other names are ignored.
    static func chosen(_ texts: [String]) -> [LearnersColumn] {
        let names = Set(texts.flatMap { $0.split(separator: ",").map(String.init) })
        let chosen = allCases.filter { names.contains($0.rawValue) }
        return chosen.isEmpty ? usual : chosen
    }

    func title(_ week: WeekChoice) -> PageText {
        switch self {
        case .streak: "Streak"
        case .practice: "Last practice"
        case .risk: "At risk"
        case .level: "Level"
        case .week: week.weeksAgo == 0 ? "XP this week" : "XP of the week"
        case .before: week.weeksAgo == 0 ? "XP, same days last week" : "XP of the week before"
        case .xp: "XP of all time"
        case .words: "Words learned"
        case .languages: "Languages"
        case .cohort: "Cohort"
        }
    }

    /// The order by which the heading of the column sorts; nil if the list cannot be sorted by the column.
    var order: ClassQuery.Order? {
        switch self {
        case .streak: .streak
        case .practice: .recent
        case .risk: .risk
        case .level: .level
        case .week: .week
        case .before, .xp, .words, .languages, .cohort: nil
        }
    }

    var isNumber: Bool { [.streak, .level, .week, .before, .xp, .words].contains(self) }

    /// Writes a learner's cell.
    func write(_ member: ClassMember, _ visit: Visit, _ tr: inout HTML) {
        switch self {
        case .streak:
            tr.element("td", ["class": "n"]) { cell in
                let days = member.streak
                cell.element("data", ["value": "\(days)"], text: days > 0 ? "\(days, "day")" : "–")
            }
        case .practice:
            tr.element("td") { cell in
                if let last = member.lastPracticeAt { cell.time(last, now: visit.now) } else { cell.write("–") }
            }
        case .risk:
            tr.element("td") { cell in
                let weeks = member.weeksAway(at: visit.now)
                if member.isAtRisk { cell.badge("ends tonight", "warn") }
                if weeks > 0 { cell.badge("away for \(weeks, "week")", "bad") }
            }
        case .level: tr.number(member.level)
        case .week: tr.number(member.weekXP)
        case .before: tr.number(member.sameDaysXP)
        case .xp: tr.number(member.xp)
        case .words: tr.number(member.wordsLearned)
        case .languages:
            tr.element("td", ["class": "tags"]) { cell in
                let most = TableExport.isRequested ? member.languages.count : 6
                cell.element("bdi", text: member.languages.prefix(most).joined(separator: ", ").shortened)
            }
        case .cohort: tr.dataCell(member.cohort)
        }
    }
}
