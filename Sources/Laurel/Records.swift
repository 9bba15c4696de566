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

    package init(now: Int64) { self.now = now }
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

    /// The sum of the four below.
    public var read = 0
    public var stored = 0
    /// Events that were stored before.
    public var duplicates = 0
    /// Events of a stored identity with other content; the stored ones stay, these are in quarantine.
    public var conflicts = 0
    /// What is no event, and is in quarantine.
    public var refused = 0
    /// Empty for CloudEvents, which say themselves what they are.
    public var kinds: [Kind] = []
    /// What the inputs hold and could not come over.
    package var leftOut: [LeftOut] = []
    /// The first ``problemLimit`` of them.
    public var problems: [Problem] = []
    /// Inputs that could not be read to their end; what came before is counted.
    package var unreadable: [InputError] = []

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
    /// `error.detected`, or the lines' own errors where those are more: apps tell of a mistake in one way or in both.
    package var errorsDetected = 0
    package var errorsCorrected = 0
    package var xpEarned: Double = 0
    package var xpBreakdown: [NamedNumber] = []
    package var lines: [DialogLine] = []

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
    /// What `check` found, in sentences.
    package var differences: [String] = []
}
