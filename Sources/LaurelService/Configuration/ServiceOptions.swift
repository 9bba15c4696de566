// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
public import LaurelHTTP

/// What a node is for.
public enum ServiceRole: String, Sendable, CaseIterable {
    case all
    /// It answers, and leaves the work to others.
    case frontend
    /// It works, and answers nothing but how it is.
    case worker

    var answers: Bool { self != .worker }
    package var works: Bool { self != .frontend }
}

/// How a service is set up.
public struct ServiceOptions: Sendable {
    public var store = "laurel.db"
    /// What this node is for, of several over one store.
    public var role = ServiceRole.all
    public var listen = ListenAddress(host: "127.0.0.1", port: 8080)
    /// True if clients on this machine need no key, as long as the store has none.
    public var isOpen = false
    /// A file with the key that learners' tokens are signed with; nil for keys in the store.
    public var signingKeyFile: String?
    /// Where `/metrics` is answered without a key; nil for nowhere.
    public var metricsListen: ListenAddress?
    public var log = RequestLog.Format.text
    /// Whose pages may ask from a browser.
    public var corsOrigins: [String] = []
    /// Requests that a key may send; 0 for no limit. A learner's token may send a tenth of it.
    public var requestsPerSecond = 1000
    /// The most live streams of one learner's tokens.
    static let streamsPerLearner = 20
    /// Bytes that quarantine may take; nil for 1 GiB, or a tenth of the free disk.
    public var quarantineBytes: Int64?
    /// Bytes of events that may wait to be stored.
    public var queueBytes = 64 << 20
    /// What the states of learners who were active lately may take. Whose does not fit is folded from their events again: where many are
    /// active, that is most of an event's time.
    public var learnerBytes = 128 << 20
    public var mostConnections = 16_384
    public var mostStreams = 10_000
    public var threads = 1
    public var reportsFolder: String?
    /// Whether webhooks may go to addresses that only this machine or network can reach.
    public var allowsPrivateWebhooks = false
    /// The shortest streak of which is said that it would end tonight, in days.
    public var streakAtRiskDays = 3

    /// Days for which things are kept; nil for ever.
    public var retention = Retention()

    /// Seconds after which another node takes over the work of one of which nothing is heard.
    public var leaseSeconds = 30

    /// The clock by which webhooks are told; tests put it on.
    var now: @Sendable () -> Date = { Date() }

    public init() {}

    /// The store where it is shown: an address is without its password.
    public var shownStore: String { StoreLocation(store).description }
}
