// SPDX-License-Identifier: Apache-2.0

import Laurel
import Testing

/// FSRS parameters that `scheduler.fitted` gives to a learner. A word's stability after its first review, which is
/// graded good, is the third parameter. So it shows which parameters are in force.
@Suite struct FittedParametersTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var scheduler = "fsrs"
        /// The fits: hour, language or nil, and the third parameter.
        let fits: [(hour: Int, language: String?, weight: Double)]
        /// The reviews, each of a word of its own: hour, language or nil, and the stability afterwards.
        let reviews: [(hour: Int, language: String?, stability: Double?)]
        var isRetracted = false
    }

    private static let usual = 2.3065

    private static let rows = [
        Row(
            testDescription: "later reviews only",
            fits: [(10, nil, 5)],
            reviews: [(9, "es", usual), (11, "es", 5), (12, nil, 5)]
        ),
        Row(
            testDescription: "a language's words only",
            fits: [(10, "es", 5)],
            reviews: [(11, "es", 5), (11, "fr", usual), (11, nil, usual)]
        ),
        Row(
            testDescription: "the latest of several, with or without language",
            fits: [(10, "es", 5), (12, nil, 6), (14, "fr", 7)],
            reviews: [(11, "es", 5), (13, "es", 6), (15, "es", 6), (15, "fr", 7), (15, "ja", 6)]
        ),
        Row(
            testDescription: "a language however it is spelled",
            fits: [(10, "PT-br", 5)],
            reviews: [(11, "pt-BR", 5)]
        ),
        Row(
            testDescription: "nothing once retracted",
            fits: [(10, nil, 5)],
            reviews: [(11, "es", usual)],
            isRetracted: true
        ),
        Row(testDescription: "nothing under SM-2", scheduler: "sm2", fits: [(10, nil, 5)], reviews: [(11, "es", nil)]),
    ]

    private func line(_ id: String, _ type: String, _ hour: Int, _ language: String?, _ data: String) -> String {
        let tag = language.map { #""language":"\#($0)","# } ?? ""
        let time = "2026-02-05T\(hour < 10 ? "0" : "")\(hour):00:00Z"
        return #"{"id":"\#(id)","source":"a","type":"\#(type)","subject":"ana","#
            + #""time":"\#(time)",\#(tag)"data":\#(data)}"#
    }

    private func fit(_ id: String, _ hour: Int, _ language: String?, _ weight: Double) -> String {
        let parameters =
            "0.212,1.2931,\(weight),8.2956,6.4133,0.8334,3.0194,0.001,1.8722,0.1666,0.796,1.4835,0.0614,0.2629,1.6483,"
            + "0.6014,1.8729,0.5425,0.0912,0.0658,0.1542"
        let data = #"{"parameters":[\#(parameters)],"reviews":400,"logLoss":0.3}"#
        return line(id, "scheduler.fitted", hour, language, data)
    }

    private func lines(of row: Row) -> [String] {
        var lines = row.fits.enumerated().map { fit("fit \($0)", $1.hour, $1.language, $1.weight) }
        lines += row.reviews.enumerated().map {
            line("review \($0)", "review.graded", $1.hour, $1.language, #"{"word":"\#($0)","grade":"good"}"#)
        }
        if row.isRetracted { lines.append(line("r", "event.retracted", 20, nil, #"{"source":"a","id":"fit 0"}"#)) }
        return lines
    }

    private func rules(_ row: Row) -> String { "version: 1\nmastery: {scheduler: \(row.scheduler)}\n" }

    @Test(arguments: rows) func `count for`(row: Row) throws {
        let lines = lines(of: row)
        var fingerprints: Set<String> = []
        for order in [lines, lines.reversed()] {
            let bench = try Bench(.sqliteTiny, rules: rules(row))
            // One after another, so that what was fitted is read from snapshots.
            for line in order { try bench.ingest([line]) }
            let words = try bench.engine.learner("ana").words()
            for (index, review) in row.reviews.enumerated() {
                let word = words.first { $0.id == "\(index)" }
                #expect(word?.stability == review.stability, "review \(index)")
            }
            fingerprints.insert(try bench.soundFingerprint())
        }
        #expect(fingerprints.count == 1)
    }

    @Test func `stay with the learner under other rules`() throws {
        let bench = try Bench(.sqliteTiny, rules: "version: 1\n")
        try bench.ingest([fit("fit", 10, "es", 5)])
        let day = try #require(LocalDay(parsing: "2026-02-01".utf8))
        try bench.apply("version: 1\nmastery: {scheduler: fsrs}\n", from: day)
        try bench.ingest([line("1", "review.graded", 11, "es", #"{"word":"w","grade":"good"}"#)])
        #expect(try bench.engine.learner("ana").words().first?.stability == 5)
        _ = try bench.soundFingerprint()
    }
}
