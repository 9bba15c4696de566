// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import Testing

/// The learners' time, and the XP that it gave.
///
/// An event takes its `durationMs`, and the remaining pause before it, up to ten seconds. The end of a session takes no
/// time, because the events in the session have taken it.
struct Practice {
    enum Kind: String, CaseIterable {
        case alone = "dialogs alone"
        case together = "dialogs together"
        case reviews, conversations, scans
    }

    private struct Hours {
        var milliseconds = 0.0
        var events = 0
        /// The XP, by bucket.
        var xp: [String: Double] = [:]
    }

    private static let buckets = [
        "lines", "scenarios", "together", "words", "reviews", "conversations", "scans", "minutes",
    ]
    private static let bonuses = ["goals", "quests", "streak", "achievements"]

    private var hours: [Kind: Hours] = [:]
    private var activeDays = 0
    private var bonuses: [String: Double] = [:]

    init(_ bench: Bench) throws {
        var histories: [String: [JSONLine]] = [:]
        for line in try bench.export() {
            let event = try JSONLine(line)
            histories[event["subject"], default: []].append(event)
        }
        for (subject, events) in histories {
            let explained = try #require(
                try bench.engine.learner(subject, at: Practice.end).explainXP(at: Practice.end.date)
            )
            activeDays += Set(explained.events.map(\.event.day)).count
            add(events.sorted { $0.instant.milliseconds < $1.instant.milliseconds }, explained)
        }
    }

    private static let end = try! Timestamp("2027-06-01T00:00:00Z")

    private mutating func add(_ events: [JSONLine], _ explained: XPExplanation) {
        var modes: [String: Kind] = [:]
        for event in events where event["type"] == "session.started" {
            modes[event["session"]] = event.text("mode") == "solo" ? .alone : .together
        }
        var kinds: [[String]: Kind] = [:]
        var last: Int64?
        for event in events {
            let pause = last.map { Double(event.instant.milliseconds - $0) } ?? .infinity
            last = event.instant.milliseconds
            guard let kind = modes[event["session"]] ?? Practice.kind(of: event["type"]) else { continue }
            kinds[Array(event.identity[1...])] = kind
            let told = event["type"] == "session.ended" ? 0 : event.number("durationMs") ?? 0
            hours[kind, default: Hours()].milliseconds += told + min(max(pause - told, 0), 10_000)
            hours[kind]?.events += 1
        }
        for event in explained.events {
            for entry in event.entries where entry.amount != 0 {
                bonuses[entry.bucket, default: 0] += Double(entry.amount)
                guard let kind = kinds[[event.event.source, event.event.id]] else { continue }
                hours[kind]?.xp[entry.bucket, default: 0] += Double(entry.amount)
            }
        }
    }

    /// The kind of an event outside dialogs.
    private static func kind(of type: String) -> Kind? {
        switch type {
        case "review.graded", "word.learned": .reviews
        case "conversation.ended": .conversations
        case "object.scanned": .scans
        default: nil
        }
    }

    // MARK: As a table

    static let heading = line("an hour of", ["events", "XP"] + buckets)
    var rows: [String] { Kind.allCases.map { row($0, $0.rawValue) } }

    func row(_ kind: Kind, _ title: String) -> String {
        guard let spent = hours[kind] else { return title }
        let share = 3_600_000 / spent.milliseconds
        func text(_ number: Double) -> String { number == 0 ? "" : "\(Int((number * share).rounded()))" }
        let xp = Practice.buckets.map { spent.xp[$0] ?? 0 }
        return Practice.line(title, ([Double(spent.events), xp.reduce(0, +)] + xp).map(text))
    }

    /// An average day, in practice and in XP.
    var day: String {
        let minutes = hours.values.reduce(0) { $0 + $1.milliseconds } / 60_000 / Double(activeDays)
        func perDay(_ buckets: [String]) -> Int {
            Int((buckets.reduce(0) { $0 + (bonuses[$1] ?? 0) } / Double(activeDays)).rounded())
        }
        let rest = Practice.bonuses.map { "\(perDay([$0])) \($0)" }.joined(separator: ", ")
        return "a day: \((minutes * 10).rounded() / 10) minutes, \(perDay(Practice.buckets)) XP for practice; \(rest)"
    }

    private static func line(_ title: String, _ cells: [String]) -> String {
        let columns = zip(cells, ["events", "XP"] + buckets).map { cell, name in
            String(repeating: " ", count: max(name.count, 4) + 2 - cell.count) + cell
        }
        let text = title + String(repeating: " ", count: 16 - title.count) + columns.joined()
        return String(text.reversed().drop { $0 == " " }.reversed())
    }
}

extension JSONLine {
    private var data: [String: JSONValue] {
        guard case .object(let members) = value, case .object(let data)? = members["data"] else { return [:] }
        return data
    }

    fileprivate func text(_ field: String) -> String? { if case .string(let text)? = data[field] { text } else { nil } }

    fileprivate func number(_ field: String) -> Double? {
        switch data[field] {
        case .integer(let number)?: Double(number)
        case .double(let number)?: number
        default: nil
        }
    }
}
