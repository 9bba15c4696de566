// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelResults
import Testing

@testable import LaurelService
@testable import LaurelStore

/// Each check of the page Health fails for its cause, and for nothing less.
@Suite struct HealthTests {
    private struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Finding.Status
        let finding: Finding
        let says: String

        init(_ name: String, _ status: Finding.Status, _ finding: Finding, says: String = "") {
            (testDescription, self.status, self.finding, self.says) = (name, status, finding, says)
        }
    }

    private static let gigabyte: Int64 = 1_000_000_000
    private static let now: Int64 = 1_790_000_000_000

    private static let machine = [
        Row("room", .ok, MachineExamination.disk(free: 2 * gigabyte, store: gigabyte)),
        Row("less room than the store", .warning, MachineExamination.disk(free: gigabyte, store: gigabyte)),
        Row("no room", .error, MachineExamination.disk(free: 1 << 20, store: 0), says: "1 MB free"),
        Row("no folder", .error, MachineExamination(store: "/nowhere/laurel.db").disk(), says: "no folder /nowhere"),
        Row("a clock", .ok, MachineExamination.clock(now, written: now + 1000)),
        Row("before 2026", .error, MachineExamination.clock(1_700_000_000_000, written: nil)),
        Row("a file of tomorrow", .error, MachineExamination.clock(now, written: now + 86_400_001)),
        Row("time zones", .ok, MachineExamination.timeZones(in: "/usr/share", nil, store: "laurel.db")),
        Row("no time zones", .error, MachineExamination.timeZones(in: "/nowhere", nil, store: "laurel.db")),
        Row("other time zones", .warning, MachineExamination.timeZones(in: "/usr", "they differ", store: "laurel.db")),
        Row("a program", .ok, .version(program: "/usr/bin/laurel"), says: laurelVersion),
        Row("an upgraded program", .warning, .version(program: "/usr/bin/laurel (deleted)"), says: "was replaced"),
    ]

    private static let queues = [
        Row("ordinary queues", .ok, .queues(uploads: 0.09, questions: 0)),
        Row("a long write queue", .warning, .queues(uploads: 0.1, questions: 0.05), says: "write queue"),
        Row("a full read queue", .error, .queues(uploads: 0.2, questions: 0.5), says: "read queue is filled to 50"),
    ]

    private static let quarantine = [
        Row("nothing refused", .ok, .quarantine(0)),
        Row("one line", .warning, .quarantine(1, refused: 1, of: 1), says: "1 line was refused"),
        Row("few of many", .warning, .quarantine(30, refused: 20, of: 401)),
        Row("a twentieth", .error, .quarantine(30, refused: 20, of: 400), says: "20 of them in the last hour"),
    ]

    private static func trend(
        silence: Double = 0,
        perMinute: Double = 1,
        recent: Int = 0,
        usual: Double? = nil
    ) -> Finding {
        var trend = IntakeWatch.Trend()
        (trend.silence, trend.perMinute, trend.recent, trend.usual) = (silence, perMinute, recent, usual)
        return .intake(trend, isUsed: true)
    }

    private static let intake = [
        Row("a night", .ok, trend(silence: 23 * 3600)),
        Row("a day without events", .warning, trend(silence: 24 * 3600), says: "for 24 hours"),
        Row("a long weekend", .error, trend(silence: 72 * 3600)),
        Row("an unused store", .ok, .intake(IntakeWatch.Trend(silence: 72 * 3600), isUsed: false)),
        Row("the end of a lesson", .ok, trend(silence: 600, perMinute: 150)),
        Row("a busy service falls silent", .error, trend(silence: 600, perMinute: 1000), says: "for 10 minutes"),
        Row("the start of a lesson", .ok, trend(recent: 800, usual: 0)),
        Row("a growing app", .ok, trend(recent: 90_000, usual: 10_000)),
        Row("a client that repeats", .warning, trend(recent: 100_000, usual: 10_000), says: "usually 10,000"),
        Row("a new node", .ok, trend(recent: 100_000)),
    ]

    private static func receiver(_ attempts: Int, status: Int? = 500, isOff: Bool = false) -> Finding {
        var webhook = Webhook(id: "w", url: "https://hook.example", events: [], secret: "", createdAt: Date())
        if isOff { webhook.disabledAt = Date() }
        let announcement = Announcement(.levelReached, learner: "ana", [:])
        var message = WebhookMessage(announcement, to: webhook, at: Date())
        (message.attempts, message.lastStatus) = (attempts, status)
        return Finding.webhooks([Finding.Receiver(webhook, waiting: [message])])[0]
    }

    private static let webhooks = [
        Row("no webhook", .ok, Finding.webhooks([])[0]),
        Row("one failure", .ok, receiver(1)),
        Row("two failures", .warning, receiver(2), says: "answers with status 500; 1 message failed, up to 2 times"),
        Row("half an hour", .error, receiver(4, status: nil), says: "does not answer"),
        Row("410", .error, receiver(0, isOff: true), says: "answered 410"),
    ]

    private static func job(_ kind: String, _ state: StoredJob.State, attempts: Int = 1) -> StoredJob {
        var job = StoredJob(id: kind, kind: kind)
        (job.state, job.attempts) = (state, attempts)
        if state == .failed { job.problem = #"{"detail":"no space left"}"# }
        return job
    }

    private static let jobs = [
        Row("no jobs", .ok, Finding.jobs([])[0]),
        Row("a failure", .error, Finding.jobs([job("replay", .failed)])[0], says: "failed: no space left"),
        Row("success after a failure", .ok, Finding.jobs([job("replay", .done), job("replay", .failed)])[0]),
        Row("another kind succeeds", .error, Finding.jobs([job("verify", .done), job("replay", .failed)])[0]),
        Row("begun again and again", .warning, Finding.jobs([job("replay", .running, attempts: 3)])[0]),
    ]

    @Test(arguments: machine + queues + quarantine + intake + webhooks + jobs)
    private func `each check finds its trouble`(row: Row) {
        #expect(row.finding.status == row.status, "\(row.finding)")
        #expect(row.says.isEmpty || row.finding.message.contains(row.says), "\(row.finding)")
        #expect((row.finding.advice == nil) == (row.status == .ok), "trouble comes with advice")
    }

    @Test func `the hour tells silence and surges`() {
        let watch = IntakeWatch()
        let start = Date(milliseconds: Self.now)
        func note(_ refused: Int, minutes: Double) {
            var report = RequestReport()
            report.refused = refused
            watch.note(IntakeCounts(), [.done(report)], at: start + minutes * 60)
        }
        #expect(watch.trend(at: start + 600, since: start).silence == 600)
        for minute in stride(from: 0.0, to: 30, by: 1) { note(10, minutes: minute) }
        note(500, minutes: 39)
        let trend = watch.trend(at: start + 40 * 60, since: start)
        #expect(trend.silence == 60 && trend.lines == 800 && trend.refused == 800 && trend.recent == 500)
        #expect(trend.usual == 300.0 / 7)
        #expect(watch.trend(at: start + 20 * 60, since: start).usual == nil)
    }

    @Test func `the page and the navigation show trouble`() throws {
        let test = try TestService()
        try test.post(event("1"))
        let well = try test.get("/health").text
        #expect(well.contains("<h1>All is well</h1>") && !well.contains("class=\"dot"))
        let checks = ["store", "disk", "queues", "webhooks", "quarantine", "intake", "jobs", "clock", "time zones"]
        #expect(checks.allSatisfy { well.contains("data-check=\"\($0)\"") })
        try test.post("nonsense")
        let page = try test.get("/health").text
        #expect(page.contains("<h1>1 warning</h1>") && page.contains("1 line was refused"))
        #expect(try test.get("/learners").text.contains("class=\"dot warn\""))
        let reader = try test.key([.read])
        #expect(!(try test.get("/learners", headers: EntranceTests.cookie(test, reader)).text.contains("class=\"dot")))
    }
}
