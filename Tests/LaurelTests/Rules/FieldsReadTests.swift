// SPDX-License-Identifier: Apache-2.0

import LaurelProgress
import Laurel
import LaurelEvents
import LaurelRules
import LaurelStore
import Testing

/// Only the fields of `data` that rules read are decoded. With two rule sets at work, each must get its own fields.
@Suite struct FieldsReadTests {
    /// Rules of one XP rule and one achievement, which read one field.
    private static func rules(_ type: String, _ field: String, atLeast threshold: Int) -> String {
        """
        version: 1
        name: reads \(field)
        events:
          quest.finished: {effort: number, kind: text}
        metrics:
          read: {sum: "default(event.\(field), 0)", on: \(type)}
        xp:
          - {id: read, on: \(type), award: event.\(field)}
        achievements:
          - {id: reader, value: total.read, at_least: \(threshold), xp: 1000}

        """
    }

    /// Pairs of rules that read different fields.
    private static let pairs: [(name: String, old: String, new: String)] = [
        ("of the catalogue", rules("line.spoken", "words", atLeast: 60), rules("line.spoken", "errors", atLeast: 900)),
        (
            "of a declared type", rules("quest.finished", "effort", atLeast: 60),
            rules("line.spoken", "errors", atLeast: 900)
        ),
        (
            "from the catalogue to a declared type", rules("line.spoken", "words", atLeast: 60),
            rules("quest.finished", "effort", atLeast: 9000)
        ),
    ]

    private static let end = try! Timestamp("2027-01-01T00:00:00Z")

    /// So many events that each learner has some in blocks, from which fields are left out. The tail has all fields.
    private static func lines(_ prefix: String, _ month: String) -> [String] {
        ["ana", "bo", "cy"].flatMap { subject in
            (0..<70).map { number in
                let time = "2026-\(month)-\(String(number % 28 + 101).dropFirst())T10:00:00Z"
                let id = "\(prefix)\(number)"
                return number % 3 == 0
                    ? line(id, "quest.finished", at: time, by: subject, data: #"{"effort":4,"kind":"daily"}"#)
                    : line(id, at: time, by: subject, data: #"{"words":3,"errors":\#(number % 5),"text":"hola"}"#)
            }
        }
    }

    private static let before = lines("b", "02")

    private func bench(_ backend: Backend, _ rules: String) throws -> Bench {
        let bench = try Bench(backend, rules: rules)
        try bench.ingest(FieldsReadTests.before)
        try bench.use(rules: nil)
        return bench
    }

    private func fresh(_ lines: [String], _ rules: String) throws -> Bench {
        let bench = try Bench(.memory, rules: rules)
        try bench.ingest(lines)
        return bench
    }

    @Test(arguments: pairs.indices, [nil, 2]) func `a diff reads the fields of both`(pair: Int, sample: Int?) throws {
        let (name, old, new) = FieldsReadTests.pairs[pair]
        let bench = try bench(.sqliteTiny, old)
        let after = try fresh(FieldsReadTests.before, new)
        var options = DiffOptions(at: FieldsReadTests.end)
        options.sample = sample
        let diff = try bench.engine.diff(ClassRules.load(new), options: options)
        #expect(diff.learners.count == sample ?? 3, "\(name)")
        for learner in diff.learners {
            let xp = try [bench, after].map {
                try $0.engine.progress(of: learner.learner, language: nil, at: FieldsReadTests.end)?.numbers.xp
            }
            #expect(
                [learner.tracks[0].before.totalXP, learner.tracks[0].after.totalXP] == xp.map { $0.map { Int($0) } },
                "\(name)"
            )
            #expect(xp.allSatisfy { $0 ?? 0 > 0 })
        }
    }

    @Test(arguments: pairs.indices, [false, true])
    func `so does an application, and what it catches up with`(pair: Int, keeping: Bool) throws {
        let (name, old, new) = FieldsReadTests.pairs[pair]
        let bench = try bench(.sqliteTiny, old)
        let writer = try bench.second()
        var options = ApplyOptions(appliedAt: Bench.date)
        options.keepsAchievements = keeping
        // The changes are followed beside the writer, then while the writer waits, then in the last transaction.
        (options.pace.rowsPerTurn, options.pace.eventsAtLast, options.pace.rounds) = (1, 0, 3)
        var given = FieldsReadTests.before
        var failure: (any Error)?
        let months = ["01", "03", "04"]
        let report = try bench.engine.apply(ClassRules.load(new), options: options) { _ in
            guard given.count / FieldsReadTests.before.count <= months.count, failure == nil else { return }
            let month = months[given.count / FieldsReadTests.before.count - 1]
            let more = FieldsReadTests.lines("m\(month)-", month)
            do { try writer.ingest(more) } catch { failure = error }
            given += more
        }
        if let failure { throw failure }
        #expect(given.count == 4 * FieldsReadTests.before.count)
        #expect(report.granted == (keeping ? 3 : 0), "\(name)")
        #expect(try bench.soundFingerprint() == fresh(bench.export(), new).engine.fingerprint(), "\(name)")
        for subject in ["ana", "bo", "cy"] {
            let progress = try #require(
                try bench.engine.progress(of: subject, language: nil, at: FieldsReadTests.end)
            )
            #expect(progress.achievements[0].tier == (keeping ? 1 : 0), "\(name)")
            #expect(progress.numbers.xp > (keeping ? 1000 : 0))
        }
    }
}
