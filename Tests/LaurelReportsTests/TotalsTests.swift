// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import Synchronization
import Testing

@testable import LaurelReports

/// The numbers of a report equal those of `progress`.
@Suite struct TotalsTests {
    /// The weeks of four months, and those around the new year; for `make report-matrix`, all weeks of the year.
    @Test("Every learner and week of a simulated year", arguments: [UInt64(11)])
    func everyWeek(seed: UInt64) throws {
        let engine = try Class.simulated(learners: 2, days: Class.isWhole ? 365 : 112, seed: seed)
        let weeks = Class.isWhole ? Array(0..<53) : Array(0..<18) + [51, 52]
        let learners = ["learner-0001", "learner-0002"]
        var compared = 0
        var before: [String: [String: Double]] = [:]
        for number in weeks {
            let week = LocalDay(number: LocalDay(year: 2026, month: 1, day: 5).number + Int32(7 * number))
            let name = week.weekName(firstWeekday: 1)
            let maker = try ReportMaker("weekly-xp", engine, week: name)
            var sum = 0.0
            for learner in learners {
                let document = try maker.learner(learner)
                let comment = Comment(rawValue: "seed \(seed), \(name), \(learner), \(document.asOf)")
                let progress = try #require(try engine.progress(of: learner, language: nil, at: document.asOf))
                try compare(document, progress, since: &before[learner, default: [:]], comment)
                if number % 7 == 0 {
                    try compareDays(document, learner, week, engine, comment)
                    try compareLanguages(document, learner, engine, comment)
                }
                sum += document.headline("xp") ?? 0
                compared += 1
            }
            let everyone = try maker.cohort()
            #expect(everyone.headline("xp") ?? 0 == sum, "seed \(seed), \(name)")
            #expect(everyone.exhibit("XP by day")?.sum("xp") == sum, "seed \(seed), \(name)")
            #expect(everyone.exhibit("Most XP this week")?.sum("xp") == sum, "seed \(seed), \(name)")
        }
        #expect(compared == 2 * weeks.count)
    }

    /// All pages of a class are made from one reading of the events. Each page equals the one that is made alone.
    @Test("Pages made together", arguments: ["weekly-xp", "mastery"])
    func together(report: String) throws {
        let engine = try Class.simulated(learners: 4, days: 60, seed: 12)
        let maker = try ReportMaker(report, engine, week: "2026-W08")
        let files = Mutex<[String: String]>([:])
        try maker.each(.json) { name, content in files.withLock { $0[name] = content } }
        let written = files.withLock { $0 }
        #expect(written["class.json"] == ReportFormat.json.write(try maker.cohort(), locale: "en_GB"))
        for learner in ["learner-0001", "learner-0004"] {
            let alone = ReportFormat.json.write(try maker.learner(learner), locale: "en_GB")
            #expect(written["\(learner).json"] == alone, "\(learner)")
        }
    }

    /// - Parameter buckets: the XP of each bucket at the end of the week before; at return, at the end of this week.
    private func compare(
        _ document: Document,
        _ progress: Progress,
        since buckets: inout [String: Double],
        _ comment: Comment
    ) throws {
        #expect(document.headline("xp") == progress.weeklyXP, comment)
        #expect(document.headline("streak") == Double(progress.numbers.currentStreak), comment)
        #expect(document.headline("level") == Double(progress.numbers.level), comment)
        #expect(document.exhibit("XP by day and source")?.sum("xp") == progress.weeklyXP, comment)
        let weeks = try #require(document.exhibit("XP by week"))
        #expect(weeks.table.rows.last?[1].number == progress.weeklyXP, comment)

        let now = Dictionary(uniqueKeysWithValues: progress.numbers.xpByBucket.map { ($0.name, $0.value) })
        let gained = now.merging(buckets.mapValues(-)) { $0 + $1 }.filter { $0.value != 0 }
        let sources = try #require(document.exhibit("XP by source")?.table)
        let found = sources.rows.compactMap { row in row[0].text.map { ($0, row[1].number ?? .nan) } }
        let expected = gained.map { (IdentifierTitle.of($0.key), $0.value) }
        #expect(Dictionary(uniqueKeysWithValues: found) == Dictionary(uniqueKeysWithValues: expected), comment)
        buckets = now
    }

    private func compareLanguages(
        _ document: Document,
        _ learner: String,
        _ engine: ProgressEngine,
        _ comment: Comment
    ) throws {
        for track in try #require(try engine.allProgress(of: learner, at: document.asOf)) where track.language != nil {
            let maker = try ReportMaker("weekly-xp", engine, week: document.week, language: track.language)
            let found = try maker.learner(learner)
            #expect(found.headline("xp") == track.progress.weeklyXP, comment)
            #expect(found.exhibit("XP by source")?.sum("xp") == track.progress.weeklyXP, comment)
        }
    }

    /// The XP of a day is the week's XP on its evening, minus that on the evening before.
    private func compareDays(
        _ document: Document,
        _ learner: String,
        _ week: LocalDay,
        _ engine: ProgressEngine,
        _ comment: Comment
    ) throws {
        let table = try #require(document.exhibit("XP by day and source")?.table)
        let rows = table.rows.map { (day: $0[0].text ?? "", xp: $0[2].number ?? 0) }
        let offset = "\(document.asOf)".suffix(6)
        var before = 0.0
        for number in week.number...week.number + 6 {
            let day = "\(LocalDay(number: number))"
            let evening = try Timestamp("\(day)T23:59:59.999\(offset)")
            let weekly = try #require(try engine.progress(of: learner, language: nil, at: evening)).weeklyXP
            let found = rows.reduce(0) { $1.day == day ? $0 + $1.xp : $0 }
            #expect(found == weekly - before, comment)
            before = weekly
        }
    }

    @Test func masteryIsThatOfProgressInEachLanguage() throws {
        let engine = try Class.simulated(learners: 4, days: 60, seed: 3)
        for learner in (1...4).map({ "learner-000\($0)" }) {
            let overall = try ReportMaker("mastery", engine, week: "2026-W07").learner(learner)
            let tracks = try #require(try engine.allProgress(of: learner, at: overall.asOf))
            for track in tracks {
                let maker = try ReportMaker("mastery", engine, week: "2026-W07", language: track.language)
                let document = try maker.learner(learner)
                let progress = track.progress
                let comment = Comment(rawValue: "\(learner) \(track.language ?? "*")")
                #expect(document.headline("known") == Double(progress.numbers.counts.words.known), comment)
                #expect(document.headline("learned") == Double(progress.numbers.counts.words.learned), comment)
                #expect(document.headline("mastered") == Double(progress.numbers.counts.words.mastered), comment)
                #expect(document.headline("due") == Double(progress.wordsDueForReview), comment)
                let last = document.exhibit("Words by mastery")?.table.rows.last?.compactMap(\.number) ?? []
                let buckets = progress.numbers.counts.words
                if progress.numbers.counts.words.known > 0 {
                    let expected = [buckets.new, buckets.learning, buckets.reviewing, buckets.mastered].map(Double.init)
                    #expect(last == expected, comment)
                }
            }
        }
    }
}

/// The end of a week, and the events in it.
@Suite struct WeekTests {
    private func session(_ time: String, _ subject: String = "ana") -> Class.Event {
        Class.Event(subject: subject, time: time, data: ["durationMs": 600_000])
    }

    @Test func aWeekEndsWhenTheLearnersClockSaysSo() throws {
        // Sunday night in Honolulu is Monday morning in UTC.
        let engine = try Class.engine([
            session("2026-02-07T20:00:00-10:00"), session("2026-02-08T23:30:00-10:00"),
            session("2026-02-09T00:30:00-10:00"),
        ])
        let document = try ReportMaker("weekly-xp", engine, week: "2026-W06").learner("ana")
        #expect("\(document.asOf)" == "2026-02-08T23:59:59.999-10:00")
        // Ten minutes twice, 2 and 4 for the streak, and 10 for the first exercise.
        #expect(document.headline("xp") == 36)
        #expect(document.headline("sessions") == 2)
        #expect(document.isUnfinished == false)
    }

    @Test func aTravellersWeekHoldsAllItsDays() throws {
        // Monday in Tokyo, then Sunday again in Los Angeles.
        let engine = try Class.engine([
            session("2026-02-08T12:00:00+09:00"), session("2026-02-09T08:00:00+09:00"),
            session("2026-02-08T20:00:00-08:00"),
        ])
        let document = try ReportMaker("weekly-xp", engine, week: "2026-W06").learner("ana")
        let progress = try #require(try engine.progress(of: "ana", language: nil, at: document.asOf))
        #expect(document.headline("xp") == progress.weeklyXP)
        #expect(document.exhibit("XP by day and source")?.sum("xp") == progress.weeklyXP)
        #expect("\(document.asOf)" == "2026-02-08T23:59:59.999-08:00")
    }

    @Test func aPastWeekIsTheSameWheneverItIsMade() throws {
        let early = [session("2026-02-03T10:00:00+01:00"), session("2026-02-05T10:00:00+01:00")]
        let later = [session("2026-02-11T10:00:00+01:00"), session("2026-02-19T10:00:00+01:00", "ben")]
        let before = try ReportMaker("weekly-xp", try Class.engine(early), week: "2026-W06", at: "2026-02-10T00:00:00Z")
        let after = try ReportMaker("weekly-xp", try Class.engine(early + later), week: "2026-W06")
        for format in [ReportFormat.html, .markdown, .json] {
            let expected = format.write(try before.learner("ana"), locale: "en_GB")
            #expect(format.write(try after.learner("ana"), locale: "en_GB") == expected)
            #expect(
                format.write(try after.cohort(), locale: "en_GB") == format.write(try before.cohort(), locale: "en_GB")
            )
        }
    }

    @Test func theWeekUnderWayIsAsOfTheInstant() throws {
        let engine = try Class.engine([session("2026-02-03T10:00:00Z"), session("2026-02-05T10:00:00Z")])
        let maker = try ReportMaker("weekly-xp", engine, week: "2026-W06", at: "2026-02-04T10:00:00Z")
        let document = try maker.learner("ana")
        #expect(document.isUnfinished)
        #expect(document.headline("sessions") == 1)
    }
}
