// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelEvents
import Testing

/// Rows that no version of Laurel has written. Whatever they contain, a command must end with its own exit status and
/// say what is wrong; none may crash.
@Suite struct DamagedRowsTests {
    private struct Damage: CustomTestStringConvertible {
        let name: String
        /// Run by the plain `sqlite3` shell, which then writes all pages anew without checksums.
        let sql: String
        /// True if `replay --check` must report it.
        var isSeenByCheck = true
        /// A further command besides the usual ones.
        var command: [String]?

        var testDescription: String { name }
    }

    private static let damages = [
        Damage(name: "metrics cut off", sql: #"UPDATE progress_rows SET metrics = '{"a'"#),
        Damage(name: "metrics of a name", sql: #"UPDATE progress_rows SET metrics = '{"a":"b"}'"#),
        Damage(name: "metrics that are a list", sql: "UPDATE progress_rows SET metrics = '[1]'"),
        Damage(name: "XP by bucket cut off", sql: #"UPDATE progress_rows SET xp_by_bucket = '{"lines":'"#),
        Damage(
            name: "two rows of one code",
            sql: """
                CREATE TABLE other AS SELECT * FROM progress_rows;
                INSERT INTO other SELECT * FROM progress_rows;
                DROP VIEW progress; DROP VIEW goals; DROP VIEW balances; DROP TABLE progress_rows;
                ALTER TABLE other RENAME TO progress_rows
                """
        ),
        Damage(name: "infinite XP", sql: "UPDATE progress_rows SET xp = 9e999"),
        Damage(name: "a last event before all time", sql: "UPDATE progress_rows SET last_event_ms = -1 << 63"),
        Damage(name: "a day far away", sql: "UPDATE daily_rows SET day = day + (1 << 40)"),
        Damage(name: "a learner of a negative count", sql: "UPDATE learners SET events = -1"),
        Damage(name: "a learner of a huge count", sql: "UPDATE learners SET events = 9223372036854775807"),
        Damage(
            name: "a learner of the largest id",
            sql: "INSERT INTO learners(learner, subject, events) VALUES (9223372036854775807, 'zoe', 0)"
        ),
        Damage(
            name: "a learner of a negative id",
            sql: "INSERT INTO learners(learner, subject, events) VALUES (-9223372036854775808, 'zoe', 0)"
        ),
        Damage(name: "a run that begins nowhere", sql: "UPDATE runs SET first_row = 9223372036854775807"),
        Damage(name: "a run of less than no rows", sql: "UPDATE runs SET rows = -5"),
        Damage(name: "a run that ends before it begins", sql: "UPDATE runs SET last_ms = first_ms - 1"),
        Damage(
            name: "identities to the last number and beyond",
            sql: "UPDATE identities SET low = 9223372036854775807, more = 1",
            isSeenByCheck: false,
            command: ["erase", "bo", "--yes"]
        ),
        Damage(name: "identities of a negative run", sql: "UPDATE identities SET more = -7", isSeenByCheck: false),
        Damage(
            name: "leaves that are none",
            sql: "INSERT OR REPLACE INTO identity_leaves SELECT learner, 0, x'ffff' FROM learners",
            isSeenByCheck: false
        ),
        Damage(name: "a tail before all time", sql: "UPDATE tail SET ms = -1 << 63"),
        Damage(name: "a tail after all time", sql: "UPDATE tail SET ms = 9223372036854775807"),
        Damage(name: "an empty tail record", sql: "UPDATE tail SET data = x''"),
        Damage(name: "an empty block", sql: "UPDATE blocks SET data = x''", command: ["erase", "ana", "--yes"]),
        Damage(
            name: "counters at the end of the numbers",
            sql: "UPDATE meta SET value = 9223372036854775807",
            isSeenByCheck: false
        ),
        Damage(
            name: "generations of huge counts",
            sql: "UPDATE generations SET events = 9223372036854775807, runs = 9223372036854775807",
            isSeenByCheck: false
        ),
        Damage(
            name: "a checkpoint before all time",
            sql: "INSERT OR REPLACE INTO checkpoints SELECT learner, -9223372036854775808, -1, x'00' FROM learners"
        ),
        Damage(
            name: "a snapshot that is none",
            sql: "INSERT OR REPLACE INTO snapshots SELECT learner, x'0100000000000000ff' FROM learners",
            isSeenByCheck: false
        ),
        Damage(
            name: "a line refused before all time",
            sql: "UPDATE quarantine SET received_ms = -1 << 63, bytes = -1, line = -1 << 63",
            isSeenByCheck: false,
            command: ["quarantine", "list"]
        ),
        Damage(
            name: "rules of the last version and beyond",
            sql: "UPDATE rules SET version = 9223372036854775807, applied_ms = -1 << 63",
            command: ["rules", "history"]
        ),
        Damage(name: "rules that are none", sql: "UPDATE rules SET source = '{', hash = 'x'"),
    ]

    private static let commands = [
        ["verify"], ["replay", "--check"], ["export"], ["learners", "--json"], ["leaderboard"],
    ]

    /// Events in a block and in the tail, a long history with a snapshot, and a refused line.
    private static let sound: TemporaryFolder? = {
        guard let folder = try? TemporaryFolder() else { return nil }
        let many = LongHistory(events: 4200, seed: 17).lines.joined(separator: "\n")
        let few = [line("b1", by: "bo"), line("a9", at: "2027-01-01T00:00:00Z"), "no event"].joined(separator: "\n")
        for (name, lines) in [("many", many), ("few", few)] {
            guard let file = try? folder.write(lines + "\n", to: name) else { return nil }
            _ = try? laurel("ingest", "--now", "2028-01-01T00:00:00Z", "--store", folder.file("laurel.db"), file)
        }
        return folder
    }()

    @Test(arguments: damages) private func `is told, and ends nothing`(damage: Damage) throws {
        let sound = try #require(DamagedRowsTests.sound)
        let folder = try TemporaryFolder()
        let (damaged, store) = (folder.file("damaged.db"), folder.file("laurel.db"))
        try #require(system("cp '\(sound.file("laurel.db"))' '\(damaged)'") == 0)
        let file = try folder.write(damage.sql + ";\nVACUUM;\n", to: "damage.sql")
        try #require(system("sqlite3 '\(damaged)' < '\(file)'") == 0)
        let next = try folder.write(line("a10", at: "2027-01-02T00:00:00Z") + "\n" + line("b2", by: "bo"), to: "next")
        var checked: Int32 = 0
        let ingest = ["ingest", "--now", "2028-01-01T00:00:00Z", next]
        for words in DamagedRowsTests.commands + [ingest] + (damage.command.map { [$0] } ?? []) {
            try #require(system("cp '\(damaged)' '\(store)'") == 0)
            let command = try Program(laurel: [words[0]] + words.dropFirst() + ["--store", store])
            let outcome = try command.wait()
            #expect((0...3).contains(outcome.status), "\(words): \(outcome.status) \(outcome.errors)")
            #expect(!outcome.errors.contains("Fatal error"), "\(words): \(outcome.errors)")
            if outcome.status != 0 { #expect(!(outcome.output + outcome.errors).isEmpty, "\(words)") }
            if words == ["replay", "--check"] { checked = outcome.status }
            for suffix in ["-wal", "-shm", "-lock"] { unlink(store + suffix) }
        }
        if damage.isSeenByCheck { #expect(checked != 0) }
    }
}
