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
            try connection.send(
                JobSQL.add.rawValue,
                [
                    .text(job.id), .text(job.kind), .text(job.parameters), .truth(job.isExclusive),
                    .truth(job.namesLearners), .count(JobLimits.waiting),
                ]
            )
            // If the connection broke after the first attempt, the row exists already.
            return try !connection.rows(JobSQL.one.rawValue, [.text(job.id)]).isEmpty
        }
    }

    func claim(_ kinds: [String], for seconds: Double) throws -> JobClaim? {
        let token = Int64.random(in: 1 ... .max)
        let rows = try rows(
            .claim,
            [
                .text(kinds.joined(separator: " ")), .integer(token), .stored(PostgreSQLStore.holder), .real(seconds),
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

    func renew(_ claim: JobClaim, share: Double, for seconds: Double) throws -> Bool {
        try rows(.renew, [.text(claim.id), .integer(claim.token), .real(share), .real(seconds)]).written == 1
    }

    func end(_ claim: JobClaim, result: String?, problem: String?) throws -> Bool {
        try rows(.end, [.text(claim.id), .integer(claim.token), .text(result), .text(problem)]).written == 1
    }

    func release(_ claim: JobClaim) throws { _ = try rows(.release, [.text(claim.id), .integer(claim.token)]) }

    func all() throws -> [StoredJob] { try rows(.all, []).map(job) }
    func job(_ id: String) throws -> StoredJob? { try rows(.one, [.text(id)]).first.map(job) }

    func removeEnded(before days: Int) throws { _ = try rows(.removeEnded, [.count(days)]) }
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
