// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct HelpTests {
    /// Every command, as the tool itself lists them.
    private func commands(_ laurel: Laurel) throws -> [String] {
        let help = try laurel.run("--help").output
        let list = help.split(separator: "Commands:\n")[1].split(separator: "\n\n")[0]
        return list.split(separator: "\n").map { line in
            line.dropFirst(2).split(separator: "  ")[0].description
        }
    }

    @Test func everyCommandHasHelpWithAnExampleThatParses() throws {
        let laurel = try Laurel()
        let commands = try commands(laurel)
        #expect(commands.count > 10)
        for command in commands {
            let help = try laurel.shell("laurel \(command) --help")
            #expect(help.status == 0 && help.errors == "")
            #expect(help.output.hasPrefix("laurel \(command): "))
            #expect(help.output.contains("\nUsage: laurel \(command) "))
            #expect(try laurel.shell("laurel help \(command)").output == help.output)
            let example = try #require(help.output.split(separator: "\nExample: ").last)
            #expect(example.hasPrefix("laurel \(command) "))
            // It may name files and learners that are not there, but it must be understood. A service goes on until it is stopped.
            let stop = command == "serve" ? "timeout -k 10 2 " : ""
            let outcome = try laurel.shell(stop + example.trimmingSuffix("\n"))
            #expect(!outcome.errors.contains("--help`"), "\(outcome)")
        }
    }

    @Test func aCommandsHelpDerivesFromItsOptions() throws {
        let laurel = try Laurel()
        let outcome = try laurel.run("quarantine", "export", "-h")
        #expect(
            outcome.output == """
                laurel quarantine export: The refused lines as they came, to be repaired and fed again

                Usage: laurel quarantine export [OPTIONS] [ID…]

                  ID             which lines, by the ids of `laurel quarantine list`; nothing: all
                  --store STORE  the store: a file, or postgresql://… (default: $LAUREL_STORE, else laurel.db)
                  --out FILE     write to this file instead of standard output
                  --mode MODE    a new file's permissions, such as 640 (default: 600)
                  --help         show this help

                Example: laurel quarantine export --out repair.ndjson

                """
        )
    }

    @Test func aGroupsHelpListsItsCommands() throws {
        let outcome = try Laurel().run("quarantine", "--help")
        #expect(
            outcome.output == """
                Usage: laurel quarantine list|export|drop [OPTIONS]

                  laurel quarantine list    What was refused, with the reason
                  laurel quarantine export  The refused lines as they came, to be repaired and fed again
                  laurel quarantine drop    Removes lines from quarantine for good

                Example: laurel quarantine list --limit 20

                """
        )
    }

    @Test func eventsListsTheCatalogue() throws {
        let laurel = try Laurel()
        #expect(try laurel.run("events").output.contains("\nreview.graded  "))
        #expect(try laurel.run("events", "--json").output.contains("\"name\":\"review.graded\""))
    }
}

extension Substring {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String {
        String(self.reversed().drop { $0 == suffix }.reversed())
    }
}
