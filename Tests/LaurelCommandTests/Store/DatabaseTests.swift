// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Foundation
import Laurel
import Testing

/// A store in PostgreSQL, from its operator's view.
@Suite(.enabled(if: DatabaseServer.binaries != nil, "there is no PostgreSQL on this machine"))
struct DatabaseTests {
    private let server = DatabaseServer.shared!
    private let location: String

    init() throws { location = try server.newDatabase() }

    /// The address of the store for another user.
    private func location(of user: String) -> String {
        location.replacing("user=\(server.user)", with: "user=\(user)")
    }

    /// The name of a new role. Roles belong to the whole server, so each test has its own.
    private func newRole() -> String { "role_" + UUID().uuidString.lowercased().replacing("-", with: "") }

    private func status(_ laurel: Laurel, _ location: String) throws -> StoreStatus {
        try LaurelJSON.decode(
            StoreStatus.self,
            from: Data(try laurel.run("store", "status", "--json", location).output.utf8)
        )
    }

    private func sql(_ laurel: Laurel, as user: String, _ statement: String) throws -> Laurel.Outcome {
        let (host, binaries) = (server.folder, DatabaseServer.binaries!)
        return try laurel.shell(
            "\(binaries)/psql -XAtq -h \(host) -U \(user) -d \(DatabaseServer.database(of: location)) -c \"\(statement)\""
        )
    }

    /// The statement that drops the columns of a table that later formats added.
    /// - Parameter column: the last column of the older format.
    private func dropColumns(of table: String, after column: String) -> String {
        let columns = "pg_attribute WHERE attrelid = ''\(schema).\(table)''::regclass"
        return "DO 'DECLARE late text; BEGIN"
            + " FOR late IN SELECT attname FROM \(columns) AND NOT attisdropped"
            + " AND attnum > (SELECT attnum FROM \(columns) AND attname = ''\(column)'')"
            + " LOOP EXECUTE ''ALTER TABLE \(schema).\(table) DROP COLUMN '' || late; END LOOP; END';"
    }

    private var schema: String { String(location.split(separator: "schema=").last!) }

    @Test func `a store is made once, and says what it holds`() throws {
        let laurel = try Laurel()
        let none = try laurel.run("store", "status", location)
        #expect(none.status == 1 && none.output.contains("none: there is no store"))
        #expect(try laurel.run("learners", "--store", location).status == 2)
        #expect(try laurel.run("store", "create", location).status == 0)
        let again = try laurel.run("store", "create", location)
        #expect(again.status == 2 && again.messages[0].contains("already"), "\(again)")
        #expect(try laurel.run("store", "create", "--if-not-exists", location).status == 0)
        try laurel.write(Laurel.events, to: "events.ndjson")
        let now = "2026-03-01T00:00:00Z"
        #expect(try laurel.run("ingest", "--store", location, "--now", now, "events.ndjson").status == 0)
        let status = try status(laurel, location)
        #expect(status.events == 9 && status.learners == 2 && status.format == status.newestFormat)
        #expect(status.warnings.isEmpty, "\(status.warnings)")
        let database = try #require(status.database)
        #expect(database.schema == schema && database.rights == "owner" && database.writes > 0)
        #expect(database.sizes.reduce(0) { $0 + $1.bytes } == status.bytes)
        #expect(try laurel.run("store", "migrate", location).messages[0].hasSuffix("there is nothing to do"))
        let doctor = try laurel.run("doctor", "--store", location)
        #expect(doctor.status == 0 && doctor.output.contains("ok     database"), "\(doctor)")
    }

    @Test func `a writer may use the store, a reader its views, and neither anything else`() throws {
        let laurel = try Laurel()
        let (writer, reader) = (newRole(), newRole())
        let made = try laurel.run("store", "create", "--writer", writer, "--reader", reader, location)
        #expect(made.status == 0, "\(made)")
        try laurel.write(Laurel.events, to: "events.ndjson")
        let here = location(of: writer)
        let commands = [
            ["ingest", "--now", "2026-03-01T00:00:00Z", "events.ndjson"], ["learners"], ["progress", "anna"],
            ["keys", "add", "--scope", "read"], ["replay"],
            ["replay", "--check"], ["verify"], ["quarantine", "drop", "--all"],
        ]
        for words in commands {
            let outcome = try laurel.run(words + ["--store", here])
            #expect(outcome.status == 0, "\(words): \(outcome)")
        }
        let applied = try laurel.run("rules", "apply", "--yes", "rules.yaml", "--store", here)
        #expect(applied.status == 3 && applied.messages[0].contains("may not do that"), "\(applied)")
        #expect(try laurel.run("rules", "apply", "--yes", "rules.yaml", "--store", location).status == 0)
        #expect(try laurel.run("replay", "--check", "--store", here).status == 0)
        #expect(try status(laurel, here).database?.rights == "writer")
        #expect(try sql(laurel, as: writer, "DROP TABLE \(schema).learners").status == 1)
        #expect(try sql(laurel, as: writer, "ALTER TABLE \(schema).learners ADD x int").status == 1)

        let view = "SELECT count(*) FROM \(schema)"
        #expect(try sql(laurel, as: reader, "\(view).progress").output == "3\n")
        for table in ["learners", "tail", "settings", "rules"] {
            #expect(try sql(laurel, as: reader, "\(view).\(table)").status == 1, "\(table)")
        }
        #expect(try sql(laurel, as: reader, "DELETE FROM \(schema).progress").status == 1)
        let asReader = try laurel.run("learners", "--store", location(of: reader))
        #expect(asReader.status == 3 && asReader.messages[0].contains("may not do that"), "\(asReader)")
    }

    @Test func `a writer erases, and goes on writing although only the owner may vacuum`() throws {
        let laurel = try Laurel()
        let writer = newRole()
        try laurel.run("store", "create", "--writer", writer, location)
        try laurel.write(Laurel.events, to: "events.ndjson")
        let here = location(of: writer)
        try laurel.run("ingest", "--store", here, "--now", "2026-03-01T00:00:00Z", "events.ndjson")
        let erased = try laurel.run("erase", "anna", "--yes", "--store", here)
        if erased.status != 0 {
            // Before PostgreSQL 17.
            #expect(erased.status == 3 && erased.messages[0].contains("only the tables' owner may vacuum"), "\(erased)")
        }
        #expect(try laurel.run("learners", "--store", here).output.contains("anna") == false)
        let added = try laurel.run("keys", "add", "--scope", "read", "--store", here)
        #expect(added.status == 0, "what was erased before is not this write's to tell: \(added)")
        #expect(try laurel.run("keys", "list", "--store", location).status == 0)
        #expect(try laurel.run("keys", "add", "--scope", "read", "--store", location).status == 0)
        let pending = try sql(laurel, as: server.user, "SELECT count(*) FROM \(schema).buckets WHERE erasure_pending")
        #expect(pending.output == "0\n", "the owner's write finishes it")
    }

    @Test func `who may not make roles is told what to have run`() throws {
        let laurel = try Laurel()
        let writer = newRole()
        try laurel.run("store", "create", "--writer", writer, location)
        let outcome = try laurel.run("store", "create", "--reader", newRole(), location(of: writer))
        #expect(outcome.status == 3 && outcome.messages[0].contains("have somebody run: CREATE ROLE"), "\(outcome)")
    }

    private static let secret = "s3cret"
    private static let addresses = [
        "postgresql://anna:\(secret)@127.0.0.1:1/laurel", "postgresql://anna:\(secret)?x@127.0.0.1:1/laurel",
        "postgresql://127.0.0.1:1/laurel?user=anna&password=\(secret)", "postgresql://anna:\(secret)@[bad/laurel",
        "postgres://anna:\(secret)@127.0.0.1:1/laurel?schema=Ä",
        "postgresql://anna:\(secret)@127.0.0.1:1/laurel?nonsense=1",
    ]

    @Test func `a store of the former format is brought up by its owner, and its users keep their rights`() throws {
        let laurel = try Laurel()
        let (writer, reader) = (newRole(), newRole())
        let made = try laurel.run("store", "create", "--writer", writer, "--reader", reader, location)
        #expect(made.status == 0, "\(made)")
        try laurel.write(Laurel.events, to: "events.ndjson")
        let ingest = ["ingest", "--now", "2026-03-01T00:00:00Z", "events.ndjson", "--store", location]
        #expect(try laurel.run(ingest).status == 0)
        let print = try laurel.run("fingerprint", "--store", location).output
        // The state that the second format left.
        let back =
            "DROP VIEW \(["learner_profiles", "progress", "daily", "achievements", "goals", "balances"].map { "\(schema).\($0)" }.joined(separator: ", "));"
            + dropColumns(of: "progress_rows", after: "metrics") + dropColumns(of: "daily_rows", after: "active")
            + " DROP TABLE \(schema).notes, \(schema).merges, \(schema).group_learners;"
            + " ALTER TABLE \(schema).learners DROP COLUMN leaderboard;"
            + ["progress", "daily", "achievements"].map {
                " CREATE VIEW \(schema).\($0) AS SELECT learner AS learner_id FROM \(schema).progress_rows;"
            }.joined()
            + " GRANT SELECT ON \(schema).progress TO \(reader); UPDATE \(schema).meta SET value = 2 WHERE name = 'format'"
        #expect(try sql(laurel, as: server.user, back).status == 0)
        for words in [["learners", "--store", location], ingest] {
            let refused = try laurel.run(words)
            #expect(refused.status != 0 && refused.messages[0].contains("`laurel store migrate`"), "\(refused)")
        }
        func setFormat(_ format: Int) throws {
            let statement = "UPDATE \(schema).meta SET value = \(format) WHERE name = 'format'"
            #expect(try sql(laurel, as: server.user, statement).status == 0)
        }
        try setFormat(1)
        let way = "`laurel export` its events with Laurel 0.2, then `laurel ingest` them with this version"
        for words in [["learners", "--store", location], ["store", "migrate", location], ingest] {
            let refused = try laurel.run(words)
            let reason = "has store format 1, this program knows 2 and later: \(way)"
            #expect(refused.status == 3 && refused.messages[0].hasSuffix(reason), "\(refused)")
        }
        #expect(try self.status(laurel, location).warnings.contains { $0.advice == way })
        try setFormat(2)
        let status = try status(laurel, location)
        #expect(status.format == 2 && status.newestFormat > 2 && status.events == 9)
        let migrated = try laurel.run("store", "migrate", location(of: writer))
        #expect(migrated.status == 3 && migrated.messages[0].contains("may not do that"), "\(migrated)")
        let done = try laurel.run("store", "migrate", location)
        let change = "was of format 2, and is of format \(status.newestFormat) now"
        #expect(done.status == 0 && done.messages[0].hasSuffix(change), "\(done)")
        #expect(try laurel.run("store", "migrate", location).messages[0].hasSuffix("there is nothing to do"))
        #expect(try laurel.run("fingerprint", "--store", location(of: writer)).output == print)
        let job =
            "INSERT INTO \(schema).jobs(id, kind, parameters, exclusive, names_learners, created_ms)"
            + " VALUES ('a', 'verify', '{}', false, false, 0); UPDATE \(schema).jobs SET share = 1; DELETE FROM \(schema).jobs"
        #expect(try sql(laurel, as: writer, job).status == 0)
        #expect(try sql(laurel, as: reader, "SELECT * FROM \(schema).jobs").status != 0)
        let profiles = try sql(laurel, as: reader, "SELECT learner FROM \(schema).learner_profiles ORDER BY 1")
        #expect(profiles.status == 0 && profiles.output.contains("anna"), "\(profiles)")
        #expect(try sql(laurel, as: writer, "DELETE FROM \(schema).notes").status == 0)
        let metric = "SELECT metrics ? 'x', xp_by_bucket::jsonb IS NOT NULL FROM \(schema).progress"
        #expect(try sql(laurel, as: reader, metric).status == 0)
    }

    @Test(arguments: addresses) func `a password is shown nowhere`(_ address: String) throws {
        let laurel = try Laurel()
        let commands = [
            ["learners"], ["ingest"], ["verify"], ["doctor"], ["config", "show"], ["store", "status"],
            ["store", "create"], ["store", "migrate"], ["erase", "anna"], ["serve", "--listen", "127.0.0.1:0"],
        ]
        for words in commands {
            let outcome = try laurel.run(words + ["--store", address])
            #expect(!outcome.description.contains(Self.secret), "\(words): \(outcome)")
            #expect(outcome.status != 0 || words[0] == "config", "\(words)")
        }
        let copy = try laurel.run("copy", "laurel.db", address)
        #expect(copy.status != 0 && !copy.description.contains(Self.secret), "\(copy)")
    }

    @Test func `a database that cannot be reached is the machine's failure`() throws {
        let outcome = try Laurel().run("learners", "--store", "postgresql://127.0.0.1:1/laurel")
        #expect(outcome.status == 3 && outcome.messages[0].contains("cannot be reached"), "\(outcome)")
    }
}
