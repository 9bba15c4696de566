// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore
import Testing

@testable import Laurel

/// Rules applied so that no learner's XP falls.
@Suite struct KeptXPTests {
    private static let end = try! Timestamp("2027-01-01T00:00:00Z")

    private func xp(_ bench: Bench) throws -> [String: Double] {
        var xp: [String: Double] = [:]
        try bench.engine.forEachOverview { overview in
            let subject = String(decoding: overview.learner.subject, as: UTF8.self)
            for (language, progress) in try bench.engine.allProgress(of: subject, at: Self.end) ?? [] {
                xp["\(subject) \(language ?? "*")"] = progress.numbers.xp
            }
        }
        return xp
    }

    @discardableResult private func apply(_ rules: String, to bench: Bench, at clock: Int64 = Bench.now) throws
        -> RulesApplication
    {
        var options = ApplyOptions(appliedAt: Timestamp(milliseconds: clock).date)
        options.keepsXP = true
        return try bench.engine.apply(ClassRules.load(rules), options: options)
    }

    /// As that of an event which a machine with other time zones stored.
    @Test func `what keeps XP and is no valid event is an error`() throws {
        let event = Event(
            id: "keep-xp:1:2",
            source: AchievementGrants.source,
            type: EventKind.xpDeclared.rawValue,
            subject: "ana",
            time: Self.end,
            timezone: "Atlantis/Capital",
            data: ["total": .integer(5)]
        )
        let error = #expect(throws: EngineError.self) { try EventTable(keeping: [event]) }
        #expect(error?.code == .invalidRequest && error?.message.contains("Atlantis/Capital") == true)
        #expect(error?.message.contains("ana") == true, "\(String(describing: error))")
    }

    @Test(arguments: Backend.allCases) func `no track of a class shows less`(backend: Backend) throws {
        let lower = ClassRules.base.replacing("award: 50", with: "award: 20")
        let bench = try Bench(backend, rules: ClassRules.base)
        try bench.ingest(simulated(learners: 12, days: 14, seed: 402))
        let before = try xp(bench)
        let plain = try Bench(.memory, rules: lower)
        try plain.ingest(bench.export())
        let without = try xp(plain)
        let losing = before.filter { without[$0.key]! < $0.value }
        #expect(losing.count > 10)
        let report = try apply(lower, to: bench)
        #expect(report.declared == losing.count && report.granted == 0)
        let after = try xp(bench)
        for (track, xp) in before { #expect(after[track]! >= xp, "\(track)") }
        // The recorded events are everything: any store with them gives the same numbers.
        let fresh = try Bench(.memory, rules: lower)
        try fresh.ingest(bench.export())
        #expect(try bench.soundFingerprint() == fresh.engine.fingerprint())
        // On the way back there is nothing to keep, and forth again neither.
        #expect(try apply(ClassRules.base, to: bench, at: Bench.now + 1).declared == 0)
        let again = try xp(bench)
        try apply(lower, to: bench, at: Bench.now + 2)
        for (track, xp) in again { #expect(try self.xp(bench)[track]! >= xp, "\(track)") }
        _ = try bench.soundFingerprint()
    }

    private static func rules(_ award: Int) -> String {
        "version: 1\nxp: [{id: line, on: line.spoken, award: \(award)}]\n"
    }

    /// Languages first, at the time of the last event and by its clock; after it, whatever its source is called.
    @Test(arguments: [("app", "2026-02-05T23:30:00+01:00"), ("~app", "2026-02-05T23:30:00.001+01:00")])
    func `what is declared comes last`(source: String, time: String) throws {
        let bench = try Bench(.sqlite, rules: Self.rules(10))
        let spoken = { (id: String, time: String, attribute: String) in
            line(id, at: time, source: source).replacing(#""subject""#, with: "\(attribute)\"subject\"")
        }
        try bench.ingest([
            spoken("1", "2026-02-04T10:00:00+01:00", #""language":"es","#),
            spoken("2", "2026-02-05T10:00:00+01:00", #""language":"de","#),
            spoken("3", "2026-02-05T23:30:00+01:00", #""timezone":"Europe/Berlin","#),
        ])
        #expect(try apply(Self.rules(4), to: bench).declared == 3)
        #expect(try xp(bench) == ["ana *": 30, "ana de": 10, "ana es": 10])
        let declared = try bench.export().map(JSONLine.init).filter { $0["type"] == "xp.declared" }.sorted {
            $0["id"] < $1["id"]
        }
        #expect(declared.map { $0["language"] } == ["de", "es", ""])
        #expect(Set(declared.map { $0["time"] + $0["timezone"] }) == [time + "Europe/Berlin"])
        let late = line("4", at: "2026-02-03T10:00:00Z")
        try bench.ingest([late])
        #expect(try xp(bench)["ana *"] == 30, "a late event is part of what was shown")
        _ = try bench.soundFingerprint()
    }

    @Test func `what is below zero is left alone`() throws {
        let bench = try Bench(.sqlite, rules: Self.rules(10))
        try bench.ingest([line("1"), line("2", "xp.adjusted", at: "2026-02-06T10:00:00Z", data: #"{"amount":-50}"#)])
        #expect(try apply(Self.rules(4), to: bench).declared == 0)
        #expect(try xp(bench) == ["ana *": -46])
    }
}
