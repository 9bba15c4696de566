// SPDX-License-Identifier: Apache-2.0

/// Work that takes longer than a request, as whoever asks for it is told.
package struct StoredJob: Sendable {
    package enum State: String, Sendable { case waiting, running, done, failed }

    package var id: String
    package var kind: String
    package var state = State.waiting
    /// What share is done, 0 … 1.
    package var share = 0.0
    /// How often it was begun: more than once where the process that did it ended.
    package var attempts = 0
    /// The process that does it, or did it; nil where only one can.
    package var holder: String?
    /// Milliseconds since 1970.
    package var startedAt: Int64?
    package var endedAt: Int64?
    /// JSON; left out in lists.
    package var result: String?
    /// JSON: why it failed.
    package var problem: String?
}

/// Work that is to be done.
package struct NewJob: Sendable {
    /// Nobody can guess it, and no other job has it.
    package var id: String
    package var kind: String
    /// JSON: with the kind, all that a process needs to do it.
    package var parameters: String
    /// Of those that are, one is done at a time, in the order in which they came.
    package var isExclusive: Bool
    /// Whether its result may name learners: then it goes with the first of them who is erased.
    package var namesLearners: Bool

    package init(id: String, kind: String, parameters: String, isExclusive: Bool, namesLearners: Bool) {
        (self.id, self.kind, self.parameters) = (id, kind, parameters)
        (self.isExclusive, self.namesLearners) = (isExclusive, namesLearners)
    }
}

/// What a process does until it says how it ended, or until nothing was heard of it for too long.
package struct JobClaim: Sendable {
    package var id: String
    package var kind: String
    package var parameters: String
    /// How often it was begun, this time included.
    package var attempts: Int
    /// By which the store knows whose it is.
    var token: Int64 = 0
}

/// The jobs of a store: of this process, or of all that share the store.
package protocol JobStore: Sendable {
    /// Whether other processes see them, and take over those of one that is gone.
    var isShared: Bool { get }

    /// - Returns: false where so many wait that this one is not taken.
    func add(_ job: NewJob) throws -> Bool

    /// Takes the first that may begin: one that waits, or one whose process was silent for too long.
    /// - Parameters:
    ///   - kinds: those that the caller can do.
    ///   - seconds: for which it is the caller's.
    func claim(_ kinds: [String], for seconds: Double) throws -> JobClaim?

    /// Tells how far it has come, and keeps it for some seconds from now.
    /// - Returns: false where it is another's, or nobody's any more.
    func renew(_ claim: JobClaim, share: Double, for seconds: Double) throws -> Bool

    /// - Parameter problem: why it failed; nil where it is done.
    /// - Returns: as ``renew(_:share:for:)``: the outcome of who has lost it is not kept.
    func end(_ claim: JobClaim, result: String?, problem: String?) throws -> Bool

    /// Lets another begin it at once, as though nobody had.
    func giveBack(_ claim: JobClaim) throws

    /// The newest last, without their results.
    func all() throws -> [StoredJob]
    func job(_ id: String) throws -> StoredJob?

    /// Removes those that ended more than some days ago.
    func removeEnded(before days: Int) throws
    /// Removes those whose results may name learners, and those that read the store at present and would.
    func forgetNames() throws
}

/// What every one keeps to.
enum JobLimits {
    /// So many may wait.
    static let waiting = 16
    /// The most ended jobs of a kind that are remembered.
    static let remembered = 100
}
