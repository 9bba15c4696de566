// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import LaurelPostgreSQL
import LaurelStore
import Testing

@testable import Laurel

/// The primary server fails, and a standby that lags behind takes over while nodes serve.
@Suite(.enabled(if: DatabaseServer.binaries != nil)) struct FailoverTests {
    private let primary: DatabaseServer
    private let standby: DatabaseServer
    private let location: String
    /// The state that the standby should have.
    private let kept: Bench

    init() throws {
        let binaries = try #require(DatabaseServer.binaries)
        primary = try DatabaseServer(binaries, settings: ["fsync=on"])
        standby = try DatabaseServer(binaries, standbyOf: primary)
        location = primary.location(schema: "laurel", or: standby)
        kept = try Bench(.memory, rules: ClassRules.base)
        try PostgreSQLStore.create(location, partitions: 1)
    }

    private func ask(_ server: DatabaseServer, _ statements: String...) throws -> String {
        let connection = try DatabaseConnection([
            ("dbname", "host=\(server.folder) user=\(server.user) dbname=postgres")
        ])
        return try statements.reduce("") { _, sql in try connection.rows(sql).first?.string(0) ?? "" }
    }

    private func wait(_ server: DatabaseServer, for sql: String) throws {
        for _ in 0..<600 {
            if try ask(server, "SELECT (\(sql))::text") == "true" { return }
            usleep(50_000)
        }
        Issue.record("never true: \(sql)")
    }

    private func node() throws -> ProgressEngine {
        let store = try PostgreSQLStore(location, mode: .readWrite)
        return try ProgressEngine(store: store, rules: try Bench.load(ClassRules.base), clock: Bench.now)
    }

    private func event(_ id: Int, _ language: String = "es", by subject: String = "ana") -> String {
        let time = Timestamp.utc(1_767_225_600_000 + Int64(id) * 600_000)
        return line("\(id)", at: time, by: subject, data: #"{},"language":"\#(language)""#)
    }

    @discardableResult
    private func ingest(_ lines: [String], _ engine: ProgressEngine) throws -> IngestReport {
        try engine.ingest(Array(lines.joined(separator: "\n").utf8), now: Bench.now)
    }

    private func events(of learner: String, _ engine: ProgressEngine) throws -> Int? {
        try engine.learner(learner).progress(at: Bench.date)?.events
    }

    private func takeOver() throws {
        try primary.stop()
        try standby.promote()
    }

    private func expectKept(_ engine: ProgressEngine) throws {
        #expect(try engine.check().differences == [])
        #expect(try engine.fingerprint() == kept.soundFingerprint())
    }

    /// Events that the standby had not received are lost. Nodes that knew them must not continue as if they were
    /// stored.
    @Test func `after a failover to a standby that was behind, nodes know what it knows`() throws {
        let (engine, other) = (try node(), try node())
        defer { for engine in [engine, other] { engine.close() } }
        let first = (1...6).map { event($0) }
        try ingest(first, engine)
        try kept.ingest(first)
        try wait(
            standby,
            for: "SELECT pg_last_wal_replay_lsn() >= '\(try ask(primary, "SELECT pg_current_wal_lsn()::text"))'::pg_lsn"
        )
        _ = try ask(standby, "ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()::text")
        try wait(standby, for: "SELECT count(*) = 0 FROM pg_stat_wal_receiver")
        try ingest([event(7, "fr"), event(8, "fr"), event(9, by: "bo")], engine)
        #expect(try events(of: "ana", engine) == 8 && events(of: "bo", engine) == 1)
        let (lost, position) = (try engine.version(ofLearner: "ana"), try engine.changes(since: 0).commit)
        try takeOver()
        #expect(try events(of: "ana", engine) == 6)
        #expect(try events(of: "bo", engine) == nil)
        #expect(try engine.changes(since: position).everyone)

        // As many commits as before, but other ones.
        let next = [event(10, "it")]
        try ingest(next, other)
        try kept.ingest(next)
        #expect(try events(of: "ana", engine) == 7)
        #expect(try engine.version(ofLearner: "ana") != lost)
        #expect(try engine.changes(since: position).everyone)

        // Senders that still have these events send them again. A name that had a code only there gets a new code.
        #expect(try ingest([event(7, "fr")], engine).stored == 1)
        #expect(try ingest([event(7, "fr")], other).duplicates == 1)
        try kept.ingest([event(7, "fr")])
        #expect(try Set(other.learner("ana").languages(at: Bench.date)) == ["es", "fr", "it"])
        for engine in [engine, other] { try expectKept(engine) }
    }

    /// A commit that waited for the standby is there, even if the standby has not replayed it yet.
    @Test func `with a synchronous standby nothing that was acknowledged is lost`() throws {
        let engine = try node()
        defer { engine.close() }
        _ = try ask(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()::text")
        try wait(primary, for: "SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
        try ingest([event(0)], engine)
        _ = try ask(standby, "SELECT pg_wal_replay_pause()::text")
        try wait(standby, for: "SELECT pg_is_wal_replay_paused()")
        for id in 1...12 { #expect(try ingest([event(id)], engine).stored == 1) }
        #expect(try events(of: "ana", engine) == 13)
        try takeOver()
        try kept.ingest((0...12).map { event($0) })
        #expect(try events(of: "ana", engine) == 13)
        #expect(try ingest([event(12), event(11)], engine).duplicates == 2)
        try expectKept(engine)
    }
}
