// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct HelpTests {
    private struct Listed: Decodable {
        struct Entry: Decodable { let name: String }
        let commands: [Entry]
    }

    /// All commands, as the tool lists them.
    private func commands(_ laurel: Laurel) throws -> [String] {
        let listed = try laurel.run("help", "--json").output
        return try JSONDecoder().decode(Listed.self, from: Data(listed.utf8)).commands.map(\.name)
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
            // An example may name missing files and learners, but must be understood. A service runs until it is
            // stopped.
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
                laurel quarantine export: Prints the original refused lines, to repair and ingest them again

                Usage: laurel quarantine export [OPTIONS] [ID…]

                  ID             ids from `laurel quarantine list` (default: all lines)
                  --store STORE  the store: a file, or postgresql://… (default: $LAUREL_STORE, else laurel.db)
                  --out FILE     write to this file instead of standard output
                  --mode MODE    a new file's permissions, such as 640 (default: 600)
                  --help         show this help

                Example: laurel quarantine export --out repair.ndjson

                """
        )
    }

    @Test func helpAsJSONHasAllThatHelpHas() throws {
        let laurel = try Laurel()
        let outcome = try laurel.run("help", "quarantine", "export", "--json")
        #expect(try laurel.run("quarantine", "export", "--help", "--json") == outcome)
        let document = try #require(outcome.output.range(of: #""commands":"#)).upperBound
        #expect(
            outcome.output[document...] == """
                [{"name":"quarantine export","group":"quarantine","groupDefault":false,\
                "summary":"Prints the original refused lines, to repair and ingest them again","details":null,\
                "usage":"laurel quarantine export [OPTIONS] [ID…]","argument":{"name":"ID",\
                "summary":"ids from `laurel quarantine list`",\
                "default":"all lines","minimum":0,"maximum":null},"options":[\
                {"name":"store","value":"STORE","summary":"the store: a file, or postgresql://…",\
                "default":"$LAUREL_STORE, else laurel.db","repeatable":false},\
                {"name":"out","value":"FILE","summary":"write to this file instead of standard output",\
                "default":null,"repeatable":false},\
                {"name":"mode","value":"MODE","summary":"a new file's permissions, such as 640",\
                "default":"600","repeatable":false}\
                ],"example":"laurel quarantine export --out repair.ndjson"}],\
                "exitStatus":[{"status":0,"summary":"done"},\
                {"status":1,"summary":"done, but not all of it was as asked (lines refused, a check failed)"},\
                {"status":2,"summary":"the request itself is wrong"},\
                {"status":3,"summary":"the store or the machine failed"}]}

                """
        )
    }

    @Test func aGroupsHelpListsItsCommands() throws {
        let outcome = try Laurel().run("quarantine", "--help")
        #expect(
            outcome.output == """
                Usage: laurel quarantine list|export|drop [OPTIONS]

                  laurel quarantine list    Lists the refused lines, with the reasons
                  laurel quarantine export  Prints the original refused lines, to repair and ingest them again
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
