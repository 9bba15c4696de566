// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import Testing

@testable import LaurelReports

/// The report's FSRS calibration equals the one that `Tests/Oracle/calibration.py` computes from the log alone.
@Suite struct CalibrationTests {
    private struct Found: Decodable {
        var reviews: Int
        var predicted: Double?
        var remembered: Double?
        var logLoss: Double?
        var rmse: Double?
        var young: Double?
        var mature: Double?
    }

    @Test("Of a simulated log", arguments: [UInt64(31), 32])
    func ofASimulatedLog(seed: UInt64) throws {
        let lines = Class.lines(learners: 6, days: 120, seed: seed)
        let found: [String: Found] = try Oracle.run(
            "calibration.py",
            ["--from", "2026-01-19", "--through", "2026-04-12"],
            lines
        )
        let engine = try Class.engine(lines, rules: try Oracle.rules("starter.yaml"))
        let maker = try ReportMaker("mastery", engine, week: "2026-W15")
        var compared = 0
        for learner in found.keys.sorted() {
            let document = try maker.learner(learner)
            let exhibits = document.sections.flatMap(\.exhibits)
            let table = try #require(exhibits.last { $0.show == .headline }?.table)
            let wanted = try #require(found[learner])
            let names = ["predicted", "remembered", "log_loss", "rmse"]
            let values = names.map { name in table.index(of: name).flatMap { table.rows.first?[$0].number } }
            let comment = Comment(rawValue: "seed \(seed), \(learner)")
            for (one, other) in zip(values, [wanted.predicted, wanted.remembered, wanted.logLoss, wanted.rmse]) {
                #expect(isSame(one, other), comment)
            }
            let retention = try #require(document.exhibit("True retention")?.table.rows)
            let shares = Dictionary(uniqueKeysWithValues: retention.map { ($0[0].key, $0[1].number) })
            #expect(isSame(shares["Young"] ?? nil, wanted.young), comment)
            #expect(isSame(shares["Mature"] ?? nil, wanted.mature), comment)
            compared += wanted.reviews
        }
        #expect(compared > 500, "seed \(seed)")
    }

    private func isSame(_ one: Double?, _ other: Double?) -> Bool {
        guard let one, let other else { return one == other }
        return abs(one - other) <= 1e-9 * max(1, abs(other))
    }

    @Test(
        "Bins of fsrs-optimizer",
        arguments: [
            (GeometricBins.intervals, [1: 2.48, 3: 2.48, 4: 8.98, 13: 8.98, 14: 32.5, 47: 32.5, 48: 117.65]),
            (GeometricBins.reviews, [1: 2, 2: 4, 3: 4, 4: 7, 6: 7, 7: 13, 12: 13, 13: 25]),
            (GeometricBins.lapses, [0: 0, 1: 2, 2: 3, 3: 5, 5: 5, 6: 9, 8: 9, 9: 15]),
        ]
    )
    func bins(_ bins: GeometricBins, _ expected: [Double: Double]) {
        for (value, bin) in expected { #expect(bins.bin(value) == bin, "\(value)") }
    }

    @Test func whatTheSchedulerDoesNotPredictHasNoCalibration() throws {
        let reviews = (2...8).map { day in
            Class.Event(
                type: "review.graded",
                time: "2026-02-0\(day)T10:00:00Z",
                data: ["word": "sol", "grade": day == 5 ? "again" : "good"]
            )
        }
        let document = try ReportMaker("mastery", Class.engine(reviews, rules: "version: 1"), week: "2026-W06").learner(
            "ana"
        )
        let memory = try #require(document.sections.first { $0.title == "Memory" })
        let shown = memory.exhibits.filter { !$0.isLeftOut }
        #expect(shown.isEmpty)
        let page = try #require(ReportFormat.html.write(document, locale: "en_GB"))
        // The section's heading, and the label of the target line.
        #expect(!page.contains(">Memory<") && !page.contains("Desired:"))
        #expect(isSame(document.exhibit("True retention")?.table.rows.last?[1].number, 500.0 / 6))
    }
}
