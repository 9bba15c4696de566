// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct FitTests {
    private static func review(_ number: Int) -> String {
        let day = number / 2 + 1
        return #"{"id":"\#(number)","source":"a","type":"review.graded","subject":"anna","#
            + #""time":"2026-01-\#(day < 10 ? "0" : "")\#(day)T10:00:00Z","#
            + #""data":{"word":"\#(number % 2)","grade":"good"}}"#
    }

    @Test func saysWhyNothingIsFitted() throws {
        let laurel = try Laurel()
        let events = (0..<40).map(Self.review).joined(separator: "\n")
        try laurel.run("ingest", input: events)
        let few =
            "“anna”: no fit, because there are too few reviews, or too few since the last fit;"
            + " 38 reviews came at least a day after the word's previous review\n"
        #expect(try laurel.run("fit", "anna").output == few)
        #expect(try laurel.run("fit", "anna", "--dry-run").output == few)
        #expect(try laurel.run("fit").output == "0 learners of 1 got new parameters\n")
        let json = try laurel.run("fit", "anna", "--json").output.filter { !$0.isWhitespace }
        #expect(json.contains(#""outcome":"too-few-reviews""#) && json.contains(#""reviews":38"#), "\(json)")
        let unknown = try laurel.run("fit", "nobody")
        #expect(unknown.status == 2)
    }

    @Test func saysThatSM2HasNoParameters() throws {
        let laurel = try Laurel()
        try laurel.write("version: 1\n", to: "rules.yaml")
        try laurel.run("ingest", "--rules", "rules.yaml", input: Self.review(0))
        #expect(
            try laurel.run("fit", "anna").output
                == "“anna”: no fit, because the rules do not use FSRS; set `mastery: {scheduler: fsrs}`\n"
        )
    }
}
