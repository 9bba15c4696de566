// SPDX-License-Identifier: Apache-2.0

import Testing

/// Pipes, terminals and full disks.
@Suite struct StreamTests {
    @Test func aReaderThatHasEnoughEndsTheCommandQuietly() throws {
        let laurel = try Laurel()
        let outcome = try laurel.shell(
            "laurel simulate --learners 50 --days 50 --seed 1 | head -n 1 | wc -l; echo ${PIPESTATUS[0]}"
        )
        #expect(outcome == .init(output: "1\n0\n"))
    }

    @Test func aFullDiskIsAFailure() throws {
        let laurel = try Laurel(events: Laurel.events)
        let outcome = try laurel.shell("laurel export > /dev/full")
        #expect(outcome.status == 3)
        #expect(outcome.messages == ["cannot write standard output: No space left on device"])
    }

    @Test func equalSimulationsAreEqual() throws {
        let laurel = try Laurel()
        let one = try laurel.run("simulate", "--learners", "3", "--days", "5", "--seed", "9")
        #expect(one.status == 0 && one.errors == "" && !one.output.isEmpty)
        let file = try laurel.run("simulate", "--learners=3", "--days=5", "--seed=9", "--out", "events.ndjson")
        #expect(file.output == "")
        #expect(try laurel.read("events.ndjson") == one.output)
    }

    @Test func groupsAreSimulatedOnRequest() throws {
        let laurel = try Laurel()
        let arguments = ["simulate", "--learners", "10", "--days", "25", "--seed", "9"]
        #expect(try !laurel.run(arguments).output.contains("group.joined"))
        let together = try laurel.run(arguments + ["--together"])
        #expect(together.status == 0 && together.output.contains(#""type":"group.joined""#))
    }

    /// Runs a command on a terminal of 60 columns, which `script` provides.
    private func onTerminal(_ command: String, _ laurel: Laurel, noColour: Bool = false) throws -> String {
        let environment = ["TERM": "xterm", "NO_COLOR": noColour ? "1" : ""]
        let line = "script -qec 'stty cols 60; \(command)' /dev/null </dev/null"
        return try laurel.shell(line, environment: environment).output.replacing("\r\n", with: "\n")
    }

    @Test func aTerminalGetsBlocksAndColour() throws {
        let laurel = try Laurel(events: Laurel.events)
        let page = try onTerminal("laurel progress anna --at 2026-02-06T00:00:00Z", laurel)
        #expect(page.contains("\u{1B}[33m█████████████▎\u{1B}[0m"))
        let plain = try onTerminal("laurel progress anna --at 2026-02-06T00:00:00Z", laurel, noColour: true)
        #expect(plain.contains("█████████████▎░░░░░  30 XP to level 2"))
        #expect(!plain.contains("\u{1B}["))
    }

    @Test func aNarrowTerminalGetsANarrowTable() throws {
        let laurel = try Laurel(events: Laurel.events)
        let table = try onTerminal("laurel sessions anna --session s1", laurel, noColour: true)
        #expect(table.contains("18:00:30    c1          Un café…  A coffe…       95%       1\n"))
    }

    @Test func eraseTakesNoForAnAnswer() throws {
        let laurel = try Laurel(events: Laurel.events)
        let outcome = try laurel.shell("echo n | script -qec 'laurel erase anna' /dev/null")
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("Erase all there is of “anna” from laurel.db, for good? [y/N]"))
        #expect(outcome.output.contains("laurel: nothing was erased"))
        #expect(try laurel.run("learners").messages == ["2 learners"])
    }
}
