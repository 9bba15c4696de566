// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports

/// The page that lists a learner's sessions, the newest first.
struct SessionsPage {
    let at: LearnerVisit

    init(_ at: LearnerVisit) { self.at = at }

    func page() throws -> Page {
        let progress = try at.progress()
        let sessions = try at.learner.sessions(language: at.language, at: at.now)
        let page = ListPage(at.visit.fields.number("page") ?? 1, of: sessions, size: 100)
        return Page("Sessions", .learners) { html in
            html.head("Sessions", "\(sessions.count, "session"), newest first.") {
                at.writePath("Sessions", name: progress.displayName, &$0)
            }
            guard !sessions.isEmpty else {
                return html.empty("No sessions yet", "A session appears once it has begun.")
            }
            writeTable(page.rows, &html)
            html.pages(page, at.link("sessions"))
        }
    }

    private func writeTable(_ sessions: some Sequence<Session>, _ html: inout HTML) {
        let heads = [
            TableHead("Began"), TableHead("Length", isNumber: true), TableHead("XP", isNumber: true),
            TableHead("Lines", isNumber: true), TableHead("New words", isNumber: true), TableHead("Scenario"),
            TableHead("Language"),
        ]
        html.table("Sessions", heads) { rows in
            for session in sessions {
                rows.element("tr") { row in
                    row.element("th", ["scope": "row"]) { cell in
                        cell.element("a", ["href": at.link("sessions", session.id).text]) {
                            $0.time(session.startedAt, now: at.now)
                        }
                    }
                    row.element(
                        "td",
                        ["class": "n"],
                        text: session.durationMs.map { WrittenText.minutes($0 / 60_000) } ?? "–"
                    )
                    row.number(session.xpEarned)
                    row.number(session.linesSpoken)
                    row.number(session.newVocabulary)
                    row.dataCell(session.scenario)
                    row.dataCell(session.language)
                }
            }
        }
    }
}

/// The page with the results of one session.
struct SessionPage {
    let at: LearnerVisit

    init(_ at: LearnerVisit) { self.at = at }

    func page() throws -> Page {
        let progress = try at.progress()
        guard let report = try at.learner.session(at.visit.path("session"), at: at.now) else {
            throw Problem.notFound("the learner has no such session")
        }
        return Page("Session", .learners) { html in
            html.head(
                "Session",
                path: { at.writePath("Session", name: progress.displayName, &$0) }
            ) {
                let start = WrittenText.time(report.startedAt)
                $0.data([start, report.mode, report.scenario, report.partner, report.language])
            }
            writeTiles(report, &html)
            writeXP(report, &html)
            writeLines(report, &html)
            writeWords(report, &html)
        }
    }

    private func writeTiles(_ report: SessionReport, _ html: inout HTML) {
        html.element("div", ["class": "exhibit tiles"]) { tiles in
            tiles.tile(
                "XP",
                "\(report.xpEarned)",
                why: at.link("why", "xp", query: ["session": report.id])
            )
            tiles.tile("Length", "\(report.durationMs.map { "\(WrittenText.minutes($0 / 60_000))" } ?? "–")")
            tiles.tile("Lines", "\(report.linesSpoken)")
            if let accuracy = report.accuracy { tiles.tile("Accuracy", "\(WrittenText.percent(accuracy * 100))") }
            tiles.tile("New words", "\(report.newVocabulary)")
            tiles.tile("Mistakes", "\(report.errorsDetected)", small: "\(report.errorsCorrected) corrected")
        }
    }

    private func writeXP(_ report: SessionReport, _ html: inout HTML) {
        guard !report.xpBreakdown.isEmpty else { return }
        html.card("What XP was for") { card in
            card.element("dl", ["class": "pairs"]) { list in
                for part in report.xpBreakdown {
                    list.element("dt") { $0.data(PageChart.title(ofSource: part.name)) }
                    list.element("dd", text: WrittenText.number(part.value))
                }
            }
        }
    }

    private func writeLines(_ report: SessionReport, _ html: inout HTML) {
        guard !report.lines.isEmpty else { return }
        html.card("Dialog") { card in
            card.element("ol", ["class": "dialog"]) { list in
                for line in report.lines.prefix(500) {
                    list.element("li") { item in
                        item.element("p") { text in
                            text.data(line.text ?? line.line ?? WrittenText.text("A line"))
                            if line.isSkipped { text.badge("skipped") }
                        }
                        item.element("p", ["class": "small"]) { small in
                            let mistakes = line.errors.flatMap { $0 > 0 ? WrittenText.text("\($0, "mistake")") : nil }
                            let judged = [line.accuracy.map { WrittenText.percent($0 * 100) }, mistakes]
                            if let translation = line.translation {
                                small.data(translation)
                                if !judged.allSatisfy({ $0 == nil }) { small.write(" · ") }
                            }
                            small.write(judged.compactMap(\.self).joined(separator: " · "))
                        }
                    }
                }
            }
        }
    }

    private func writeWords(_ report: SessionReport, _ html: inout HTML) {
        guard !report.newWords.isEmpty else { return }
        html.card("New words") { card in
            card.element("ul", ["class": "chips"]) { list in
                for word in report.newWords.prefix(200) {
                    list.element("li") { item in
                        item.element("a", ["href": at.link("why", "word", query: ["word": word.id]).text]) {
                            $0.data(word.text ?? word.id)
                        }
                    }
                }
            }
        }
    }
}
