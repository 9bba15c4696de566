// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules
import Testing

/// A learner's events under some rules, passed to the fold.
struct Story {
    var rules: String
    var events: [Event]

    /// - Parameters:
    ///   - rules: a rules file without its version.
    ///   - events: events without an id are numbered.
    init(_ rules: String, _ events: [Event]) {
        self.rules = rules
        self.events = events.enumerated().map { index, event in
            var event = event
            if event.id.isEmpty { event.id = index < 10 ? "e0\(index)" : "e\(index)" }
            return event
        }
    }

    func plan() throws -> FoldPlan {
        FoldPlan(
            rules: try RuleSet(yaml: Array(("version: 1\n" + rules).utf8), file: "rules.yaml") {
                TimeZoneDatabase.shared.zone(named: $0) != nil
            }
        )
    }

    /// The state after the events up to an instant.
    /// - Parameter saves: true to fold events one by one, and to encode and decode the state after each.
    func state(_ plan: FoldPlan, until instant: Int64 = .max, saves: Bool = false) throws -> LearnerState {
        var table = EventTable()
        try table.append(events)
        let bound = PlannedTable(table, plan: plan)
        let rows = (0..<table.count).filter { table.milliseconds[$0] <= instant }
        let runs = rows.map { PlannedRows(bound: bound, rows: $0..<$0 + 1) }
        var fold = Fold(plan: plan)
        fold.noteCorrections(runs)
        for span in EventOrder.spans(runs) {
            guard saves else {
                fold.fold(span.bound, rows: span.rows)
                continue
            }
            for row in span.rows {
                fold.fold(span.bound, rows: row..<row + 1)
                let decoded: LearnerState? = LearnerState(decoding: fold.state.encoded(), plan: plan)
                let state = try #require(decoded)
                fold = Fold(plan: plan, state: state)
            }
        }
        return fold.state
    }

    func progress(at: String, language: String? = nil) throws -> Progress? {
        let plan = try plan()
        let instant = try Timestamp(at)
        return ProgressReader(plan: plan).progress(
            try state(plan, until: instant.milliseconds),
            subject: "ana",
            language: language,
            at: instant
        )
    }

    /// One word's schedule after all events.
    func word(_ id: String, language: String = "") throws -> WordState? {
        let plan = try plan()
        let vocabulary = try state(plan).vocabularies.first { $0.language == Array(language.utf8) }
        return vocabulary?.known.first { Array($0.word) == Array(id.utf8) }?.state
    }
}

func event(
    _ type: String,
    _ time: String,
    _ data: [String: JSONValue] = [:],
    language: String? = nil,
    session: String? = nil,
    timezone: String? = nil,
    id: String = "",
    source: String = "app"
) -> Event {
    Event(
        id: id,
        source: source,
        type: type,
        subject: "ana",
        time: try! Timestamp(time),
        language: language,
        session: session,
        timezone: timezone,
        data: data
    )
}

/// A row of a table: a story, and the expected progress at an instant.
struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let story: Story
    let at: String
    let language: String?
    let expected: [String: JSONValue]

    init(
        _ name: String,
        _ rules: String,
        _ events: [Event],
        at: String,
        language: String? = nil,
        _ expected: [String: JSONValue]
    ) {
        self.name = name
        story = Story(rules, events)
        self.at = at
        self.language = language
        self.expected = expected
    }

    var testDescription: String { name }

    /// Compares the results with the expected ones, also for another order of the events, and with the state saved
    /// after each event.
    func check() throws {
        let progress = try #require(try story.progress(at: at, language: language))
        let json = publicJSON(of: progress)
        for (path, value) in expected { #expect(Case.value(at: path, in: json) == value, "\(path)") }
        let plan = try story.plan()
        let fingerprint = try story.state(plan).fingerprint
        #expect(try story.state(plan, saves: true).fingerprint == fingerprint, "state saved after every event")
        var reversed = story
        reversed.events.reverse()
        #expect(try reversed.state(plan).fingerprint == fingerprint, "events told backwards")
    }

    /// The value at `xpBreakdown.dialog`, `metrics.lines` or `achievements.ID.tier`; nil if there is none.
    private static func value(at path: String, in progress: JSONValue) -> JSONValue? {
        path.split(separator: ".").reduce(Optional(progress)) { value, name in
            switch value {
            case .object(let members)?: members[String(name)]
            case .array(let elements)?:
                elements.first { element in
                    if case .object(let members) = element { members["id"] == .string(String(name)) } else { false }
                }
            default: nil
            }
        }
    }
}

extension JSONValue {
    static func count(_ count: Int) -> JSONValue { .integer(Int64(count)) }
}

/// Progress in its public JSON.
func publicJSON(of progress: FoldedProgress) -> JSONValue {
    JSONValue(validated: LearnerProgress(progress).json) ?? .null
}
