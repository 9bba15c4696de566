// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelWire

/// The page of one learner. Each number links to its explanation.
extension Route {
    static let learnerPages = [
        page("/learners/{id}", access: .learner) { try LearnerPage(LearnerVisit($0)).page() },
        page("/learners/{id}/words", access: .learner) { try WordsPage(LearnerVisit($0)).page() },
        page("/learners/{id}/sessions", access: .learner) { try SessionsPage(LearnerVisit($0)).page() },
        page("/learners/{id}/sessions/{session}", access: .learner) { try SessionPage(LearnerVisit($0)).page() },
    ]
}

private struct LearnerPage {
    private static let sessions = 5

    let at: LearnerVisit
    let picture: LearnerPicture
    let activity: LearnerActivity
    /// The ids of the learner's groups.
    let groups: [String]
    let leagues: LeaguesCard

    var progress: LearnerProgress { picture.progress }

    init(_ at: LearnerVisit) throws {
        self.at = at
        let instant = Timestamp(milliseconds: at.now.milliseconds)
        let weeks = LearnerActivity.weeks
        let found = try at.visit.engine.picture(of: at.id, language: at.language, weeks: weeks, at: instant)
        guard let found else { throw at.unknownLanguage }
        picture = found
        activity = LearnerActivity(picture, PageChart.sources(at.visit.engine))
        groups = try at.visit.engine.groupIDs(of: at.id, at: instant)
        leagues = try LeaguesCard(at)
    }

    func page() throws -> Page {
        let name = progress.displayName ?? at.id
        return try Page("\(name)", .learners, live: Link("v1", "learners", at.id, "stream")) { html in
            writeHead(name, &html)
            at.writeLanguages(picture.languages, &html)
            html.element("div", ["id": "live"]) { live in
                live.add(PageChart.patterns())
                writeTiles(&live)
                GamesCard(progress: progress, at: at).write(&live)
                writeGroups(&live)
                leagues.write(&live)
                writeActivity(&live)
                live.element("div", ["class": "columns"]) { columns in
                    columns.element("div", ["class": "column"]) { writeWords(&$0) }
                    columns.element("div", ["class": "column"]) { writeSessions(picture.sessions, &$0) }
                }
                writeAchievements(picture.achievements, &live)
            }
            try ActingCard(at).write(&html)
        }
    }

    /// Writes links to the learner's groups, if there are any.
    private func writeGroups(_ html: inout HTML) {
        guard !groups.isEmpty else { return }
        html.card("Groups") { card in
            card.element("ul") { list in
                for group in groups {
                    list.element("li") { item in
                        item.element("a", ["href": Link("groups", group).text]) { $0.data(group) }
                    }
                }
            }
        }
    }

    private func writeHead(_ name: String, _ html: inout HTML) {
        html.element("div", ["class": "head"]) { head in
            if at.visit.caller.learner == nil {
                head.element("nav", ["class": "crumbs", "aria-label": WrittenText.text("Where you are")]) { nav in
                    nav.link(Link("learners"), "Learners")
                    nav.element("span", ["aria-hidden": "true"], text: " / ")
                    nav.element("span", ["aria-current": "page"], text: "Learner")
                }
            }
            head.element("h1") { $0.data(name) }
            head.element("p", ["class": "lead"]) { lead in
                if progress.displayName != nil {
                    lead.data(at.id)
                    lead.write(" · ")
                }
                if let rules = progress.rules {
                    lead.write("\(progress.events, "event") · under the rules \(data: rules.name.shortened)")
                } else {
                    lead.write("\(progress.events, "event")")
                }
            }
        }
    }

    private func writeTiles(_ html: inout HTML) {
        html.element("div", ["class": "exhibit tiles"]) { tiles in
            tiles.tile(
                "Streak",
                "\(progress.currentStreak, "day")",
                why: at.link("why", "streak"),
                small: streakNote
            )
            tiles.tile("Last practice", lastPractice, small: absence)
            tiles.tile(
                "Level",
                "\(progress.currentLevel)",
                why: at.link("why", "xp"),
                small: "\(WrittenText.percent(progress.levelProgressPercent)) of the way to the next"
            )
            tiles.tile(
                "XP",
                "\(progress.totalXP)",
                why: at.link("why", "xp"),
                small: "\(progress.weeklyXP) this week"
            )
            tiles.tile(
                "Words learned",
                "\(progress.totalWordsLearned)",
                why: at.link("words"),
                small: "of \(progress.totalWordsKnown) known, \(progress.wordsDueForReview) due"
            )
            tiles.tile(
                "Practice",
                "\(WrittenText.minutes(progress.totalMinutesPlayed))",
                why: at.link("sessions"),
                small: "today \(progress.todayMinutes) of \(progress.dailyGoalMinutes) min"
            )
            if let estimate = progress.estimatedCEFR {
                tiles.tile("CEFR, estimated", "\(estimate.rawValue)", why: at.link("words"))
            }
            if let events = progress.flaggedEvents, events > 0 {
                tiles.tile(
                    "Flagged",
                    "\(events, "event")",
                    why: at.link("flags"),
                    small: "\(progress.flaggedXP ?? 0) XP left out of leaderboards"
                )
            }
        }
    }

    /// A warning if the streak ends tonight; otherwise the longest streak and the streak freezes.
    private var streakNote: PageText {
        if picture.isAtRisk { return "ends tonight without practice" }
        let (longest, freezes) = (progress.longestStreak, progress.streakFreezes)
        return freezes > 0 ? "longest \(longest, "day"), \(freezes, "freeze") held" : "longest \(longest, "day")"
    }

    private var lastPractice: PageText {
        guard let last = progress.lastActivityDate else { return "Never" }
        return last == picture.today ? "Today" : "\(WrittenText.day(last))"
    }

    private var absence: PageText? {
        let days = progress.lastActivityDate.map { Int(picture.today.number - $0.number) } ?? 0
        return days >= 7 ? "away for \(days / 7, "week")" : nil
    }

    private func writeActivity(_ html: inout HTML) {
        guard !activity.days.isEmpty else {
            html.card("Days") { $0.empty("No days yet", "The days of the last twelve weeks appear here.") }
            return
        }
        html.card("The last twelve weeks") { card in
            let title = WrittenText.text("XP and the streak, day by day")
            card.add(PageChart.calendar(title, unit: "XP", days: activity.days))
            let streak = HTML { $0.link(at.link("why", "streak"), "the streak day by day") }
            card.element("p", ["class": "note"], text: "What a day was to the streak, and why: \(streak).")
        }
        html.card("XP by day and source") { card in
            guard !activity.sources.isEmpty else {
                return card.empty(
                    "No XP in two weeks",
                    "XP of the last fourteen days appears here, by what it was for."
                )
            }
            card.add(
                PageChart.stackedDays(
                    WrittenText.text("XP by day and source"),
                    unit: "XP",
                    series: activity.sources.map { ($0.name.shortened, $0.color) },
                    rows: activity.stacks
                )
            )
            let days = HTML { days in
                for day in activity.stacks.suffix(7).reversed() where day.values.contains(where: { $0 != 0 }) {
                    days.link(at.link("why", "xp", query: ["day": "\(day.day)"]), "\(WrittenText.day(day.day))")
                    days.write("  ")
                }
            }
            card.element("p", ["class": "note"], text: "Every award with the values that went in: \(days)")
        }
    }

    private func writeWords(_ html: inout HTML) {
        let counts = progress.vocabulary
        html.card("Words") { card in
            guard progress.totalWordsKnown > 0 else {
                return card.empty("No words yet", "Words appear with the first review or encounter.")
            }
            card.add(
                PageChart.bars(
                    WrittenText.text("Words"),
                    unit: (one: "word", other: "words"),
                    rows: [
                        (WrittenText.text("New"), Double(counts.new)),
                        (WrittenText.text("Learning"), Double(counts.learning)),
                        (WrittenText.text("Reviewing"), Double(counts.reviewing)),
                        (WrittenText.text("Mastered"), Double(counts.mastered)),
                    ]
                )
            )
            card.element("p", ["class": "note"]) { note in
                note.link(
                    at.link("words", query: ["due": "true"]),
                    "\(progress.wordsDueForReview, "word") due for review"
                )
                note.write(" · ")
                note.link(at.link("words"), "All words")
            }
        }
    }

    private func writeSessions(_ sessions: [Session], _ html: inout HTML) {
        html.card("Sessions") { card in
            guard !sessions.isEmpty else {
                return card.empty("No sessions yet", "A session appears once it has begun.")
            }
            card.element("ul", ["class": "list"]) { list in
                for session in sessions.prefix(Self.sessions) {
                    list.element("li") { item in
                        item.element("a", ["href": at.link("sessions", session.id).text]) { link in
                            link.time(session.startedAt, now: at.now)
                        }
                        item.element("span", ["class": "end"]) { end in
                            end.write("\(session.xpEarned) XP")
                        }
                    }
                }
            }
            card.element("p", ["class": "note"]) { $0.link(at.link("sessions"), "All sessions") }
        }
    }

    private func writeAchievements(_ achievements: [Achievement], _ html: inout HTML) {
        html.card("Achievements") { card in
            guard !achievements.isEmpty else {
                return card.empty(
                    "The rules have no achievements",
                    "What the rules define appears here with its progress."
                )
            }
            card.element("ul", ["class": "achievements"]) { list in
                for achievement in achievements { write(achievement, &list) }
            }
        }
    }

    private func write(_ achievement: Achievement, _ html: inout HTML) {
        html.element("li", ["class": achievement.isComplete ? "done" : ""]) { item in
            item.element("div") { line in
                line.element(
                    "a",
                    [
                        "href": at.link(
                            "why",
                            "achievement",
                            query: ["achievement": achievement.id, "language": achievement.language ?? at.language]
                        ).text
                    ]
                ) { $0.data(achievement.name) }
                if let language = achievement.language { line.element("span", ["class": "id"]) { $0.data(language) } }
            }
            item.element("p", ["class": "small"]) { $0.data(achievement.description) }
            item.meter("Progress of \(achievement.name)", achievement.progress)
            item.element("p", ["class": "small"]) { line in
                if achievement.tiers > 1 {
                    line.write("Tier \(achievement.tier) of \(achievement.tiers)")
                    line.write(" · ")
                }
                if let date = achievement.unlockedAt {
                    line.write("unlocked \(HTML { $0.time(date, now: at.now) })")
                } else {
                    line.write(WrittenText.percent(achievement.progress * 100))
                }
            }
        }
    }
}
