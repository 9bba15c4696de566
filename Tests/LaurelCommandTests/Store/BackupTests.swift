// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Testing

/// `laurel backup` and `laurel restore`, from an operator's view.
struct BackupTests {
    private func read<Report: Decodable>(_ type: Report.Type, _ outcome: Laurel.Outcome) throws -> Report {
        try #require(outcome.status == 0, "\(outcome)")
        return try LaurelJSON.decode(type, from: Data(outcome.output.utf8))
    }

    /// Functions for scripts with a service: `start STORE`, `ask METHOD PATH TYPE BODY`, `stop`.
    private static let service = #"""
        start() {
            : >serve.log
            laurel serve --listen 127.0.0.1:0 --allow-private-webhooks true --store "$1" 2>serve.log & service=$!
            until port=$(sed -n 's|.* on http://127.0.0.1:\([0-9]*\).*|\1|p' serve.log | head -1); [ -n "$port" ]; do
                kill -0 $service; sleep 0.05
            done
        }
        ask() {
            exec 3<>/dev/tcp/127.0.0.1/$port
            printf '%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer %s\r\n' $1 $2 $key >&3
            printf 'Content-Type: %s\r\nContent-Length: %d\r\n\r\n%s' "$3" ${#4} "$4" >&3
            cat <&3; exec 3>&-
        }
        stop() { kill $service; wait $service; }

        """#

    /// From a file into a database, and back.
    @Test(arguments: zip(Laurel.places, Laurel.places.reversed()))
    func `a store that takes events is backed up, and comes back with all it held`(_ from: String, _ to: String) throws
    {
        let laurel = try Laurel.full()
        let (source, restored) = (try laurel.newPlace(from, "source"), try laurel.newPlace(to, "restored"))
        #expect(try laurel.run("copy", "--with-keys", "laurel.db", source).status == 0)
        let backedUp = try laurel.shell(
            Self.service
                + #"""
                key=$(laurel keys add --scope ingest,read,webhooks --store "$SOURCE"); echo $key >key
                start "$SOURCE"
                ask POST /v1/webhooks application/json '{"url":"http://127.0.0.1:9/hook","events":[]}' >made
                for i in $(seq 60); do
                    line='{"id":"'$i'","source":"live","type":"line.spoken","subject":"bo","time":"2026-02-04T17:00:00Z","language":"es"}'
                    ask POST /v1/events application/x-ndjson "$line" | head -1
                done >answers & client=$!
                until [ -s answers ]; do sleep 0.01; done
                laurel backup --store "$SOURCE" --json backup.db
                wait $client; stop
                """#,
            environment: ["SOURCE": source]
        )
        let report = try read(BackupReport.self, backedUp)
        #expect(try laurel.read("answers").components(separatedBy: " 200 ").count == 61, "the service went on")
        #expect(10...69 ~= report.content.events && report.content.rules == 4, "\(report)")
        #expect(report.content.refusedLines == 3 && report.content.keys == 2 && report.content.webhooks == 1)
        #expect(try laurel.shell("stat -c %a backup.db; ls backup.db?*").output == "600\n", "nothing is left beside it")

        let outcome = try laurel.run("restore", "backup.db", "--json", "--store", restored)
        let result = try read(RestoreReport.self, outcome)
        #expect(result.fingerprint == report.fingerprint && result.content == report.content)
        #expect(outcome.messages.contains { $0.contains("learners erased after") }, "\(outcome)")
        #expect(try laurel.run("fingerprint", "--store", restored).output == report.fingerprint + "\n")
        for words in [["rules", "history", "--json"], ["quarantine", "export"]] {
            let expected = try laurel.run(words + ["--store", source])
            #expect(try laurel.run(words + ["--store", restored]).output == expected.output, "\(words)")
        }
        #expect(try laurel.run("verify", "--store", restored).status == 0)
        #expect(try laurel.run("replay", "--check", "--store", restored).status == 0)
        #expect(try laurel.run("audit", "--store", restored).output.contains("store.restored"))
        let asked = try laurel.shell(
            Self.service + #"key=$(cat key); start "$RESTORED"; ask GET /v1/webhooks application/json ''; stop"#,
            environment: ["RESTORED": restored]
        )
        #expect(asked.output.contains("200 OK"), "the old key works: \(asked)")
        #expect(asked.output.contains("127.0.0.1:9/hook") && asked.output.contains(#""disabledAt":null"#), "\(asked)")
    }

    @Test func `a killed backup leaves the older one, and the next begins anew`() throws {
        let laurel = try Laurel(events: Laurel.events)
        #expect(try laurel.run("backup", "b.db").status == 0)
        let outcome = try laurel.shell(
            """
            cp b.db older.db
            laurel simulate --learners 30 --days 30 --seed 1 | laurel ingest --now 2031-01-01T00:00:00Z >/dev/null
            laurel backup b.db >/dev/null & backup=$!
            until [ -e b.db.part ]; do kill -0 $backup || break; done
            kill -9 $backup; wait $backup; echo $?
            cmp b.db older.db && ls b.db?*
            laurel restore b.db.part --store new.db; echo $?
            """
        )
        #expect(outcome.output.hasPrefix("137\nb.db.part\n") && outcome.output.hasSuffix("\n2\n"), "\(outcome)")
        #expect(!laurel.exists("new.db"), "half a backup is none")
        #expect(try laurel.run("backup", "b.db").status == 0)
        #expect(try laurel.shell("ls b.db?*").output == "", "nothing is left of the killed one")
        let restored = try laurel.run("restore", "b.db", "--store", "new.db")
        #expect(restored.status == 0 && restored.output.contains("the same as the backup's"), "\(restored)")
    }

    @Test func `a backup that finds no room or no folder says so, and leaves nothing`() throws {
        let laurel = try Laurel(events: Laurel.events)
        let full = try laurel.shell("ulimit -f 20; laurel backup b.db")
        #expect(full.status == 3 && full.messages.contains { $0.contains("may write") }, "\(full)")
        #expect(try laurel.shell("ls b.db*").output == "")
        let lost = try laurel.run("backup", "none/b.db")
        #expect(lost.status == 2 && lost.messages[0].contains("there is no folder"), "\(lost)")
        let busy = try laurel.shell("exec 9>b.db.part; flock 9; laurel backup b.db")
        #expect(busy.status == 3 && busy.messages[0].contains("another process is writing"), "\(busy)")
    }

    struct Refusal: CustomTestStringConvertible {
        let testDescription: String
        let command: String
        let status: Int32
        let message: String

        init(_ name: String, _ command: String, _ status: Int32, _ message: String) {
            (testDescription, self.command, self.status, self.message) = (name, command, status, message)
        }
    }

    @Test func `what is no backup, or is in use, is neither restored nor replaced`() throws {
        let laurel = try Laurel(events: Laurel.events)
        #expect(try laurel.shell("laurel backup b.db && laurel copy laurel.db copy.db").status == 0)
        let rows = [
            Refusal("the store itself", "backup laurel.db", 2, "only a backup is replaced: laurel.db"),
            Refusal("another store", "backup copy.db", 2, "only a backup is replaced"),
            Refusal("any other file", "backup events.ndjson", 2, "events.ndjson is no backup"),
            Refusal("no store", "backup --store none.db c.db", 2, "there is no store at none.db"),
            Refusal("a store with events", "restore b.db", 2, "holds 9 events of 2 learners"),
            Refusal("no backup there", "restore none.db --store new.db", 2, "there is no backup at none.db"),
            Refusal("a copy", "restore copy.db --store new.db", 2, "is a store, but no backup"),
            Refusal("other bytes", "restore events.ndjson --store new.db", 2, "events.ndjson is no backup"),
            Refusal("a cut backup", "restore cut.db --store new.db", 3, "cut.db is damaged"),
            Refusal("a flipped bit", "restore flipped.db --store new.db", 3, "flipped.db is damaged: page"),
            Refusal("a changed backup", "restore written.db --store new.db", 3, "written.db is not what it was"),
            Refusal("a backup in use", "backup written.db", 2, "was written to since"),
            Refusal("a backup of itself", "backup b.db --store b.db", 2, "b.db is the store itself"),
            Refusal("no former store", "restore b.db --erasures-from none.db --store new.db", 2, "none.db"),
        ]
        _ = try laurel.shell(
            #"""
            head -c 40000 b.db >cut.db; cp b.db flipped.db; cp b.db written.db
            printf '\x55' | dd of=flipped.db bs=1 seek=9000 conv=notrunc
            echo '{"id":"9","source":"x","type":"line.spoken","subject":"anna","time":"2026-02-04T17:00:00Z","language":"es"}' |
                laurel ingest --store written.db
            """#
        )
        for row in rows {
            let outcome = try laurel.shell("laurel \(row.command)")
            #expect(outcome.status == row.status, "\(row.testDescription): \(outcome)")
            #expect(outcome.messages.contains { $0.contains(row.message) }, "\(row.testDescription): \(outcome)")
            #expect(try laurel.shell("ls new.db*").output == "", "\(row.testDescription)")
        }
        #expect(try laurel.run("verify").status == 0)
    }

    @Test func `who was erased since the backup is erased again`() throws {
        let laurel = try Laurel(events: Laurel.events)
        try laurel.run("erase", "さくら", "--yes")
        let lost = "laurel backup b.db && laurel erase anna --yes && mkdir old && mv laurel.db* old"
        #expect(try laurel.shell(lost).status == 0)
        let outcome = try laurel.run("restore", "b.db", "--erasures-from", "old/laurel.db", "--json")
        let report = try read(RestoreReport.self, outcome)
        #expect(report.erasedAgain == ["anna"] && report.unknownErasures == [] && report.content.learners == 0)
        #expect(outcome.messages.contains { $0.contains("“anna” was erased after") }, "\(outcome)")
        #expect(try laurel.run("verify").status == 0)
        let audit = try laurel.run("audit").output
        #expect(audit.components(separatedBy: "learner.erased").count == 3, "both erasures are noted: \(audit)")
        // Nothing tells without the old store.
        let again = try laurel.run("restore", "b.db", "--store", "again.db")
        #expect(again.status == 0 && again.messages.contains { $0.contains("laurel erase ID --yes") }, "\(again)")
        #expect(try laurel.run("learners", "--store", "again.db").output.contains("anna"))
    }
}
