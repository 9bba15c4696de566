// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore
import Testing

/// The list of a store's versions of the rules.
@Suite struct RuleVersionsTests {
    private static let one = "version: 1\nname: one\nxp: [{id: a, on: line.spoken, award: 1}]\n"
    private static let ten = "version: 1\nname: ten\nxp: [{id: a, on: line.spoken, award: 10}]\n"
    private static let now = try! Timestamp("2026-02-20T12:00:00Z")

    private static let practice = [
        line("1", at: "2026-02-09T10:00:00Z"), line("2", at: "2026-02-10T10:00:00Z"),
        line("3", at: "2026-02-11T10:00:00Z", by: "ben"),
    ]

    private static func day(_ text: String) throws -> LocalDay { try #require(LocalDay(parsing: text.utf8)) }

    private func bench(_ backend: Backend) throws -> Bench {
        let bench = try Bench(backend, rules: Self.one)
        try bench.ingest(Self.practice)
        return bench
    }

    private func apply(_ rules: String, from day: String?, to bench: Bench) throws -> RulesApplication {
        try bench.engine.apply(
            Rules(yaml: rules),
            from: day.map { try Self.day($0) },
            options: ApplyOptions(appliedAt: Self.now.date)
        )
    }

    private func xp(_ bench: Bench, _ subject: String = "ana") throws -> Double? {
        try bench.engine.progress(of: subject, language: nil, at: Self.now)?.numbers.xp
    }

    @Test(arguments: Backend.allCases) func `the past stays`(backend: Backend) throws {
        let bench = try bench(backend)
        #expect(try apply(Self.ten, from: "2026-02-10", to: bench).version == 2)
        #expect(try xp(bench) == 11)
        #expect(try xp(bench, "ben") == 10)
        #expect(try bench.engine.check().differences == [])
        let present = try bench.engine.rulesInForce()
        #expect(present.map(\.name) == ["one", "ten"])
        #expect(present.map(\.from?.description) == [nil, "2026-02-10"])
        #expect(try apply(Self.ten, from: "2026-02-10", to: bench).method == .nothing)
    }

    @Test(arguments: Backend.allCases) func `a version takes the place of those of its day and later ones`(
        backend: Backend
    ) throws {
        let bench = try bench(backend)
        for day in ["2026-02-10", "2026-02-12", "2026-02-11"] { _ = try apply(Self.ten, from: day, to: bench) }
        #expect(try bench.engine.rulesInForce().map(\.from?.description) == [nil, "2026-02-10", "2026-02-11"])
        #expect(try bench.engine.rulesHistory().map(\.isInForce) == [true, true, false, true])
        _ = try apply(Self.ten, from: nil, to: bench)
        #expect(try bench.engine.rulesInForce().map(\.version) == [5])
        #expect(try xp(bench) == 20)
    }

    @Test(arguments: Backend.allCases) func `from before the first event it is as if they had replaced the others`(
        backend: Backend
    ) throws {
        let (dated, replaced) = (try bench(backend), try bench(backend))
        _ = try apply(Self.ten, from: "2026-01-01", to: dated)
        _ = try apply(Self.ten, from: nil, to: replaced)
        #expect(try dated.engine.fingerprint() == replaced.engine.fingerprint())
    }

    @Test(arguments: Backend.allCases) func `a version to come changes nothing, and can be withdrawn`(
        backend: Backend
    ) throws {
        let bench = try bench(backend)
        let before = try bench.engine.fingerprint()
        let progress = try bench.engine.allProgress(of: "ana", at: Self.now)?.map(\.progress.numbers.xp)
        _ = try apply(Self.ten, from: "2026-02-22", to: bench)
        #expect(try bench.engine.fingerprint() == before)
        #expect(try bench.engine.allProgress(of: "ana", at: Self.now)?.map(\.progress.numbers.xp) == progress)
        #expect(try bench.engine.check().differences == [])
        let report = try bench.engine.withdraw(
            from: Self.day("2026-02-22"),
            options: ApplyOptions(appliedAt: Self.now.date)
        )
        #expect(report.version == 1)
        #expect(try bench.engine.rulesInForce().map(\.version) == [1])
        #expect(try bench.engine.rulesHistory().map(\.isInForce) == [true, false])
        #expect(try bench.engine.fingerprint() == before)
    }

    @Test(arguments: [("2026-02-20T09:59:59Z", true), ("2026-02-20T10:00:00Z", false)])
    func `it cannot be withdrawn once it is in force anywhere`(clock: String, isToCome: Bool) throws {
        let bench = try bench(.memory)
        _ = try apply(Self.ten, from: "2026-02-21", to: bench)
        let options = ApplyOptions(appliedAt: try Timestamp(clock).date)
        if isToCome {
            _ = try bench.engine.withdraw(from: Self.day("2026-02-21"), options: options)
        } else {
            #expect { try bench.engine.withdraw(from: Self.day("2026-02-21"), options: options) } throws: {
                ($0 as? EngineError)?.code == .notWithdrawable
            }
        }
        #expect { try bench.engine.withdraw(from: Self.day("2026-03-01"), options: options) } throws: {
            ($0 as? EngineError)?.code == .notWithdrawable
        }
    }

    @Test func `progress names the version`() throws {
        let bench = try bench(.memory)
        #expect(try bench.engine.progress(of: "ana", language: nil, at: Self.now)?.rules == nil)
        _ = try apply(Self.ten, from: "2026-02-11", to: bench)
        let versions = try ["ana", "ben"].map { try bench.engine.progress(of: $0, language: nil, at: Self.now)?.rules }
        #expect(versions.map(\.?.name) == ["one", "ten"])
        #expect(versions.map(\.?.from) == [nil, "2026-02-11"])
    }
}
