// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports
import LaurelStore

/// Findings from the measured values of a service.
extension Finding {
    // MARK: Queues

    /// The filled share of a queue from which a warning is given. An ordinary queue is soon empty again. At this share,
    /// requests arrive faster than they are answered.
    private static let filling = 0.1
    /// The filled share of a queue from which an error is reported. At this share, clients soon have to wait, or are
    /// refused.
    private static let full = 0.5

    /// - Parameters:
    ///   - uploads: the filled share of the write queue, 0 to 1.
    ///   - questions: the filled share of the read queue, 0 to 1.
    static func queues(uploads: Double, questions: Double) -> Finding {
        let isOfWrites = uploads >= questions
        let share = max(uploads, questions)
        guard share >= filling else { return Finding("queues", .ok, "nobody waits long to store or to read") }
        let percent = WrittenText.percent(share * 100)
        return Finding(
            "queues",
            share >= full ? .error : .warning,
            isOfWrites ? "the write queue is filled to \(percent)" : "the read queue is filled to \(percent)",
            advice: isOfWrites
                ? "look for a slow disk or database, and for a client that sends again and again"
                : "look at the requests below for slow or frequent routes, and add processors or nodes"
        )
    }

    // MARK: Webhooks

    /// The waiting messages of one webhook.
    struct Receiver {
        var webhook: Webhook
        /// The number of messages that have failed at least once.
        var failed = 0
        /// The highest number of attempts of any message.
        var attempts = 0
        /// The HTTP status of the latest attempt, for the message with the most attempts; nil if no answer came.
        var status: Int?

        init(_ webhook: Webhook, waiting: [WebhookMessage]) {
            self.webhook = webhook
            failed = waiting.count { $0.attempts > 0 }
            let worst = waiting.max { $0.attempts < $1.attempts }
            (attempts, status) = (worst?.attempts ?? 0, worst?.lastStatus)
        }
    }

    /// The minimum number of failed attempts of a message after which its webhook is reported. The second attempt
    /// comes after five seconds, so a short interruption is not reported.
    private static let mostAttempts = 2
    /// The minimum number of failed attempts of a message after which an error is reported instead of a warning. At
    /// that time, the receiver has failed for half an hour. A restart takes less time.
    private static let mostRestarts = 4

    static func webhooks(_ receivers: [Receiver]) -> [Finding] {
        let troubles = receivers.compactMap(trouble)
        guard troubles.isEmpty else { return troubles }
        let told: PageText = receivers.isEmpty ? "there are none" : "no message waits after a failure"
        return [Finding("webhooks", .ok, told, link: Link("webhooks"))]
    }

    private static func trouble(of receiver: Receiver) -> Finding? {
        let (link, url) = (Link("webhooks", receiver.webhook.id), receiver.webhook.url.shortened)
        if receiver.webhook.disabledAt != nil {
            let advice: PageText = "remove the webhook, or add it again when its server is back"
            return Finding("webhooks", .error, "\(url) answered 410, and is off", advice: advice, link: link)
        }
        guard receiver.attempts >= mostAttempts else { return nil }
        let (failed, times) = (receiver.failed, receiver.attempts)
        return Finding(
            "webhooks",
            receiver.attempts >= mostRestarts ? .error : .warning,
            receiver.status.map {
                "\(url) answers with status \("\($0)"); \(failed, "message") failed, up to \(times, "time")"
            } ?? "\(url) does not answer; \(failed, "message") failed, up to \(times, "time")",
            advice: "look at the server’s log; messages are sent again for three days, at once from the webhook’s page",
            link: link
        )
    }

    // MARK: Quarantine

    /// The minimum share of refused lines in an hour that points to a fault in an app, not in a single device.
    private static let refusedShare = 0.05
    /// The minimum number of refused lines in an hour for which the share is meaningful.
    private static let leastRefused = 20

    /// - Parameters:
    ///   - lines: the number of lines in quarantine.
    ///   - refused: the number of lines that were refused within the last hour.
    ///   - received: the number of lines that arrived within the last hour.
    package static func quarantine(_ lines: Int, refused: Int = 0, of received: Int = 0) -> Finding {
        let link = Link("intake").at("quarantine")
        guard lines > 0 else { return Finding("quarantine", .ok, "nothing was refused", link: link) }
        if refused >= leastRefused, Double(refused) >= refusedShare * Double(received) {
            return Finding(
                "quarantine",
                .error,
                "\(lines, "line was", "lines were") refused, \(refused) of them in the last hour",
                advice: "look for an app that was released lately; repair its lines after it is mended",
                link: link
            )
        }
        let advice: PageText = "`laurel quarantine list` says why, `quarantine export` gives them back"
        let told: PageText = "\(lines, "line was", "lines were") refused"
        return Finding("quarantine", .warning, told, advice: advice, link: link)
    }

    // MARK: Intake

    /// A time without lines that is longer than any usual night, in seconds.
    private static let silentDay = 86_400.0
    /// A time without lines that is longer than any weekend, in seconds.
    private static let silentWeekend = 3 * 86_400.0
    /// The time without lines after which a busy service counts as silent, in seconds.
    private static let silentMinutes = 600.0
    /// The minimum number of lines per minute of a busy service. A class sends fewer lines, so the end of a
    /// lesson does not count as silence.
    private static let busy = 1000.0
    /// The factor by which the lines of five minutes must exceed the usual number to count as a surge.
    private static let surge = 10.0
    /// The minimum number of lines in five minutes that counts as a surge. The start of a lesson brings fewer lines.
    private static let leastSurge = 10_000

    /// - Parameter isUsed: true if the store has events.
    static func intake(_ trend: IntakeWatch.Trend, isUsed: Bool) -> Finding {
        let link = Link("intake")
        let silence = WrittenText.span(trend.silence)
        let isSilent = trend.silence >= silentDay || (trend.silence >= silentMinutes && trend.perMinute >= busy)
        if isUsed, isSilent {
            return Finding(
                "intake",
                trend.silence >= silentWeekend || trend.perMinute >= busy ? .error : .warning,
                "no event has come to this node for \(silence)",
                advice: "send one from the page Intake; then check the app’s tokens, the proxy and its certificate",
                link: link
            )
        }
        if let usual = trend.usual, trend.recent >= leastSurge, Double(trend.recent) >= surge * usual {
            return Finding(
                "intake",
                .warning,
                "\(trend.recent) lines came within five minutes, usually \(Int(usual))",
                advice: "look at the page Intake for the source; a client may send the same again and again",
                link: link
            )
        }
        let told: PageText =
            trend.lines == 0 ? "nothing came for \(silence)" : "\(trend.lines, "line") came in the last hour"
        return Finding("intake", .ok, told, link: link)
    }

    // MARK: Jobs

    /// The minimum number of attempts of a job after which the job itself is the probable reason why its process ended.
    /// Restarts of a node cause fewer attempts.
    private static let mostBegun = 3

    /// - Parameter jobs: all jobs, the newest first.
    static func jobs(_ jobs: [Jobs.Listing]) -> [Finding] {
        var seen: Set<String> = []
        // Only the latest ended job of each kind counts, because a success makes earlier failures irrelevant.
        let latest = jobs.filter { !$0.isUnderWay && seen.insert($0.kind).inserted }
        let failed = latest.filter { $0.state == .failed }.map { job in
            Finding(
                "jobs",
                .error,
                "“\(job.title)” failed: \(job.complaint.map { "\($0.shortened)" } ?? "no reason is known")",
                advice: "solve what its page says, and start it again",
                link: Link("jobs", job.id)
            )
        }
        let stuck = jobs.filter { $0.isUnderWay && $0.attempts >= mostBegun }.map { job in
            Finding(
                "jobs",
                .warning,
                "“\(job.title)” was begun \(job.attempts, "time")",
                advice: "look into the log of its node for the reason why the process ended",
                link: Link("jobs", job.id)
            )
        }
        guard failed.isEmpty, stuck.isEmpty else { return failed + stuck }
        return [Finding("jobs", .ok, "the latest of each kind ended well", link: Link("jobs"))]
    }

    // MARK: Version

    /// - Parameter program: the path of the running program, as `/proc/self/exe` reports it; nil if it is unknown.
    static func version(program: String?) -> Finding {
        // Linux adds this mark if an upgrade has replaced the program's file.
        guard program?.hasSuffix(" (deleted)") == true else {
            return Finding("version", .ok, "Laurel \(laurelVersion)")
        }
        return Finding(
            "version",
            .warning,
            "Laurel \(laurelVersion) runs, but its file was replaced",
            advice: "restart the service, so that the installed version runs"
        )
    }
}
