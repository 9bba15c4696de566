// SPDX-License-Identifier: Apache-2.0

internal import LaurelSystem
internal import Synchronization

/// The jobs of one process. They are lost when the process ends.
final class MemoryJobs: JobStore {
    private struct Entry {
        var job: StoredJob
        var parameters: String
        var namesLearners: Bool
    }

    private let entries = Mutex<[Entry]>([])

    var isShared: Bool { false }

    func add(_ job: NewJob) -> Bool {
        entries.withLock { entries in
            guard entries.count(where: { $0.job.state == .waiting }) < JobLimits.waiting else { return false }
            entries.append(
                Entry(
                    job: StoredJob(id: job.id, kind: job.kind),
                    parameters: job.parameters,
                    namesLearners: job.namesLearners
                )
            )
            let ended = entries.indices.filter { entries[$0].job.endedAt != nil && entries[$0].job.kind == job.kind }
            if ended.count >= JobLimits.keptJobs { entries.remove(at: ended[0]) }
            return true
        }
    }

    func claim(_ kinds: [String], for seconds: Double) -> JobClaim? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.job.state == .waiting && kinds.contains($0.job.kind) })
            else { return nil }
            (entries[index].job.state, entries[index].job.startedAt) = (.running, WallClock.now())
            entries[index].job.attempts += 1
            let (job, parameters) = (entries[index].job, entries[index].parameters)
            return JobClaim(id: job.id, kind: job.kind, parameters: parameters, attempts: job.attempts)
        }
    }

    func renew(_ claim: JobClaim, share: Double, for seconds: Double) -> Bool { change(claim) { $0.share = share } }

    func end(_ claim: JobClaim, result: String?, problem: String?) -> Bool {
        change(claim) { job in
            (job.result, job.problem, job.endedAt) = (result, problem, WallClock.now())
            job.state = problem == nil ? .done : .failed
            if problem == nil { job.share = 1 }
        }
    }

    func release(_ claim: JobClaim) {
        _ = change(claim) { ($0.state, $0.share, $0.attempts) = (.waiting, 0, $0.attempts - 1) }
    }

    func all() -> [StoredJob] { entries.withLock { $0.map(\.job) } }
    func job(_ id: String) -> StoredJob? { entries.withLock { $0.first { $0.job.id == id }?.job } }

    func removeEnded(before days: Int) {
        let end = WallClock.now() - Int64(days) * 86_400_000
        entries.withLock { $0.removeAll { $0.job.endedAt.map { $0 < end } ?? false } }
    }

    func forgetNames() {
        entries.withLock { $0.removeAll { $0.namesLearners && $0.job.state != .waiting } }
    }

    private func change(_ claim: JobClaim, _ body: (inout StoredJob) -> Void) -> Bool {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.job.id == claim.id }) else { return false }
            body(&entries[index].job)
            return true
        }
    }
}
