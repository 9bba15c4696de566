// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML
import Testing

@testable import LaurelRules

@Suite("Rule sets")
struct RuleSetTests {
    @Test("Absent sections")
    func absent() throws {
        let rules = try load("version: 1", file: "folder/plain.rules.yaml")
        #expect(rules.name == "plain")
        #expect(rules.source == Array("version: 1".utf8))
        #expect(rules.calendar == RulesCalendar())
        #expect(rules.metrics.isEmpty && rules.xpRules.isEmpty && rules.achievements.isEmpty)
        #expect(rules.streak == nil && rules.cefr == nil)
        #expect(rules.mastery == MasteryRule())
    }

    @Test("Administered fields are a set, and part of what the rules come to")
    func administered() throws {
        let one = try load("version: 1\nadministered: [leagues, displayName]")
        #expect(one.administered == ["displayName", "leagues"])
        #expect(one.foldedContent == (try load("version: 1\nadministered: [displayName, leagues]")).foldedContent)
        let none = try load("version: 1")
        #expect(none.administered == [] && none.foldedContent != one.foldedContent)
        #expect(
            RulesComparison(none, one).changes.map(\.description) == ["event type `learner.updated` is new"]
        )
        let other = try load("version: 1\nadministered: [leagues]")
        #expect(
            RulesComparison(one, other).changes.map(\.description)
                == ["event type `learner.updated`: `administered` was displayName, leagues, is leagues"]
        )
    }

    @Test("A declared administered field needs no rule that reads it")
    func administeredAlone() throws {
        let rules = try load("version: 1\nevents: {learner.updated: {vip: boolean}}\nadministered: [vip]")
        #expect(rules.warnings.isEmpty, "\(rules.warnings)")
    }

    @Test("A field that the catalogue has by now is an error in new rules, and the catalogue's in a store's")
    func declaredBefore() throws {
        for declaration in ["learner.updated: {leagues: text}", "league.finished: {room: text, extra: text}"] {
            let yaml = "version: 1\nevents: {\(declaration)}"
            #expect(throws: RulesError.self) { try load(yaml) }
            let stored = try RuleSet(checkedBefore: Array(yaml.utf8), file: "rules.yaml") { _ in true }
            #expect(stored.tests.isEmpty)
        }
    }

    @Test("Fields of administrators' types give way to one's own of the same name")
    func ownFieldsFirst() throws {
        let yaml = """
            version: 1
            events: {quest.finished: {room: text, parameters: number, item: number}}
            achievements:
              - {id: a, value: "event.room == 'a' ? event.parameters + event.item : 0", at_least: 1}
            """
        let rules = try load(yaml)
        #expect(Set(rules.layout.fields(for: "quest.finished").map(\.field.name)) == ["room", "parameters", "item"])
        #expect(rules.layout.fields(for: "league.finished").isEmpty)
        #expect(throws: RulesError.self) {
            try load(
                yaml.replacing("value: ", with: "value: total.n, when: ")
                    + "\nmetrics: {n: {sum: event.room, on: [quest.finished, league.finished]}}"
            )
        }
    }

    @Test("Every section is read")
    func sections() throws {
        let rules = try load(
            """
            version: 1
            calendar: {default_timezone: Europe/Berlin, day_starts_at: "04:30", week_starts_on: sunday}
            events: {quest.finished: {difficulty: number, kind: text, solo: boolean}}
            metrics:
              quests: {count: [quest.finished, team.won], where: event.solo, by: event.kind}
              top: {max: event.difficulty, on: quest.finished}
            streak: {when: day.quests > 0, freezes: {earn_every: 7, hold: 2}, rest_days: [saturday, sunday]}
            xp:
              - {id: quest, on: quest.finished, when: event.solo, award: 50, daily_cap: 100}
            mastery: {scheduler: fsrs, desired_retention: 0.8, mastery_days: [1, 2, 3, 4, 5], learned_at: 2}
            cefr: {score: total.top + level, bands: {A1: 0, A2: 1, B1: 2, B2: 3, C1: 4, C2: 5}}
            achievements:
              - {id: a, value: total.quests, at_least: [1, 10], xp: 5, hidden: true}
              - {id: b, value: total.quests, at_least: 3, requires: a, scope: language, when: local.hour < 6}
            """
        )
        #expect(
            rules.calendar == RulesCalendar(defaultTimezone: "Europe/Berlin", dayStartsAtMinutes: 270, weekStartsOn: 7)
        )
        #expect(rules.declaredTypes["quest.finished"] == ["difficulty": .number, "kind": .text, "solo": .boolean])
        #expect(rules.metrics.map(\.aggregate) == [.count, .max])
        #expect(rules.metrics[0].types.names == ["quest.finished", "team.won"])
        #expect(rules.metrics[0].key?.staticType == .text)
        let streak = try #require(rules.streak)
        #expect((streak.earnEvery, streak.hold) == (7, 2))
        #expect((1...7).filter { streak.isRestDay($0) } == [6, 7])
        #expect(rules.xpRules[0].bucket == "quest")
        #expect(rules.xpRules[0].award.constantNumber == 50)
        #expect(rules.xpRules[0].dailyCap == 100)
        #expect(rules.mastery.scheduler == .fsrs(weights: MasteryRule.defaultWeights, desiredRetention: 0.8))
        #expect(rules.cefr?.bands == [0, 1, 2, 3, 4, 5])
        #expect(rules.achievements[0].thresholds == [1, 10])
        #expect(rules.achievements[0].isHidden && rules.achievements[0].xp.single == 5)
        #expect(rules.achievements[1].requires == [0])
        #expect(rules.achievements[1].isPerLanguage)
    }

    @Test("The frame's layout")
    func layout() throws {
        let rules = try load(
            """
            version: 1
            metrics:
              lines: {count: line.spoken}
              good: {sum: event.accuracy, on: line.spoken, where: event.role == 'guide'}
            xp:
              - {id: a, on: repair.made, when: event.helped, award: week.xp + day.good + words.known + earned}
              - {id: b, on: word.encountered, award: event.count}
            """
        )
        let layout = rules.layout
        #expect(layout.trackNumberCount == 4 * 3 + 6)
        #expect(layout.slot(ofMetric: 1, in: .day) == 7)
        #expect(layout.slotOfXP(in: .week) == 11)
        #expect(layout.slot(of: .streakCurrent) == 12)
        #expect(layout.slot(of: .wordsMastered) == 17)
        #expect(layout.fields.map(\.name) == ["accuracy", "role", "helped", "count"])
        #expect(layout.fields.map(\.slot) == [12, 10, 13, 14])
        #expect((layout.eventNumberCount, layout.textCount) == (15, 11))
        #expect(layout.fields(for: "line.spoken").map(\.field.name) == ["accuracy", "role"])
        #expect(layout.fields(for: "repair.made").map(\.defaultNumber) == [1])
        #expect(layout.fields(for: "word.encountered").map(\.defaultNumber) == [1])
        #expect(layout.fields(for: "session.started").map(\.field.name) == ["role"])
        #expect(layout.fields(for: "never.heard.of").isEmpty)
        let slots = rules.xpRules[0].award.usedSlots.map(\.slot)
        #expect(slots == [.track(11), .track(7), .track(15), .event(0)])
    }

    @Test("Attributes win over fields of their name")
    func attributes() throws {
        let rules = try load("version: 1\nevents: {quest: {time: number}}\nmetrics: {a: {sum: event.time, on: quest}}")
        #expect(rules.layout.fields.map(\.name) == ["time"])
    }

    @Test("A test's events become CloudEvents, each scalar of the type of its field")
    func testEvents() throws {
        let rules = try load(
            """
            version: 1
            events: {quest: {kind: text, size: number}}
            tests:
              - name: types
                at: 2026-02-05T20:00:00Z
                events:
                  - {type: quest, time: 2026-02-05T18:00:00Z, session: 7, data: {kind: 12, size: 12, other: true, no: "1"}}
                  - {id: x, type: word.added, subject: l, time: T, data: {word: no, tags: [yes, 1], text: null}}
                expect: {totalXP: 10, language: no, estimatedCEFR: null, total.a: "1", xpBreakdown: {b: true}}
            """
        )
        let test = try #require(rules.tests.first)
        #expect(
            test.events.flatMap(\.cloudEvents) == [
                #"{"id":"test-1","time":"2026-02-05T18:00:00Z","source":"test","type":"quest","subject":"learner","#
                    + #""session":"7","data":{"kind":"12","size":12,"other":true,"no":"1"}}"#,
                #"{"id":"x","time":"T","source":"test","type":"word.added","subject":"l","#
                    + #""data":{"word":"no","tags":["yes","1"],"text":null}}"#,
            ]
        )
        #expect(test.at == "2026-02-05T20:00:00Z")
        #expect(test.expectations.map(\.path) == ["totalXP", "language", "estimatedCEFR", "total.a", "xpBreakdown.b"])
        #expect(test.expectations.map(\.value) == [.number(10), .text("no"), .null, .text("1"), .boolean(true)])
        #expect((test.expectations[0].position.line, test.expectations[0].position.column) == (9, 14))
    }
}
