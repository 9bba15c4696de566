// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelProgress

/// A learner's row in the store.
package struct LearnerRecord: Sendable, Equatable {
    package var id: Int64
    /// The learner's id in UTF-8, compared bytewise.
    package var subject: [UInt8]
    /// The number of stored events, void ones included.
    package var eventCount: Int

    package init(id: Int64, subject: [UInt8], eventCount: Int) {
        self.id = id
        self.subject = subject
        self.eventCount = eventCount
    }
}

/// A reference to a table that many runs share. Copying the table itself would change a reference count for each
/// column, which is too slow for thousands of learners.
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

/// A kept copy of an app's own store, as it was when a learner's data were last read from that store. Only the adapter
/// that wrote the copy can read it.
package struct RememberedCopy: Sendable, Equatable {
    /// The name, unique per learner.
    package var name: String
    package var data: [UInt8]

    package init(name: String, data: [UInt8]) { (self.name, self.data) = (name, data) }
}

/// A learner's row of an achievement in a track.
package struct AchievementRecord: Sendable, Equatable {
    package var learner: Int64
    /// The achievement's id.
    package var achievement: String
    /// The number of unlocked tiers.
    package var tier: Int
    /// The time of the latest unlocked tier, in milliseconds since 1970; nil while no tier is unlocked.
    package var unlockedAt: Int64?
    package var progress: Double
    /// The time of the learner's first event, in milliseconds since 1970.
    package var firstEventAt: Int64

    package init(
        learner: Int64,
        achievement: String,
        tier: Int,
        unlockedAt: Int64?,
        progress: Double,
        firstEventAt: Int64
    ) {
        (self.learner, self.achievement, self.tier) = (learner, achievement, tier)
        (self.unlockedAt, self.progress, self.firstEventAt) = (unlockedAt, progress, firstEventAt)
    }
}

extension LearnerProjection {
    /// Calls a function for each achievement of each track.
    /// - Parameter learner: the learner's number.
    package func forEachAchievement(of learner: Int64, _ body: (AchievementRecord) throws -> Void) rethrows {
        let first = tracks.first?.numbers.counts.firstEventAt ?? 0
        for row in tracks.flatMap(\.achievements) {
            try body(
                AchievementRecord(
                    learner: learner,
                    achievement: row.id,
                    tier: row.tier,
                    unlockedAt: row.unlockedAt,
                    progress: row.progress,
                    firstEventAt: first
                )
            )
        }
    }
}

/// A person's note about a learner.
package struct NoteRecord: Sendable, Equatable {
    /// The id, unique per learner. Ids ascend with time.
    package var id: String
    /// The time of writing, in milliseconds since 1970.
    package var milliseconds: Int64
    package var author: String
    package var text: String

    package init(id: String, milliseconds: Int64, author: String, text: String) {
        (self.id, self.milliseconds, self.author, self.text) = (id, milliseconds, author, text)
    }
}

/// Rows of a table that belong to one learner.
package struct LearnerRows: Sendable {
    package var learner: Int64
    package var rows: [Int]

    package init(learner: Int64, rows: [Int]) {
        self.learner = learner
        self.rows = rows
    }
}

/// The outcome of each event of an `append`.
package struct AppendResult: Sendable {
    package enum Outcome: UInt8, Sendable {
        /// The row was in no group.
        case skipped
        case stored
        /// The same event is stored already.
        case duplicate
        /// An event with the same identity and other content is stored already.
        case conflict
    }

    /// The outcomes, one for each row of the table.
    package var outcomes: [Outcome]
    /// For each group, its stored rows, in the learner's order. The groups are in the given order.
    package var stored: [LearnerRows]
}

/// One learner's headline numbers.
package struct OverviewRecord: Sendable, Equatable {
    package var learner: LearnerRecord
    package var displayName: String?
    package var cohort: String?
    /// The numbers of the overall track or of a language. Only numbers that ``fields`` names are set.
    package var numbers = TrackNumbers()

    /// The time of the last folded event, in milliseconds since 1970.
    package var lastEventAt: Int64? { numbers.counts.events > 0 ? numbers.counts.lastEventAt : nil }

    package init(learner: LearnerRecord) { self.learner = learner }
}

/// A learner's numbers of a day. They can be added over languages and over days.
package struct DayTotals: Sendable, Equatable {
    package var xp = 0.0
    /// The part of the XP that was credited at flagged events.
    package var flaggedXP = 0.0
    package var practiceMilliseconds: Int64 = 0
    /// The number of spoken lines and graded reviews.
    package var exercises = 0
    /// The number of words that became learned.
    package var learnedWords = 0
    /// True if the day counts for the streak, by the rules.
    package var isActive = false

    package init(
        xp: Double = 0,
        flaggedXP: Double = 0,
        practiceMilliseconds: Int64 = 0,
        exercises: Int = 0,
        learnedWords: Int = 0,
        isActive: Bool = false
    ) {
        (self.xp, self.flaggedXP, self.practiceMilliseconds) = (xp, flaggedXP, practiceMilliseconds)
        (self.exercises, self.learnedWords, self.isActive) = (exercises, learnedWords, isActive)
    }

    package init(_ day: DayProjection) {
        self.init(
            xp: day.xp,
            flaggedXP: day.flaggedXP,
            practiceMilliseconds: day.practiceMilliseconds,
            exercises: day.lines + day.reviews,
            learnedWords: day.learnedWords,
            isActive: day.isActive
        )
    }

    package static func += (sum: inout DayTotals, other: DayTotals) {
        sum.xp += other.xp
        sum.flaggedXP += other.flaggedXP
        sum.practiceMilliseconds += other.practiceMilliseconds
        sum.exercises += other.exercises
        sum.learnedWords += other.learnedWords
        sum.isActive = sum.isActive || other.isActive
    }
}

/// The learners whose headline numbers are read.
package enum OverviewSelection: Sendable {
    case allLearners
    case learner(Int64)
    /// At most `limit` learners whose ids come later in byte order.
    case page(after: [UInt8], limit: Int)
}

/// A version of the rules that was applied.
package struct RulesRecord: Sendable, Equatable {
    package var version: Int
    package var hash: String
    package var name: String
    /// The time when it was applied, in milliseconds since 1970.
    package var appliedAt: Int64
    package var source: [UInt8]
    /// The first local day on which it is in force; nil if it is in force from the beginning.
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

/// A refused line, without its bytes.
package struct QuarantineRecord: Sendable, Equatable {
    /// The id, ascending in the order of arrival. The store sets it.
    package var id: Int64 = 0
    /// A short code, for grouping.
    package var reason: String
    /// The message for people.
    package var message: String
    package var file: String?
    /// The line number in the file, from 1.
    package var line: Int?
    /// The time of arrival, in milliseconds since 1970.
    package var receivedAt: Int64
    package var eventID: [UInt8]?
    package var source: [UInt8]?
    package var subject: [UInt8]?
    /// The line's length in bytes. The store sets it.
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

/// The number of quarantined lines for one reason.
package struct ReasonCount: Sendable, Equatable {
    package var reason: String
    package var lines: Int

    package init(reason: String, lines: Int) { (self.reason, self.lines) = (reason, lines) }
}

/// The quarantined lines that have the same message.
package struct MessageCount: Sendable, Equatable {
    package var message: String
    package var lines: Int
    /// The time of the latest line, in milliseconds since 1970.
    package var lastAt: Int64
    /// The highest id among the lines.
    package var lastLine: Int64

    package init(message: String, lines: Int, lastAt: Int64, lastLine: Int64) {
        (self.message, self.lines, self.lastAt, self.lastLine) = (message, lines, lastAt, lastLine)
    }
}

/// The outcome of reading a damaged store.
package struct Salvage: Sendable, Equatable {
    /// A learner for whom the number of events found differs from the number counted.
    package struct Loss: Sendable, Equatable, CustomStringConvertible {
        /// The learner's id; nil if it is lost.
        package var subject: [UInt8]?
        /// The counted number; nil if it is lost.
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
    /// The losses, by name; empty if nothing is missing.
    package var losses: [Loss] = []
}

/// The sizes of a store.
package struct StoreStatistics: Sendable, Equatable {
    package var learners = 0
    package var events = 0
    package var blocks = 0
    package var blockBytes = 0
    /// The number of events that are not in a block yet.
    package var tailEvents = 0
    package var quarantined = 0
    /// The size of the database file in bytes; 0 for a store in memory.
    package var fileBytes = 0
}

/// The findings of an examination.
package struct StoreExamination: Sendable {
    package var problems: [StoreProblem] = []
    /// Remarks that are not damage, but worth knowing.
    package var remarks: [String] = []
}

/// A problem of a store.
package struct StoreProblem: Sendable, Equatable, CustomStringConvertible {
    package var description: String
}
