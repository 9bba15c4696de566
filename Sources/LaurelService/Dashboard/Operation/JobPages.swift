// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelReports
import LaurelStore

/// The page that lists jobs, and the forms that start jobs.
extension Route {
    static let jobPages: [Route] =
        [
            page("/jobs", access: .scopes([.rules])) { try JobPages($0).list() },
            page("/jobs/replay", access: .scopes([EngineJob.replay.scope])) { try JobPages($0).askToReplay() },
            page("/jobs/{id}", access: .scopes([.rules])) { try JobPages($0).one() },
        ]
        + EngineJob.plain.map { job in
            form("/jobs/\(job.kind)", access: .scopes([job.scope])) { visit in
                Visit.seeOther(Link("jobs", try visit.service.jobs.begin(job)))
            }
        }
}

private struct JobPages {
    let visit: Visit

    init(_ visit: Visit) { self.visit = visit }

    func list() throws -> Page {
        let jobs = try visit.service.jobs.all()
        return Page("Jobs", .jobs) { html in
            html.head("Jobs", "What takes longer than a request. Readers never wait for it.")
            html.element("div", ["class": "actions"]) { row in
                row.link(Link("jobs", "replay"), "Rebuild all progress", class: "button")
                if visit.may(EngineJob.verify.scope) {
                    row.post(Link("jobs", "verify")) { $0.button("Check every page of the store") }
                }
            }
            if jobs.isEmpty {
                html.empty("No jobs yet", "Nobody has begun one lately.")
            } else {
                html.table(
                    "Jobs",
                    [
                        TableHead("Job"), TableHead("State"), TableHead("Share done", isNumber: true),
                        TableHead("Began"),
                        TableHead("Took", isNumber: true),
                    ]
                ) { rows in
                    for job in jobs { rows.element("tr") { write(job, &$0) } }
                }
            }
        }
    }

    func askToReplay() throws -> Page {
        let size = try visit.engine.size()
        let confirmation = Confirmation(
            question: "Rebuild the progress of \(size.learners, "learner")?",
            button: "Rebuild all progress",
            action: Link("jobs", "replay"),
            back: Link("jobs")
        )
        return confirmation.page(.jobs) { card in
            let note: PageText =
                "All present numbers are replaced by those that \(size.events, "event gives", "events give")"
                + " under the rules in force. No event is lost, and readers do not wait. Numbers change if another"
                + " version of Laurel or other time zones computed them."
            card.element("p", text: note)
        }
    }

    private func write(_ job: Jobs.Listing, _ row: inout HTML) {
        row.element("th", ["scope": "row"]) { $0.link(Link("jobs", job.id), job.title) }
        row.element("td") { $0.badge(job.stateText, job.tone) }
        row.element("td", ["class": "n"], text: WrittenText.percent(job.share * 100))
        row.element("td") { cell in
            if let date = job.startDate { cell.time(date, now: visit.now) } else { cell.write("–") }
        }
        row.element(
            "td",
            ["class": "n"],
            text: job.seconds.map { seconds -> PageText in "\(WrittenText.number(seconds)) s" } ?? "–"
        )
    }

    func one() throws -> Page {
        guard let job = try visit.service.jobs.listing(visit.path("id")) else {
            throw Problem.notFound("there is no such job, or it has been forgotten")
        }
        return Page(job.title, .jobs) { html in
            html.head(job.title, path: { $0.crumb(to: .jobs, job.title) }) { lead in
                lead.badge(job.stateText, job.tone)
                for (index, fact) in facts(of: job).enumerated() {
                    lead.write(index == 0 ? " " : ", ")
                    lead.write(fact)
                }
            }
            if job.isUnderWay { html.card("How far it is") { $0.jobBar(job) } }
            if let complaint = job.complaint {
                html.element("p", ["class": "notice bad", "role": "alert"]) { $0.data(complaint) }
            }
            if job.kind == "rules", job.state == .done {
                html.element("p", ["class": "notice", "role": "status"]) { notice in
                    notice.write("\(outcome(of: job)) ")
                    notice.link(Link("rules"), "To the rules")
                }
            }
            if let result = job.result { writeResult(Array(result.utf8), &html) }
        }
    }

    /// Facts about a job: its start, its duration, the number of its starts, and the process that runs it.
    private func facts(of job: Jobs.Listing) -> [PageText] {
        let facts: [PageText?] = [
            job.startDate.map { date in "began \(HTML { $0.time(date, now: visit.now) })" },
            job.seconds.map { "took \(WrittenText.number($0)) s" },
            job.attempts > 1 ? "begun \(job.attempts, "time")" : nil,
            job.holder.map { "by \(data: $0.shortened)" },
        ]
        return facts.compactMap(\.self)
    }

    /// A sentence with the day from which the applied rules are in force.
    private func outcome(of job: Jobs.Listing) -> PageText {
        let result = job.result.flatMap { try? LaurelJSON.decode(RulesApplication.self, from: Data($0.utf8)) }
        guard let from = result?.from else { return "The rules are in force." }
        let today = LocalDay(containing: visit.now.milliseconds)
        return from > today ? "Scheduled for \(WrittenText.day(from))." : "In force from \(WrittenText.day(from))."
    }

    private func writeResult(_ bytes: [UInt8], _ html: inout HTML) {
        html.card("What came of it") { card in
            card.element(
                "pre",
                [
                    "class": "code", "tabindex": "0", "role": "region",
                    "aria-label": WrittenText.text("The result as JSON"),
                ]
            ) { pre in
                pre.lines(String(PrettyJSON.text(Array(bytes.prefix(200_000))).prefix(50_000)))
            }
        }
    }
}

extension HTML {
    /// Writes a job's progress. A script updates the progress; without scripts, the reader must reload the page.
    mutating func jobBar(_ job: Jobs.Listing) {
        element(
            "progress",
            [
                "max": "100", "value": "\(Int(job.share * 100))", "aria-label": job.title.written(),
                "data-job": Link("v1", "jobs", job.id).text,
            ],
            text: WrittenText.percent(job.share * 100)
        )
        element(
            "p",
            ["class": "note", "role": "status"],
            text: "\(job.title): \(job.stateText). The page shows the result as soon as it is there."
        )
    }
}

extension Jobs.Listing {
    var title: PageText {
        switch kind {
        case "rules": "Applying rules"
        case "comparison": "Comparing rules"
        case "replay": "Rebuilding all progress"
        case "verify": "Checking the store"
        case "merge": "Merging blocks"
        case "fit": "Fitting schedules to learners"
        case "leagues": "Settling leagues"
        default: "\(kind)"
        }
    }

    var stateText: PageText {
        switch state {
        case .waiting: "waiting"
        case .running: "running"
        case .done: "done"
        case .failed: "failed"
        }
    }
    var isUnderWay: Bool { state == .waiting || state == .running }
    var tone: String { state == .failed ? "bad" : state == .done ? "good" : "" }
}
