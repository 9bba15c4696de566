// SPDX-License-Identifier: Apache-2.0

/// A job as callers see it: work that takes longer than a request.
package struct StoredJob: Sendable {
    package enum State: String, Sendable { case waiting, running, done, failed }

    package var id: String
    package var kind: String
    package var state = State.waiting
    /// The share that is done, 0 … 1.
    package var share = 0.0
    /// The number of times that the job was started; more than 1 if a process ended during the job.
    package var attempts = 0
    /// The process that runs or ran the job; nil if only one process can run jobs.
    package var holder: String?
    /// The start, in milliseconds since 1970.
    package var startedAt: Int64?
    package var endedAt: Int64?
    /// The result, in JSON; nil in lists.
    package var result: String?
    /// The reason for the failure, in JSON.
    package var problem: String?
}

/// A job to add.
package struct NewJob: Sendable {
    /// A unique id that cannot be guessed.
    package var id: String
    package var kind: String
    /// The parameters, in JSON. With the kind and the parameters, any process can run the job.
    package var parameters: String
    /// True if the job may not run at the same time as other exclusive jobs. Exclusive jobs run one at a time, in the
    /// order of arrival.
    package var isExclusive: Bool
    /// True if the result may name learners. Then an erasure of any learner removes the job, unless the job is still
    /// waiting.
    package var namesLearners: Bool

    package init(id: String, kind: String, parameters: String, isExclusive: Bool, namesLearners: Bool) {
        (self.id, self.kind, self.parameters) = (id, kind, parameters)
        (self.isExclusive, self.namesLearners) = (isExclusive, namesLearners)
    }
}

/// A process's claim to a job. The claim ends when the process reports the end of the job, or when it was not renewed
/// in time.
package struct JobClaim: Sendable {
    package var id: String
    package var kind: String
    package var parameters: String
    /// The number of times that the job was started, this time included.
    package var attempts: Int
    /// The token by which the store recognises the claim.
    var token: Int64 = 0
}

/// The jobs of one process, or of all processes that share the store.
package protocol JobStore: Sendable {
    /// True if other processes see the jobs, and take over the jobs of a process that has ended.
    var isShared: Bool { get }

    /// - Returns: false if too many jobs are waiting, so that this one was not added.
    func add(_ job: NewJob) throws -> Bool

    /// Claims the first job that may start: one that waits, or one whose claim has expired.
    /// - Parameters:
    ///   - kinds: the kinds of jobs that the caller can run.
    ///   - seconds: the duration of the claim.
    func claim(_ kinds: [String], for seconds: Double) throws -> JobClaim?

    /// Reports progress, and extends the claim to some seconds from now.
    /// - Returns: false if the claim is lost.
    func renew(_ claim: JobClaim, share: Double, for seconds: Double) throws -> Bool

    /// Ends a job.
    /// - Parameter problem: the reason for a failure, in JSON; nil if the job succeeded.
    /// - Returns: false if the claim is lost; the outcome is then not kept.
    func end(_ claim: JobClaim, result: String?, problem: String?) throws -> Bool

    /// Returns a job to the waiting ones, so that another process can claim it at once.
    func release(_ claim: JobClaim) throws

    /// All jobs without their results, the newest last.
    func all() throws -> [StoredJob]
    func job(_ id: String) throws -> StoredJob?

    /// Removes the jobs that ended more than some days ago.
    func removeEnded(before days: Int) throws
    /// Removes the jobs whose results may name learners, except those that still wait.
    func forgetNames() throws
}

/// The limits that every job store keeps.
enum JobLimits {
    /// The most jobs that may wait.
    static let waiting = 16
    /// The most ended jobs of a kind that are kept.
    static let keptJobs = 100
}
