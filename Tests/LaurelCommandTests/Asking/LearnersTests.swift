// SPDX-License-Identifier: Apache-2.0

import Testing

/// `laurel learners`: filtered by cohort, sorted, limited.
@Suite struct LearnersTests {
    private static let names = [("ana", "a", 3), ("bo", "b", 5), ("cy", "a", 5), ("di", "a", 1)]

    private static var lines: [String] {
        names.enumerated().flatMap { place, learner in
            let day = "2026-02-0\(9 - place)"
            return [
                line("c\(place)", "learner.updated", learner.0, "\(day)T08:00:00Z", #"{"cohort":"\#(learner.1)"}"#),
                line("x\(place)", "xp.adjusted", learner.0, "\(day)T09:00:00Z", #"{"amount":\#(learner.2)}"#),
            ]
        }
    }

    private static func line(_ id: String, _ type: String, _ subject: String, _ time: String, _ data: String) -> String
    {
        #"{"specversion":"1.0","id":"\#(id)","source":"app","type":"\#(type)","subject":"\#(subject)","time":"\#(time)","data":\#(data)}"#
    }

    @Test(arguments: [
        (["--json"], ["ana", "bo", "cy", "di"]),
        (["--json", "--cohort", "a"], ["ana", "cy", "di"]),
        (["--json", "--cohort", "none"], []),
        (["--json", "--sort", "id", "--limit", "2"], ["ana", "bo"]),
        (["--json", "--sort", "xp"], ["bo", "cy", "ana", "di"]),
        (["--json", "--sort", "xp", "--cohort", "a", "--limit", "1"], ["cy"]),
        (["--json", "--sort", "recent", "--limit", "3"], ["ana", "bo", "cy"]),
        (["--json", "--sort", "xp", "--at", "2026-02-07T12:00:00Z"], ["cy", "di"]),
    ])
    func `those that are asked for, in the order asked for`(options: [String], ids: [String]) throws {
        let laurel = try Laurel(events: Self.lines.joined(separator: "\n"))
        let found = try laurel.run(["learners"] + options)
        #expect(found.status == 0, "\(found)")
        let rows = found.output.split(separator: "\n").filter { $0.contains("learner") }
        // A learner without events up to the instant is listed with zeros.
        let known = rows.filter { !$0.contains(#""events":0"#) }
        #expect(known.map { String($0.split(separator: "\"")[3]) } == ids, "\(found)")
    }

    @Test func `a wrong order names the nearest`() throws {
        let wrong = try Laurel(events: Self.lines.joined(separator: "\n")).run("learners", "--sort", "xpp")
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("is not one of id, level, xp, streak, words, events, recent; did you mean xp?"))
    }
}
