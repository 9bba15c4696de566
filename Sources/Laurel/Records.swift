package import LaurelAdapters
package import LaurelEvents
package import LaurelProgress

/// Something to read events from.
package struct IngestSource: Sendable {
    /// For messages: the file's name, or `standard input`.
    package var name: String
    /// Open for reading; the caller closes it.
    package var descriptor: Int32
    /// In bytes, where known.
    package var size: Int64?
    /// Where it lies, for formats that look beside it.
    package var path: String?

    package init(name: String, descriptor: Int32, size: Int64?, path: String? = nil) {
        self.name = name
        self.path = path
        self.descriptor = descriptor
        self.size = size
    }
}

package struct IngestOptions: Sendable {
    /// nil for CloudEvents.
    package var format: AdapterKind?
    /// What a format lacks.
    package var adapter = AdapterOptions()
    /// The ingest clock, in milliseconds since 1970.
    package var now: Int64
    /// Whether events with names that nobody knows are refused instead of told.
    package var isStrict = false

    package init(now: Int64) { self.now = now }
    /// Whether names come from whoever wrote the events, or a mapping for them, and may be mistyped: those of the formats
    /// that are built in are meant.
    package var looksForUnknownNames = true
}

package struct IngestProgress: Sendable {
    package var bytesDone: Int64 = 0
    package var bytesTotal: Int64?
    package var events = 0
}

/// What became of what was read.
public struct IngestReport: Sendable, Equatable {
    /// A line that went to quarantine.
    public struct Problem: Sendable, Equatable {
        public var file: String
        /// From 1.
        public var line: Int
        public var message: String
    }

    /// What became of the events of one kind, where a format tells kinds apart.
    public struct Kind: Sendable, Equatable {
        /// Of what kind they are, in the words of the format's mapping.
        public var what: String
        public var read = 0
        public var stored = 0
        public var duplicates = 0
        public var conflicts = 0
        public var refused = 0
    }

    /// A name that neither the catalogue nor the store's rules know.
    public struct Unknown: Sendable, Equatable {
        /// `type`, `attribute` or `field`.
        public var kind: String
        public var name: String
        /// Of a field: the type of the events that have it.
        public var type: String?
        /// How many events have it, those stored before among them.
        public var count: Int
        /// Where the first of them stands, lines from 1.
        public var file: String
        public var line: Int
        /// What was most likely meant.
        public var nearest: String?
    }

    /// The sum of the four below.
    public var read = 0
    public var stored = 0
    /// Events that were stored before.
    public var duplicates = 0
    /// Events of a stored identity with other content; the stored ones stay, these are in quarantine.
    public var conflicts = 0
    /// What is no event, and is in quarantine unless there was no room.
    public var refused = 0
    /// Of the lines refused or in conflict, those that quarantine had no room for: they are counted here, and kept nowhere.
    public var notKept = 0
    /// Empty for CloudEvents, which say themselves what they are.
    public var kinds: [Kind] = []
    /// What the inputs hold and could not come over.
    package var leftOut: [LeftOut] = []
    /// The first ``problemLimit`` of them.
    public var problems: [Problem] = []
    /// Inputs that could not be read to their end; what came before is counted.
    package var unreadable: [InputError] = []
    /// Names in the events that neither the catalogue nor the store's rules know, in the order of their first use.
    public var unknown: [Unknown] = []
    /// How often further names were used, of which there are too many to list.
    public var unknownNotListed = 0

    static let problemLimit = 20

    package init() {}

    enum Count {
        case read, stored, duplicates, conflicts, refused
    }

    /// Counts one in a kind, where there are any.
    mutating func count(_ number: Count, of kind: Int) {
        guard kinds.indices.contains(kind) else { return }
        switch number {
        case .read: kinds[kind].read += 1
        case .stored: kinds[kind].stored += 1
        case .duplicates: kinds[kind].duplicates += 1
        case .conflicts: kinds[kind].conflicts += 1
        case .refused: kinds[kind].refused += 1
        }
    }

    mutating func noteLeftOut(_ more: [LeftOut]) {
        for item in more {
            if let index = leftOut.firstIndex(where: { $0.what == item.what }) {
                leftOut[index].count += item.count
            } else {
                leftOut.append(item)
            }
        }
    }

    mutating func note(_ problem: Problem) {
        if problems.count < IngestReport.problemLimit { problems.append(problem) }
    }
}

/// A word of a learner's vocabulary, with its schedule.
package struct WordRecord: Sendable, Equatable {
    /// nil for words of events without a language.
    package var language: String?
    /// The entry's id.
    package var word: String
    package var text: String?
    package var translation: String?
    package var partOfSpeech: String?
    package var category: String?
    /// As the latest event that has any says, in its order.
    package var tags: [String] = []
    package var favourite = false
    /// 0 … 5.
    package var mastery: Int
    package var reviews: Int64
    package var correct: Int64
    package var intervalDays: Int
    /// Under `sm2`.
    package var easeFactor: Double?
    /// Under `fsrs`, after the first review.
    package var stability: Double?
    package var difficulty: Double?
    /// Milliseconds since 1970.
    package var nextReviewAt: Int64
    package var learned: Bool
    package var due: Bool
    package var bucket: MasteryBucket
    /// Milliseconds since 1970: when the word became known, when it was last reviewed, and when it became learned.
    package var firstSeenAt: Int64
    package var lastReviewedAt: Int64?
    package var learnedAt: Int64?
    /// Sum of the `count` of its `word.encountered`.
    package var encounters: Int
}

/// How many known words a category has.
package struct CategoryRecord: Sendable, Equatable {
    /// nil for words without a language, and without a category.
    package var language: String?
    package var category: String?
    package var known = 0
    package var learned = 0
    package var due = 0
}

/// A practice session.
package struct SessionRecord: Sendable, Equatable {
    /// A line of its dialog.
    package struct DialogLine: Sendable, Equatable {
        /// Milliseconds since 1970.
        package var time: Int64
        package var line: String?
        package var role: String?
        package var text: String?
        package var translation: String?
        package var accuracy: Double?
        package var errors: Int?
        package var skipped = false
    }

    /// A word that became known in it.
    package struct NewWord: Sendable, Equatable {
        package var word: String
        package var text: String?
        package var translation: String?
    }

    /// A mistake that was told on its own, or was put right.
    package struct Mistake: Sendable, Equatable {
        /// Milliseconds since 1970.
        package var time: Int64
        package var kind: String?
        package var original: String?
        package var corrected: String?
        package var line: String?
        /// Whether it says that a mistake was put right, rather than made.
        package var isCorrection = false
    }

    package var sessionId: String
    package var language: String?
    /// Milliseconds since 1970: its first event, and its `session.ended` if there is one.
    package var startedAt: Int64
    package var endedAt: Int64?
    package var mode: String?
    package var scenarioId: String?
    package var partner: String?
    package var durationMs: Int64?
    package var linesSpoken = 0
    /// Sum of the `count` of `word.encountered`.
    package var wordsEncountered = 0
    package var newVocabulary = 0
    /// `error.detected`, or the lines' own errors, or those of an app's statistics, whichever are the most: apps tell of a
    /// mistake in more than one way.
    package var errorsDetected = 0
    package var errorsCorrected = 0
    package var xpEarned: Double = 0
    package var xpBreakdown: [NamedNumber] = []
    /// Milliseconds since 1970: when XP last came or went.
    package var xpReachedAt: Int64?
    package var lines: [DialogLine] = []
    package var newWords: [NewWord] = []
    package var mistakes: [Mistake] = []
    package var reviews = 0
    package var hintsUsed = 0
    package var repairsMade = 0
    package var helpGiven = 0

    package var linesSkipped: Int { lines.count { $0.skipped } }
    /// The mean of the lines that have one; nil where none has.
    package var accuracy: Double? {
        let known = lines.compactMap(\.accuracy)
        return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }

    package init(sessionId: String, startedAt: Int64) {
        self.sessionId = sessionId
        self.startedAt = startedAt
    }
}

package struct ReplayProgress: Sendable {
    package var learnersDone = 0
    package var learnersTotal = 0
    package var events = 0
}

package struct ReplayReport: Sendable {
    package var learners = 0
    /// Events read, void ones included.
    package var events = 0
    package var seconds = 0.0
    /// Hexadecimal.
    package var fingerprint = ""
    /// The stored progress was computed by an older program: it is not read, and not compared.
    package var isOutdated = false
    /// What `check` found, in sentences.
    package var differences: [String] = []
}
