// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelStore
import Synchronization

/// Limits how much of the service each caller may use, so that no caller slows down the others.
final class CallerLimits: Sendable {
    /// The maximum size in bytes of a body that does not count towards the limit of ``HeldBytes``.
    static let smallBody = 64 << 10
    private static let secondsPerDay = 86_400.0

    private let requests: RateLimiter
    private let learnerRequests: RateLimiter
    private let quarantine: RateLimiter
    private let learnerQuarantine: RateLimiter
    private let held: HeldBytes

    /// Creates the limits. A learner's token gets a tenth of the requests and of the quarantine that a key gets.
    init(_ options: ServiceOptions) {
        let rate = Double(options.requestsPerSecond)
        requests = RateLimiter(perSecond: rate)
        learnerRequests = RateLimiter(perSecond: rate / 10)
        let share = Double(options.quarantineBytes ?? QuarantineBudget.most) / 16
        quarantine = RateLimiter(perSecond: share / Self.secondsPerDay, burst: share)
        learnerQuarantine = RateLimiter(perSecond: share / 10 / Self.secondsPerDay, burst: share / 10)
        held = HeldBytes(limitOfKey: options.queueBytes)
    }

    /// Counts a request. Callers of a service without keys have no limit.
    func admit(_ caller: Caller) throws(Problem) {
        let limiter = caller.learner == nil ? requests : learnerRequests
        guard caller.key != nil, let seconds = limiter.admit(caller.name) else { return }
        throw .tooMany("too many requests; try again in \(seconds) seconds", after: seconds)
    }

    /// Limits the bytes that a caller may add to quarantine: a sixteenth of the quarantine's size per day.
    /// - Returns: a function that counts bytes. It returns false if the caller has reached the limit.
    func quarantine(of caller: Caller) -> @Sendable (_ bytes: Int) -> Bool {
        let limiter = caller.learner == nil ? quarantine : learnerQuarantine
        return { [name = caller.name] in limiter.admit(name, cost: Double($0)) == nil }
    }

    /// The counter for the bytes of a new upload.
    func upload(of caller: Caller) -> HeldBytes.Share { HeldBytes.Share(held, caller) }
}

/// Counts the bytes of each caller that were received and are not stored yet.
final class HeldBytes: Sendable {
    private struct State {
        var total = 0
        var callers: [String: Int] = [:]
    }

    /// The limit of a learner's token in bytes: one whole body.
    private static let learnerLimit = EventUpload.limit + CallerLimits.smallBody

    private let keyLimit: Int
    private let state = Mutex(State())

    /// Creates the counters. The limit of all callers together is four times a key's limit.
    /// - Parameter limitOfKey: the limit of a key, in bytes.
    init(limitOfKey: Int) { keyLimit = max(limitOfKey, Self.learnerLimit) }

    /// Adds bytes to a caller's count.
    /// - Parameters:
    ///   - bytes: the number of bytes; negative for bytes that are no longer in memory.
    ///   - limit: the maximum count of the caller.
    /// - Throws: a problem if the caller, or all callers together, exceed the limit.
    private func take(_ bytes: Int, by caller: String, limit: Int) throws(Problem) {
        let problem: Problem? = state.withLock { state in
            let own = state.callers[caller, default: 0] + bytes
            if bytes > 0, own > limit {
                return .tooMany("too many bytes of uploads at once; send one after the other", after: 5)
            }
            if bytes > 0, state.total + bytes > 4 * keyLimit {
                return .busy("too many bytes of uploads wait to be stored", code: "queue-full", after: 5)
            }
            state.total += bytes
            state.callers[caller] = own == 0 ? nil : own
            return nil
        }
        if let problem { throw problem }
    }

    /// The count of the bytes of one upload. The bytes are subtracted at the end of the upload.
    final class Share {
        private let all: HeldBytes
        private let caller: String
        private let limit: Int
        private var taken = 0

        init(_ all: HeldBytes, _ caller: Caller) {
            (self.all, self.caller) = (all, caller.name)
            limit = caller.learner == nil ? all.keyLimit : HeldBytes.learnerLimit
        }

        deinit { if taken > 0 { try? all.take(-taken, by: caller, limit: limit) } }

        /// Sets the number of the upload's bytes that are in memory now.
        /// - Throws: a problem if its caller, or all callers together, exceed the limit.
        func hold(_ bytes: Int) throws(Problem) {
            let counted = bytes > CallerLimits.smallBody ? bytes : 0
            guard counted != taken else { return }
            try all.take(counted - taken, by: caller, limit: limit)
            taken = counted
        }
    }
}
