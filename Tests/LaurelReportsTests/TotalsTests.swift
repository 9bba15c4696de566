import Laurel
import LaurelEvents
import LaurelProgress
import Testing

@testable import LaurelReports

/// What a report says is what `progress` says.
@Suite struct TotalsTests {
    @Test("Every learner and week of a simulated year", arguments: [UInt64(11)])
    func everyWeek(seed: UInt64) throws {
        let engine = try Class.simulated(learners: 2, days: 365, seed: seed)
        var compared = 0
        for number in 0..<53 {
            let week = CivilDay(number: CivilDay(year: 2026, month: 1, day: 5).number + Int32(7 * number))
            let name = week.weekName(firstWeekday: 1)
            let maker = try ReportMaker("weekly-xp", engine, week: name)
            var sum = 0.0
            for learner in 1...2 {
                let document = try maker.learner("learner-000\(learner)")
                try compare(document, "learner-000\(learner)", engine, "seed \(seed), \(name)")
                sum += document.headline("xp") ?? 0
                compared += 1
            }
            if number % 8 == 0 {
                #expect(try maker.cohort().headline("xp") ?? 0 == sum, "seed \(seed), \(name)")
            }
        }
        #expect(compared == 106)
    }

    private func compare(_ document: Document, _ learner: String, _ engine: ProgressEngine, _ what: String) throws {
        let progress = try #require(try engine.progress(of: learner, language: nil, at: document.asOf))
        let comment = Comment(rawValue: "\(what), \(learner), \(document.asOf)")
        #expect(document.headline("xp") == progress.weeklyXP, comment)
        #expect(document.headline("streak") == Double(progress.currentStreak), comment)
        #expect(document.headline("level") == Double(progress.currentLevel), comment)
        #expect(document.exhibit("XP by day and source")?.sum("xp") == progress.weeklyXP, comment)
        #expect(document.exhibit("XP by source")?.sum("xp") == progress.weeklyXP, comment)
        let weeks = try #require(document.exhibit("XP by week"))
        #expect(weeks.table.rows.last?[1].number == progress.weeklyXP, comment)
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
                #expect(document.headline("known") == Double(progress.totalWordsKnown), comment)
                #expect(document.headline("learned") == Double(progress.totalWordsLearned), comment)
                #expect(document.headline("mastered") == Double(progress.vocabulary.mastered), comment)
                #expect(document.headline("due") == Double(progress.wordsDueForReview), comment)
                let last = document.exhibit("Words by mastery")?.table.rows.last?.compactMap(\.number) ?? []
                let buckets = progress.vocabulary
                if progress.totalWordsKnown > 0 {
                    let expected = [buckets.new, buckets.learning, buckets.reviewing, buckets.mastered].map(Double.init)
                    #expect(last == expected, comment)
                }
            }
        }
    }
}

/// When a week ends, and what is in it.
@Suite struct WeekTests {
    private func session(_ time: String, _ subject: String = "ana") -> Class.Event {
        Class.Event(subject: subject, time: time, data: ["durationMs": 600_000])
    }

    @Test func aWeekEndsWhenTheLearnersClockSaysSo() throws {
        // Sunday night in Honolulu is Monday morning in UTC.
        let engine = try Class.told([
            session("2026-02-07T20:00:00-10:00"), session("2026-02-08T23:30:00-10:00"),
            session("2026-02-09T00:30:00-10:00"),
        ])
        let document = try ReportMaker("weekly-xp", engine, week: "2026-W06").learner("ana")
        #expect("\(document.asOf)" == "2026-02-08T23:59:59.999-10:00")
        // Two sessions, and 5 % and 10 % for the streak.
        #expect(document.headline("xp") == 107)
        #expect(document.headline("sessions") == 2)
        #expect(document.isUnfinished == false)
    }

    @Test func aTravellersWeekHoldsAllItsDays() throws {
        // Monday in Tokyo, then Sunday again in Los Angeles.
        let engine = try Class.told([
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
        let before = try ReportMaker("weekly-xp", try Class.told(early), week: "2026-W06", at: "2026-02-10T00:00:00Z")
        let after = try ReportMaker("weekly-xp", try Class.told(early + later), week: "2026-W06")
        for format in [ReportFormat.html, .markdown, .json] {
            let expected = format.write(try before.learner("ana"), locale: "en_GB")
            #expect(format.write(try after.learner("ana"), locale: "en_GB") == expected)
            #expect(
                format.write(try after.cohort(), locale: "en_GB") == format.write(try before.cohort(), locale: "en_GB")
            )
        }
    }

    @Test func theWeekUnderWayIsAsOfTheInstant() throws {
        let engine = try Class.told([session("2026-02-03T10:00:00Z"), session("2026-02-05T10:00:00Z")])
        let maker = try ReportMaker("weekly-xp", engine, week: "2026-W06", at: "2026-02-04T10:00:00Z")
        let document = try maker.learner("ana")
        #expect(document.isUnfinished)
        #expect(document.headline("sessions") == 1)
    }
}
