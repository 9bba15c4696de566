// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelRules
import Testing

@testable import LaurelReports

/// The comparison of variants equals that of PyPI's `scipy` 1.17.1 and `gbstats` 0.8.0.
@Suite struct ExperimentReportTests {
    @Test(
        "The tail of chi-square, by scipy.stats.chi2.sf",
        arguments: [
            (x: 0.0, degrees: 1.0, expected: 1.0), (0.5, 1, 0.47950012218695337), (40, 1, 2.5396285894708634e-10),
            (5.991464547107979, 2, 0.05000000000000007), (12.3, 3, 0.006423057576577938),
            (25, 4, 5.0309817823062075e-05), (7.5, 9, 0.5852087693825123), (300, 200, 5.924540335483916e-06),
        ]
    )
    func chiSquare(x: Double, degrees: Double, expected: Double) throws {
        let found = try #require(Distributions.chiSquareTail(x, degrees: degrees))
        #expect(abs(found - expected) <= 1e-12 * expected, "\(found)")
    }

    @Test(
        "Quantiles of Student's distribution, by scipy.stats.t.ppf",
        arguments: [
            (probability: 0.975, degrees: 1.0, expected: 12.706204736174694), (0.975, 2.5, 3.5746548420036817),
            (0.975, 37.25, 2.025733544775226), (0.975, 998.6, 1.9623424145926975), (0.975, 1e5, 1.9599877075346095),
            (0.025, 10, -2.2281388519862753), (0.9995, 3, 12.923978636687961), (0.6, 7.7, 0.26226040672481127),
            (0.5, 4, 0),
        ]
    )
    func student(probability: Double, degrees: Double, expected: Double) throws {
        let found = try #require(Distributions.studentQuantile(probability, degrees: degrees))
        #expect(abs(found - expected) <= 1e-9 * abs(expected), "\(found)")
    }

    @Test func `outside their ranges, the functions have no value`() {
        for (x, degrees) in [(-1, 1), (1, 0), (1, 1.5), (1, 1001), (.nan, 1), (.infinity, 1), (1, .nan)] {
            #expect(Distributions.chiSquareTail(x, degrees: degrees) == nil, "\(x), \(degrees)")
        }
        for (probability, degrees) in [(0, 5), (1, 5), (.nan, 5), (0.975, 0.5), (0.975, .nan)] {
            #expect(Distributions.studentQuantile(probability, degrees: degrees) == nil, "\(probability), \(degrees)")
        }
    }

    private static let rules = """
        version: 1
        streak: {when: event.type == 'line.spoken'}
        experiments:
          pay: {variants: {control: 50, more: 30, most: 20}, from: 2026-02-02, through: 2026-03-29}
        xp: [{id: line, on: line.spoken, award: "experiment.pay == 'more' ? 3 : 2"}]
        """

    /// Sixty learners who practise on some days, from three days before the experiment to a week after it.
    private static var events: [Class.Event] {
        let monday = LocalDay(year: 2026, month: 2, day: 2).number
        var events: [Class.Event] = []
        for learner in 0..<60 {
            for day in (learner % 6 - 3)...62 where (day + learner) % (1 + learner % 4) == 0 {
                let date = LocalDay(number: monday + Int32(day))
                // A remainder may be negative, as the first days are.
                for line in 0...(learner + day + 3) % 3 {
                    let time = "\(date)T10:0\(line):00Z"
                    events.append(Class.Event(subject: "learner-\(learner)", type: "line.spoken", time: time))
                }
            }
        }
        return events
    }

    /// The numbers of a table, from a column up to the next column of text.
    private func numbers(_ document: Document, _ title: String, from column: Int) throws -> [[Double?]] {
        let rows = try #require(document.exhibit(title)?.table.rows)
        return rows.map { row in row.dropFirst(column).map(\.number).prefix { $0 != nil }.map(\.self) }
    }

    private func expectEqual(_ found: [[Double?]], _ expected: [[Double]]) {
        #expect(found.map(\.count) == expected.map(\.count), "\(found)")
        for (one, other) in zip(found.joined(), expected.joined()) {
            #expect(abs((one ?? .nan) - other) < 1e-9, "\(found)")
        }
    }

    @Test("Shares and differences are those of gbstats", arguments: ["*", "es"])
    func comparison(language: String) throws {
        let engine = try Class.engine(Self.events, rules: Self.rules)
        let track = language == "*" ? nil : language
        let document = try ReportMaker("experiments", engine, week: "2026-W14", language: track).cohort()
        // `check_srm([30, 17, 13], [50, 30, 20])`
        let p = 0.9329119603871474
        let shares: [[Double]] = [[30, 50, 50, p], [17, 1700 / 60, 30, p], [13, 1300 / 60, 20, p]]
        expectEqual(try numbers(document, "Learners by variant", from: 2), shares)
        // The sums of each number over the learners of a variant. Shares are in percent.
        let sums: [[Double]] = [
            [870, 700, 700, 2200, 3186, 469], [420, 300, 300, 1300, 2313, 203], [445, 500, 500, 1000, 1672, 328],
        ]
        let means = zip([30.0, 17, 13], sums).map { learners, sums in [learners] + sums.map { $0 / learners } }
        expectEqual(try numbers(document, "Means by variant", from: 2), means)
        // `TwoSidedTTest(control, variant, FrequentistConfig(difference_type="absolute")).compute_result()`, for each number
        // with `SampleMeanStatistic` or, after some days, `ProportionStatistic`. Shares are in percent.
        expectEqual(try numbers(document, "Differences", from: 3), Self.differences)
    }

    private static let differences: [[Double]] = [
        [-4.2941176470588225, -13.95368242292589, 5.3654471288082455],
        [-5.686274509803921, -30.109495353159083, 18.73694633355124],
        [-5.686274509803921, -30.109495353159083, 18.73694633355124],
        [3.1372549019607843, -23.424379823741198, 29.698889627662766],
        [29.858823529411765, -27.685366367536318, 87.40301342635985],
        [-3.6921568627450974, -19.392954411886734, 12.008640686396538],
        [5.2307692307692335, -6.973835335359688, 17.435373796898155],
        [15.12820512820513, -17.275861398615444, 47.5322716550257],
        [15.12820512820513, -17.275861398615444, 47.5322716550257],
        [3.589743589743599, -25.728760245081865, 32.90824742456906],
        [22.41538461538461, -32.34762467270985, 77.17839390347908],
        [9.597435897435897, -11.751704191198321, 30.946575986070116],
    ]

    @Test func `an experiment that lost the learners of a variant is not trusted`() throws {
        let experiment = try #require(try Rules(yaml: Self.rules).ruleSet.experiments.first)
        let engine = try Class.engine(Self.events.filter { experiment.variant(of: $0.subject) == 0 }, rules: Self.rules)
        let rows = try #require(
            try ReportMaker("experiments", engine, week: "2026-W14").cohort().exhibit("Learners by variant")?.table.rows
        )
        #expect(rows.map { $0[2].number } == [30, 0, 0])
        #expect(Set(rows.map { $0[6].key }) == ["no: do not trust the differences"])
    }

    @Test func `a version that brings an experiment begins it, and a version without the experiment ends it`() throws {
        let without = Self.rules.replacing("pay: {", with: "old: {").replacing("experiment.pay", with: "experiment.old")
        let engine = try Class.engine(Self.events, rules: without)
        try engine.apply(Rules(yaml: Self.rules), from: LocalDay(year: 2026, month: 3, day: 2))
        let definition = try ReportLoader.load(Array(Self.list.utf8), file: "list.yaml")
        let request = try ReportRequest(week: "2026-W14", at: "2026-06-01T00:00:00Z")
        let tables = try ReportMaker(definition, engine, request).cohort()
        let variants = try #require(tables.exhibit("Variants")?.table.rows).map { $0.map(\.key) }
        #expect(variants == [["old", "2026-02-02", "2026-03-01"], ["pay", "2026-03-02", "2026-03-29"]])
        let days = try #require(tables.exhibit("Days")?.table.rows).map { $0.map(\.key) }
        #expect(days == [["old", "2026-02-02"], ["pay", "2026-03-02"]])
    }

    private static let list = """
        version: 1
        title: Experiments
        cohort:
          weeks: 20
          sections:
            - exhibits:
                - title: Variants
                  show: table
                  query: SELECT DISTINCT experiment, from_day, through_day FROM variants ORDER BY experiment
                - title: Days
                  show: table
                  query: SELECT experiment, min(first_day) AS day FROM experiments GROUP BY experiment ORDER BY experiment
        """
}
