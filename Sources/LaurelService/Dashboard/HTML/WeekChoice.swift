// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports
import LaurelWire

/// The week that a page shows. Its numbers are compared with those of the week before. If the week has not ended, only
/// the same days of the week before are compared.
struct WeekChoice {
    /// The number of weeks that can be chosen from the list. An earlier week can be named in the address.
    private static let offered = 26
    /// The maximum number of weeks between the week that a page shows and the present week.
    private static let most = 520

    /// The week as the address names it; nil for the present week.
    let name: String?
    /// The number of weeks before the present week.
    let weeksAgo: Int
    private let present: LocalDay
    private let engine: ProgressEngine

    /// - Parameter named: the value of the address: `this`, `last`, a date or an ISO 8601 week.
    init(_ named: String?, _ visit: Visit) throws {
        engine = visit.engine
        present = try engine.week(of: visit.now)
        let first = try named.map { [engine] in try engine.week(named: $0, at: visit.now) } ?? present
        name = first == present ? nil : named
        weeksAgo = Int(present.number - first.number) / 7
        guard (0...Self.most).contains(weeksAgo) else {
            throw Problem.badRequest("week must be within the last ten years, and not in the future")
        }
    }

    /// The first day of the week, by the rules' clock.
    var first: LocalDay { LocalDay(number: present.number - Int32(7 * weeksAgo)) }

    var title: PageText {
        switch weeksAgo {
        case 0: "This week"
        case 1: "Last week"
        default: "\(WrittenText.week(first))"
        }
    }

    var comparison: PageText {
        weeksAgo == 0 ? "Compared with the same days of the week before." : "Compared with the week before."
    }

    /// The weeks to choose from, with their values in the address.
    fileprivate var choices: [(value: String, title: PageText)] {
        let weeks = (0..<Self.offered).map { LocalDay(number: present.number - Int32(7 * $0)) }
        var choices = weeks.enumerated().map { place, week -> (value: String, title: PageText) in
            switch place {
            case 0: ("this", "This week")
            case 1: ("last", "Last week")
            default: (engine.weekName(week), "\(WrittenText.week(week))")
            }
        }
        if weeksAgo >= Self.offered { choices.append((value: engine.weekName(first), title: title)) }
        return choices
    }

    fileprivate var chosen: String {
        switch weeksAgo {
        case 0: "this"
        case 1: "last"
        default: engine.weekName(first)
        }
    }
}

/// Form fields whose choices come from the store.
extension HTML {
    /// Writes the field to choose a week. All pages use this field.
    mutating func choice(_ week: WeekChoice) {
        choice("Week", name: "week", week.choices, chosen: week.chosen)
    }

    /// Writes a field for a learner, with a list of learners by name. If the list is not complete, a script requests
    /// the learners that match the typed text.
    mutating func learnerField(_ members: [ClassMember], value: String?, help: PageText, isRequired: Bool) {
        let most = 200
        element("div", ["class": "field"]) { field in
            field.element("label", ["for": "f-learner"], text: "Learner")
            field.void(
                "input",
                [
                    "id": "f-learner", "name": "learner", "value": value, "list": "learners", "autocomplete": "off",
                    "spellcheck": "false", "aria-describedby": "h-learner", "required": isRequired ? "" : nil,
                    "data-suggest": members.count > most ? "/v1/class" : nil,
                ]
            )
            field.element("datalist", ["id": "learners"]) { list in
                for member in members.prefix(most) {
                    list.element("option", ["value": member.id], text: (member.displayName ?? member.id).shortened)
                }
            }
            field.element("p", ["id": "h-learner", "class": "help"], text: help)
        }
    }
}
