// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports
import Synchronization

/// The checks of a running service, for the page Health and for the dot in the navigation.
struct HealthExamination {
    /// The maximum number of waiting messages of a webhook that are examined. If the receiver fails, soon all messages
    /// have failed, so a part of them is enough.
    private static let mostMessages = 200

    let service: LaurelService
    let now: Date
    /// True to include the checks that may take long: a trial write, and the examination of the database server.
    var probes = true

    /// The results, the worst first. Each check runs separately, so that one failure does not hide another.
    func findings() -> [Finding] {
        let machine = MachineExamination(store: service.options.store)
        let isDatabase = StoreLocation(service.options.store).isDatabase
        var list = [store()]
        list += attempt("database") { try isDatabase && probes ? database() : [] }
        if !isDatabase { list.append(machine.disk()) }
        list.append(.queues(uploads: service.commit.filled, questions: service.questions.filled))
        list += attempt("webhooks") { try Finding.webhooks(receivers()) }
        let (size, trend) = (
            Result { try service.engine.size() }, service.watch.trend(at: now, since: service.startedAt)
        )
        list += attempt("quarantine") {
            [.quarantine(try size.get().quarantined, refused: trend.refused, of: trend.lines)]
        }
        list += attempt("intake") { [.intake(trend, isUsed: try size.get().events > 0)] }
        list += attempt("jobs") { try Finding.jobs(service.jobs.all()) }
        list += [machine.clock(), machine.timeZones(service.engine), .version(program: Self.program)]
        return Finding.Status.allCases.reversed().flatMap { status in list.filter { $0.status == status } }
    }

    private func attempt(_ name: String, _ check: () throws -> [Finding]) -> [Finding] {
        do { return try check() } catch {
            let advice: PageText = "the service’s log says more"
            return [Finding(name, .error, "this cannot be examined: \(Problem(error).detail)", advice: advice)]
        }
    }

    private func store() -> Finding {
        guard service.isReady else { return Finding("store", .warning, "the service is ending") }
        guard let failure = probes ? service.health.check() : service.health.failure else {
            return Finding("store", .ok, "events can be stored")
        }
        let advice: PageText =
            "free disk space, or bring the disk or database back; clients keep what they send"
        return Finding("store", .error, "nothing can be stored: \(failure.message)", advice: advice)
    }

    private func database() throws -> [Finding] {
        DatabaseExamination(status: try StoreManagement(StoreLocation(service.options.store)).status()).findings()
    }

    private func receivers() throws -> [Finding.Receiver] {
        try service.keys.records.webhooks.map { webhook in
            let due = try service.engine.dueMessages(to: webhook.id, at: .distantFuture, limit: Self.mostMessages)
            return Finding.Receiver(webhook, waiting: due.compactMap(\.message))
        }
    }

    private static var program: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
}

/// The worst result of the checks. The navigation of every page shows it.
final class Condition: Sendable {
    /// The seconds for which a result is reused, so that a page seldom waits for the checks.
    private static let patience = 15.0
    private let known = Mutex<(worst: Finding.Status, at: Date)?>(nil)

    /// - Returns: the worst of the results.
    @discardableResult
    func note(_ findings: [Finding], at date: Date) -> Finding.Status {
        let worst = findings.map(\.status).max() ?? .ok
        known.withLock { $0 = (worst, date) }
        return worst
    }

    /// The worst result, at most 15 seconds old.
    /// - Complexity: O(1), except that one call in 15 seconds runs the quick checks.
    func worst(of service: LaurelService, at date: Date) -> Finding.Status {
        if let known = known.withLock(\.self), abs(date.timeIntervalSince(known.at)) < Self.patience {
            return known.worst
        }
        return note(HealthExamination(service: service, now: date, probes: false).findings(), at: date)
    }
}
