// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelProgress

/// A learner, as the store knows them.
package struct LearnerRecord: Sendable, Equatable {
    package var id: Int64
    /// UTF-8, compared bytewise.
    package var subject: [UInt8]
    /// Stored events, void ones included.
    package var eventCount: Int

    package init(id: Int64, subject: [UInt8], eventCount: Int) {
        self.id = id
        self.subject = subject
        self.eventCount = eventCount
    }
}

/// A table that runs have in common. To copy a table is to count a reference for each of its columns, too much for everyone
/// of a crowd.
package final class EventTableReference: Sendable {
    package let table: EventTable

    package init(_ table: EventTable) { self.table = table }
}

/// Events of one learner, in the learner's order.
package struct EventRun: Sendable {
    package let shared: EventTableReference
    package var rows: Range<Int>

    package var table: EventTable { shared.table }

    package init(_ shared: EventTableReference, rows: Range<Int>) {
        self.shared = shared
        self.rows = rows
    }

    package init(table: EventTable, rows: Range<Int>) { self.init(EventTableReference(table), rows: rows) }
}

/// What is remembered of a copy of an app's own store that was read for a learner; only who writes it knows what it means.
package struct RememberedCopy: Sendable, Equatable {
    /// Unique per learner.
    package var name: String
    package var data: [UInt8]

    package init(name: String, data: [UInt8]) { (self.name, self.data) = (name, data) }
}

/// Some rows of a table, all of one learner.
package struct LearnerRows: Sendable {
    package var learner: Int64
    package var rows: [Int]

    package init(learner: Int64, rows: [Int]) {
        self.learner = learner
        self.rows = rows
    }
}

/// What became of the events of one `append`.
package struct AppendResult: Sendable {
    package enum Outcome: UInt8, Sendable {
        /// The row was in no group.
        case skipped
        case stored
        /// The same event is there already.
        case duplicate
        /// An event with that identity and other content is there already.
        case conflict
    }

    /// One per row of the table.
    package var outcomes: [Outcome]
    /// The stored rows of every group, in the learner's order, groups as given.
    package var stored: [LearnerRows]
}

/// One learner's headline numbers.
package struct OverviewRecord: Sendable, Equatable {
    package var learner: LearnerRecord
    package var displayName: String?
    package var cohort: String?
    /// The overall track's, or a language's; those alone that ``fields`` names.
    package var numbers = TrackNumbers()

    /// Milliseconds since 1970, of the last folded event.
    package var lastEventAt: Int64? { numbers.counts.events > 0 ? numbers.counts.lastEventAt : nil }

    package init(learner: LearnerRecord) { self.learner = learner }
}

/// The learners whose headline numbers are read.
package enum OverviewSelection: Sendable {
    case everyone
    case learner(Int64)
    /// So many at most of those whose ids come later, in byte order.
    case page(after: [UInt8], limit: Int)
}

/// A version of the rules, as it was applied.
package struct RulesRecord: Sendable, Equatable {
    package var version: Int
    package var hash: String
    package var name: String
    /// Milliseconds since 1970.
    package var appliedAt: Int64
    package var source: [UInt8]
    /// The local day from which it is in force; nil: from the beginning.
    package var from: LocalDay?

    package init(
        version: Int,
        hash: String,
        name: String,
        appliedAt: Int64,
        source: [UInt8],
        from: LocalDay? = nil
    ) {
        self.from = from
        self.version = version
        self.hash = hash
        self.name = name
        self.appliedAt = appliedAt
        self.source = source
    }
}

/// A line that was refused, without its bytes.
package struct QuarantineRecord: Sendable, Equatable {
    /// Ascending in the order of arrival; given by the store.
    package var id: Int64 = 0
    /// A short code, for grouping.
    package var reason: String
    /// What a person should know.
    package var message: String
    package var file: String?
    /// From 1.
    package var line: Int?
    /// Milliseconds since 1970.
    package var receivedAt: Int64
    package var eventID: [UInt8]?
    package var source: [UInt8]?
    package var subject: [UInt8]?
    /// The line's length; given by the store.
    package var byteCount: Int = 0

    package init(
        reason: String,
        message: String,
        file: String? = nil,
        line: Int? = nil,
        receivedAt: Int64,
        eventID: [UInt8]? = nil,
        source: [UInt8]? = nil,
        subject: [UInt8]? = nil
    ) {
        self.reason = reason
        self.message = message
        self.file = file
        self.line = line
        self.receivedAt = receivedAt
        self.eventID = eventID
        self.source = source
        self.subject = subject
    }
}

/// How many lines are in quarantine for one reason.
package struct ReasonCount: Sendable, Equatable {
    package var reason: String
    package var lines: Int

    package init(reason: String, lines: Int) { (self.reason, self.lines) = (reason, lines) }
}

/// What could be read of a damaged store.
package struct Salvage: Sendable, Equatable {
    /// A learner of whose events not just as many were found as were counted.
    package struct Loss: Sendable, Equatable, CustomStringConvertible {
        /// nil where the name is lost.
        package var subject: [UInt8]?
        /// nil where that number is lost.
        package var counted: Int?
        package var found: Int
        package var id: Int64 = 0

        package var description: String {
            guard let subject else {
                return "learner number \(id): the name is lost, and \(counted ?? 0) events with it"
            }
            let name = "learner “\(String(decoding: subject, as: UTF8.self))”"
            guard let counted else { return "\(name): \(found) events are sound; how many there were is lost" }
            guard found < counted else { return "\(name): \(found) events are sound, \(counted) are counted" }
            return "\(name): \(found) of \(counted) events are sound, \(counted - found) are damaged"
        }
    }

    package var events = 0
    /// By name; empty where nothing is missing.
    package var losses: [Loss] = []
}

/// How large a store is.
package struct StoreStatistics: Sendable, Equatable {
    package var learners = 0
    package var events = 0
    package var blocks = 0
    package var blockBytes = 0
    /// Events not yet in a block.
    package var tailEvents = 0
    package var quarantined = 0
    /// Of the database file; 0 for a store in memory.
    package var fileBytes = 0
}

/// What an examination of a store found.
package struct StoreExamination: Sendable {
    package var problems: [StoreProblem] = []
    /// What is no damage, but should be known by whoever checks the store.
    package var remarks: [String] = []
}

/// Something that is wrong with a store.
package struct StoreProblem: Sendable, Equatable, CustomStringConvertible {
    package var description: String
}
