// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelReports
import LaurelWire

/// A form that sends an administrator's event about a learner. To offer another type of event, add an entry to ``all``.
struct DecreeForm: Sendable {
    /// The value that the form asks for, besides the reason.
    enum Input: Sendable {
        case day, freezes, amount, achievement
    }

    /// The form's name in addresses.
    let name: String
    /// The type of the event, such as `xp.adjusted`.
    let type: String
    /// The title of the page, and the text of the button that sends the form.
    let title: PageText
    let explanation: PageText
    let input: Input
    /// True if the page asks for confirmation, because the event may take something from the learner.
    var asksFirst = false

    static let all = [
        DecreeForm(
            name: "repair",
            type: "streak.repaired",
            title: "Repair the streak",
            explanation: "A missed day counts as active, so the streak goes on.",
            input: .day
        ),
        DecreeForm(
            name: "freeze",
            type: "streak.frozen",
            title: "Freeze a day",
            explanation: "If the learner misses the day, the streak neither breaks nor grows. The day may lie ahead.",
            input: .day
        ),
        DecreeForm(
            name: "give-freezes",
            type: "freeze.granted",
            title: "Give streak freezes",
            explanation: "Each freeze protects the streak on one missed day. The rules limit how many are held.",
            input: .freezes
        ),
        DecreeForm(
            name: "adjust",
            type: "xp.adjusted",
            title: "Adjust XP",
            explanation: "The amount is added to the XP. A negative amount takes XP away.",
            input: .amount
        ),
        DecreeForm(
            name: "grant",
            type: "achievement.granted",
            title: "Grant an achievement",
            explanation: "All tiers of the achievement are unlocked, with their rewards.",
            input: .achievement
        ),
        DecreeForm(
            name: "revoke",
            type: "achievement.revoked",
            title: "Revoke an achievement",
            explanation: "The achievement is locked again, and stays locked until it is granted.",
            input: .achievement,
            asksFirst: true
        ),
    ]

    /// The title of the form that sends events of a type; nil if no form sends them.
    static func title(ofType type: String) -> PageText? { all.first { $0.type == type }?.title }

    /// The source of events that are sent from a page.
    static let source = "laurel/dashboard"

    /// The event that filled-in fields describe.
    /// - Throws: a problem if a field is missing or invalid.
    func event(_ fields: Fields, for id: String, timeZone: String?, at date: Date) throws(Problem) -> Event {
        var data: [String: JSONValue] = [:]
        var language: String?
        switch input {
        case .day:
            guard let text = fields["day"], let day = LocalDay(parsing: text.utf8) else {
                throw Self.invalid("choose a day, such as 2026-04-05")
            }
            data["date"] = .string(day.description)
        case .freezes:
            guard let count = fields.number("count"), (1...100).contains(count) else {
                throw Self.invalid("give 1 to 100 freezes")
            }
            data["count"] = .integer(Int64(count))
        case .amount:
            guard let amount = fields.number("amount"), amount != 0 else {
                throw Self.invalid("the amount of XP is a whole number, such as 50 or -50")
            }
            data["amount"] = .integer(Int64(amount))
        case .achievement:
            guard let choice = fields["achievement"].flatMap(AchievementChoice.init) else {
                throw Self.invalid("choose an achievement")
            }
            data["achievement"] = .string(choice.id)
            language = choice.language
        }
        if let reason = fields["reason"] { data["reason"] = .string(reason) }
        return Self.event(type, data, number: fields["number"], for: id, language: language, timeZone, at: date)
    }

    /// An event about a learner, by the learner's clock.
    /// - Parameter number: a number that the form contains; nil to make a new number. It becomes the event's id, so a
    ///   form that is sent twice counts once.
    static func event(
        _ type: String,
        _ data: [String: JSONValue],
        number: String?,
        for id: String,
        language: String? = nil,
        _ timeZone: String?,
        at date: Date
    ) -> Event {
        let offset = timeZone.flatMap { WrittenOffset($0) }
        return Event(
            id: number ?? newNumber(),
            source: source,
            type: type,
            subject: id,
            time: Timestamp(milliseconds: date.milliseconds, offset: offset ?? .zulu),
            language: language,
            timezone: offset == nil ? timeZone : nil,
            data: data
        )
    }

    static func newNumber() -> String { Secrets.random(8).hexadecimal }

    private static func invalid(_ detail: String) -> Problem { Problem(422, "invalid-form", detail) }
}

/// An achievement as the value of a form's field: the language or `*`, a space, and the id.
struct AchievementChoice {
    let id: String
    let language: String?

    init(id: String, language: String?) { (self.id, self.language) = (id, language) }

    init?(_ value: String) {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        (id, language) = (String(parts[1]), parts[0] == "*" ? nil : String(parts[0]))
    }

    var value: String { "\(language ?? "*") \(id)" }
}
