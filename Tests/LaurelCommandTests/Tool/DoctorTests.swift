// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `laurel config show` and `laurel doctor`.
@Suite struct DoctorTests {
    private func setting(_ name: String, in text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix(name + " ") }.map {
            $0.split(separator: " ", omittingEmptySubsequences: true).dropFirst().joined(separator: " ")
        }
    }

    @Test func `each setting says where it comes from`() throws {
        let laurel = try Laurel()
        try laurel.write("listen: 127.0.0.1:7000\nlog: json\nthreads: 2\nmost-streams: 5\n", to: "laurel.yaml")
        _ = try laurel.shell("mkdir -p conf/laurel && echo 'reports: mine\nthreads: 9' > conf/laurel/laurel.yaml")
        let environment = [
            "XDG_CONFIG_HOME": laurel.folder.path + "/conf", "LAUREL_LOG": "none", "LAUREL_THREADS": "3",
        ]
        let outcome = try laurel.shell("laurel config show --threads 4", environment: environment)
        #expect(outcome.status == 0, "\(outcome)")
        let expected = [
            ("threads", "4 --threads"), ("log", "none LAUREL_LOG"), ("listen", "127.0.0.1:7000 laurel.yaml"),
            ("reports", "mine \(laurel.folder.path)/conf/laurel/laurel.yaml"), ("store", "laurel.db default"),
            ("most-streams", "5 laurel.yaml"), ("metrics-listen", "- default"), ("queue-megabytes", "64 default"),
            ("learner-megabytes", "128 default"), ("allow-private-webhooks", "false default"),
        ]
        for (name, value) in expected { #expect(setting(name, in: outcome.output) == value) }
        #expect(try laurel.shell("laurel config --threads 4", environment: environment) == outcome)
        let json = try laurel.shell("laurel config show --json | jq -c '.[0, 3]'", environment: environment).output
        #expect(
            json == """
                {"setting":"store","value":"laurel.db","from":"default"}
                {"setting":"metrics-listen","value":null,"from":"default"}

                """
        )
    }

    @Test func `defaults are what help says`() throws {
        let laurel = try Laurel()
        let shown = try laurel.run("config", "show").output
        for line in try laurel.run("serve", "--help").output.split(separator: "\n") {
            guard let option = line.split(separator: " ").first, option.hasPrefix("--"), !option.hasPrefix("--store"),
                let range = line.firstRange(of: "(default: "), option != "--config"
            else { continue }
            let value = line[range.upperBound...].prefix { $0 != ")" }
            #expect(setting(String(option.dropFirst(2)), in: shown) == "\(value) default")
        }
    }

    @Test func `passwords are not shown`() throws {
        let outcome = try Laurel().run("config", "show", "--store", "postgresql://anna:s3cret@host/laurel")
        #expect(outcome.output.contains("postgresql://anna@host/laurel") && !outcome.output.contains("s3cret"))
    }

    @Test func `a setting that cannot be used is an error`() throws {
        let outcome = try Laurel().shell("laurel config show", environment: ["LAUREL_THREADS": "many"])
        #expect(
            outcome.status == 2 && outcome.messages == ["LAUREL_THREADS: “many” must be a whole number from 1 to 64"]
        )
    }

    private struct Ill: CustomTestStringConvertible {
        let testDescription: String
        let breaks: String
        let words: String
        let says: String
        let status: Int32

        init(_ name: String, _ breaks: String, _ words: String = "", says: String, status: Int32 = 1) {
            (testDescription, self.breaks, self.words, self.says, self.status) = (name, breaks, words, says, status)
        }
    }

    private static let ills = [
        Ill("all is well", "true", says: "ok     store        laurel.db: 9 events, 2 learners, format ", status: 0),
        Ill("no store", "rm laurel.db", says: "warn   store        there is no laurel.db yet", status: 0),
        Ill("not a store", "echo nonsense > laurel.db", says: "error  store        laurel.db is not"),
        Ill(
            "a refused line",
            "echo nonsense | laurel ingest",
            says: "warn   quarantine   1 line was refused",
            status: 0
        ),
        Ill(
            "open to all",
            "chmod 644 laurel.db",
            says: "warn   permissions  everybody on this machine may read",
            status: 0
        ),
        Ill(
            "open, and to all the world",
            "true",
            "--open --listen 0.0.0.0:80",
            says: "error  service      --open is for this machine alone, but"
        ),
        Ill(
            "nobody to administer",
            "laurel keys add --scope read",
            says: "warn   service      no valid key has the scope admin",
            status: 0
        ),
        Ill("no reports", "true", "--reports nowhere", says: "error  service      there is no folder nowhere"),
        Ill("a mistyped variable", "export LAUREL_LISTN=x", says: "did you mean LAUREL_LISTEN?", status: 0),
        Ill("a bad setting", "export LAUREL_THREADS=many", says: "error  settings     LAUREL_THREADS: “many” must be"),
        Ill("a mistake in the file", "echo 'lissten: x' > laurel.yaml", says: "error  settings     "),
        Ill("no time zones", "export TZDIR=/nowhere", says: "error  time zones   there is no /nowhere"),
        Ill(
            "written tomorrow",
            "touch -d '3 days' laurel.db",
            says: "error  clock        the store was written to more than a day"
        ),
        Ill(
            "a writer who is stopped",
            """
            flock laurel.db-lock sh -c 'touch held; sleep 60' & until [ -e held ]; do sleep 0.05; done
            kill -STOP $!; trap "kill -KILL $! $(pgrep -P $!)" EXIT
            """,
            says: "error  lock         process "
        ),
    ]

    @Test(arguments: ills) private func `what is wrong is told, with what to do`(ill: Ill) throws {
        let laurel = try Laurel(events: Laurel.events)
        let outcome = try laurel.shell("\(ill.breaks) 2> breaking.txt\nlaurel doctor \(ill.words)")
        #expect(outcome.output.contains(ill.says) && outcome.status == ill.status, "\(outcome)")
        // Each finding that is not ok has advice on the next line.
        let lines = outcome.output.split(separator: "\n")
        for (index, line) in lines.enumerated() where line.hasPrefix("warn") || line.hasPrefix("error") {
            #expect(index + 1 < lines.count && lines[index + 1].hasPrefix("       "), "\(line)")
        }
    }

    @Test func `findings are a list as JSON`() throws {
        let laurel = try Laurel(events: Laurel.events)
        let checks = try laurel.shell("laurel doctor --json | jq -r '.[].check' | tr '\\n' ' '").output
        #expect(checks == "settings store quarantine rules service permissions lock disk clock time zones ")
    }
}
