// SPDX-License-Identifier: Apache-2.0

internal import LaurelPostgreSQL

extension PostgreSQLStore {
    package var jobs: any JobStore { PostgreSQLJobs(store: self) }
}

/// The jobs of all processes that share a store. Each job is a row. A running job has a lease of the process that runs
/// the job.
private struct PostgreSQLJobs: JobStore {
    let store: PostgreSQLStore

    var isShared: Bool { true }

    private func inTransaction<T>(_ body: (DatabaseConnection) throws -> T) throws -> T {
        try store.withConnection { try store.inTransaction($0, milliseconds: 1000, body) }
    }

    private func rows(_ statement: JobSQL, _ parameters: [Parameter]) throws -> Rows {
        try inTransaction { try $0.rows(statement.rawValue, parameters) }
    }

    func add(_ job: NewJob) throws -> Bool {
        try inTransaction { connection in
            try connection.send(JobSQL.lock.rawValue)
            try connection.send(
                JobSQL.prune.rawValue,
                [.count(JobLimits.keptJobs - 1)]
            )
            if try connection.rows(JobSQL.countWaiting.rawValue)[0].integer(0) < JobLimits.waiting {
                try connection.send(
                    JobSQL.add.rawValue,
                    [
                        .text(job.id), .text(job.kind), .text(job.parameters), .truth(job.isExclusive),
                        .truth(job.namesLearners), .integer(try connection.serverClock()),
                    ]
                )
            }
            // If the connection broke after the first attempt, the row exists already.
            return try !connection.rows(JobSQL.one.rawValue, [.text(job.id)]).isEmpty
        }
    }

    func claim(_ kinds: [String], for seconds: Double) throws -> JobClaim? {
        let token = Int64.random(in: 1 ... .max)
        return try inTransaction { connection in
            let now = try connection.serverClock()
            let kinds = Parameter.text(kinds.joined(separator: " "))
            guard let next = try connection.rows(JobSQL.next.rawValue, [kinds, .integer(now)]).first else { return nil }
            // If the process of the job has ended, the shadow that it was building is lost.
            if !next.isNull(1) { try connection.send(JobSQL.freeShadow.rawValue, [.text(next.array(1))]) }
            let rows = try connection.rows(
                JobSQL.claim.rawValue,
                [
                    .integer(next.integer(0)), .integer(token), .stored(PostgreSQLStore.holder), .integer(now),
                    .integer(now + milliseconds(seconds)),
                ]
            )
            return rows.first.map { row in
                JobClaim(
                    id: row.string(0),
                    kind: row.string(1),
                    parameters: row.string(2),
                    attempts: Int(row.integer(3)),
                    token: token
                )
            }
        }
    }

    private func milliseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1000) }

    func renew(_ claim: JobClaim, share: Double, for seconds: Double) throws -> Bool {
        try inTransaction { connection in
            let end = try connection.serverClock() + milliseconds(seconds)
            let parameters: [Parameter] = [.text(claim.id), .integer(claim.token), .real(share), .integer(end)]
            return try connection.rows(JobSQL.renew.rawValue, parameters).written == 1
        }
    }

    func end(_ claim: JobClaim, result: String?, problem: String?) throws -> Bool {
        try inTransaction { connection in
            let now = try connection.serverClock()
            let parameters: [Parameter] = [
                .text(claim.id), .integer(claim.token), .text(result), .text(problem), .integer(now),
            ]
            return try connection.rows(JobSQL.end.rawValue, parameters).written == 1
        }
    }

    func release(_ claim: JobClaim) throws { _ = try rows(.release, [.text(claim.id), .integer(claim.token)]) }

    func all() throws -> [StoredJob] { try rows(.all, []).map(job) }
    func job(_ id: String) throws -> StoredJob? { try rows(.one, [.text(id)]).first.map(job) }

    func removeEnded(before days: Int) throws {
        try inTransaction { connection in
            let end = try connection.serverClock() - Int64(days) * 86_400_000
            try connection.send(JobSQL.removeEnded.rawValue, [.integer(end)])
        }
    }
    func forgetNames() throws { _ = try rows(.forgetNames, []) }

    private func job(_ row: Row) -> StoredJob {
        func text(_ column: Int) -> String? { row.isNull(column) ? nil : row.string(column) }
        func instant(_ column: Int) -> Int64? { row.isNull(column) ? nil : row.integer(column) }
        var job = StoredJob(id: row.string(0), kind: row.string(1))
        job.state = StoredJob.State(rawValue: row.string(2)) ?? .failed
        (job.share, job.attempts, job.holder) = (row.real(3), Int(row.integer(4)), text(5))
        (job.startedAt, job.endedAt) = (instant(6), instant(7))
        (job.result, job.problem) = (text(8), text(9))
        return job
    }
}
